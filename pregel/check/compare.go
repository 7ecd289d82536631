package check

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopregel/pregel/graph"
)

// An examination compares an interpreted run with another.
type examination struct {
	laws []string
	look func(x *exam, g *graph.Graph, base *record) []Finding
}

func examinations() []examination {
	return []examination{
		{[]string{superstep, order}, (*exam).orders},
		{[]string{priority}, (*exam).eager}, {[]string{relaxed}, (*exam).chaotic},
		{[]string{certified}, (*exam).certificate}, {[]string{deterministic, relaxed}, (*exam).engines},
	}
}

// orders takes vertices and blocks in other orders. In a run of programs alone no
// value at all may differ, else the answer may not.
func (x *exam) orders(g *graph.Graph, base *record) (list []Finding) {
	for _, m := range []manner{{name: "in descending order", seed: 1, only: -1}, {name: "in another order", seed: x.seed, only: -1}} {
		list = x.inManner(g, base, m)
		if len(list) == 0 {
			continue
		}
		if len(x.lawless) > 0 {
			m.inOrder = true
			return following(list, x.inManner(g, base, m), strings.Join(x.lawless, " and "))
		}
		return list
	}
	return nil
}

// inManner compares a run in another order with the plain one.
func (x *exam) inManner(g *graph.Graph, base *record, m manner) (list []Finding) {
	other := x.run(g, m)
	if f := base.differsInSteps(other, superstep, base.share()); f != nil && !base.phases {
		f.Text += fmt.Sprintf(" when vertices are called %s", m.name)
		list = append(list, *f)
	}
	if f := base.differsInAnswer(other, order, base.share()); f != nil {
		list = append(list, x.locate(g, base, m, *f))
	}
	return list
}

// following tells what of a list goes away when messages are combined in order: it
// follows from the laws that their combiner breaks.
func following(list, inOrder []Finding, laws string) []Finding {
	for i, f := range list {
		stays := slices.IndexFunc(inOrder, func(g Finding) bool { return g.Law == f.Law })
		if stays >= 0 {
			list[i] = inOrder[stays]
		} else {
			list[i].Follows = laws
		}
	}
	return list
}

// locate finds a superstep whose order alone decides.
func (x *exam) locate(g *graph.Graph, base *record, m manner, f Finding) Finding {
	for s := range min(len(base.names), 40) {
		m.only = s
		if one := base.differsInAnswer(x.run(g, m), order, base.share()); one != nil {
			one.Program, one.Superstep = base.names[s], intp(s)
			one.Text += fmt.Sprintf(" when the vertices of superstep %d alone are taken %s", s, m.name)
			return *one
		}
	}
	f.Text += fmt.Sprintf(" when vertices are taken %s", m.name)
	return f
}

// eager runs without priorities.
func (x *exam) eager(g *graph.Graph, base *record) []Finding {
	if !base.waits {
		return nil
	}
	if f := base.differsInAnswer(x.run(g, manner{name: "eager", only: -1, eager: true}), priority, base.share()); f != nil {
		f.Text += " when no vertex waits for its priority"
		return []Finding{*f}
	}
	return nil
}

// chaotic delivers messages at once, some twice, for some orders of the vertices.
func (x *exam) chaotic(g *graph.Graph, base *record) []Finding {
	for i := range uint64(3) {
		if !base.relaxes {
			break
		}
		m := manner{name: "chaotic", seed: 1 + i*x.seed, only: -1, chaotic: true}
		if f := base.differsInAnswer(x.run(g, m), relaxed, base.share()); f != nil {
			f.Text += " when messages are delivered at once, and some again"
			return []Finding{*f}
		}
	}
	return nil
}

// certificate has the answer certified.
func (x *exam) certificate(g *graph.Graph, base *record) []Finding {
	if x.subject.Certify == nil || base.limited {
		return nil
	}
	err := guard(func() error { return x.subject.Certify(x.ctx, g, base.answer) })
	if err != nil && x.ctx.Err() == nil {
		return []Finding{{Law: certified, Text: err.Error()}}
	}
	return nil
}

// share is by how much floats may differ that were added up in another order.
func (r *record) share() float64 { return rounding(r.floats) }

// differsInSteps finds the first superstep and vertex at which two runs have other
// values. It looks no further than both have shown them.
func (r *record) differsInSteps(o *record, law string, share float64) *Finding {
	for i := range min(len(r.values), len(o.values)) {
		a, b := r.values[i], o.values[i]
		if a.values == nil || b.values == nil || a.program != b.program || len(a.values) != len(b.values) {
			return nil
		}
		for v := range a.values {
			if reflect.TypeOf(a.values[v]) != reflect.TypeOf(b.values[v]) {
				return nil
			}
			if !equal(a.values[v], b.values[v], share) {
				return &Finding{Law: law, Program: a.program, Superstep: intp(a.superstep), Vertex: intp(v),
					Text: fmt.Sprintf("after %s vertex %d has %s, and %s", when(a.superstep), v, goText(a.values[v]), goText(b.values[v]))}
			}
		}
	}
	return nil
}

func when(s int) string {
	if s < 0 {
		return "Init"
	}
	return fmt.Sprintf("superstep %d", s)
}

// differsInAnswer finds the first place at which two answers differ.
func (r *record) differsInAnswer(o *record, law string, share float64) *Finding {
	if o.err != nil {
		if errors.Is(o.err, context.Canceled) {
			return nil
		}
		return &Finding{Law: law, Text: fmt.Sprintf("it fails (%v)", o.err)}
	}
	a, b := r.answer.Columns, o.answer.Columns
	if len(a) != len(b) {
		return &Finding{Law: law, Text: fmt.Sprintf("the answer has %d columns, and %d", len(a), len(b))}
	}
	for i, c := range a {
		x, y := boxed(c.Values), boxed(b[i].Values)
		if len(x) != len(y) {
			return &Finding{Law: law, Text: fmt.Sprintf("the answer has %d rows, and %d", len(x), len(y))}
		}
		for row := range x {
			if !equal(x[row], y[row], share) {
				return &Finding{Law: law, Vertex: intp(row), Text: c.differ(row, x[row], y[row])}
			}
		}
	}
	return nil
}

// differ tells what stands in a row.
func (c Column) differ(row int, x, y any) string {
	if c.Name == "" {
		return fmt.Sprintf("vertex %d ends with %s, and with %s", row, goText(x), goText(y))
	}
	return fmt.Sprintf("%s is %s in row %d, and %s", c.Name, goText(x), row, goText(y))
}
