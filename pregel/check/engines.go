package check

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// engines runs the program on every engine, and compares with the interpreted run,
// or else with the first engine.
func (x *exam) engines(g *graph.Graph, base *record) []Finding {
	against := "interpreted"
	for _, e := range x.options.Engines {
		if e.Relaxed && (base == nil || !base.relaxes) {
			continue
		}
		r := x.onEngine(g, e)
		if base == nil {
			if r.err != nil {
				return []Finding{{Law: runs, Text: fmt.Sprintf("on %s it fails: %v", e.Name, r.err)}}
			}
			for _, law := range []string{runs, deterministic, finite} {
				delete(x.none, law)
			}
			base, against = r, e.Name
			if f := r.noNumber(); f != nil {
				return []Finding{*f}
			}
			continue
		}
		if base.anyOne && e.Loose {
			continue
		}
		if f := x.unlike(base, r, e); f != nil {
			f.Text = fmt.Sprintf("%s %s, as against %s", f.Text, "on "+e.Name, against)
			f.Follows = strings.Join(x.lawless, " and ")
			return []Finding{*f}
		}
	}
	return nil
}

// unlike compares a run on an engine.
func (x *exam) unlike(base, r *record, e Engine) *Finding {
	if r.err == nil && !e.Relaxed && !base.phases {
		if f := base.differsInSteps(r, deterministic, base.share()); f != nil {
			return f
		}
	}
	law := deterministic
	if e.Relaxed {
		law = relaxed
	}
	return base.differsInAnswer(r, law, base.share())
}

// onEngine runs the program on an engine, and keeps the values that it shows.
func (x *exam) onEngine(g *graph.Graph, e Engine) *record {
	r := &record{}
	j := &pregel.Job{Graph: g, Engine: e.Engine, MaxSupersteps: x.subject.Limit}
	if j.MaxSupersteps == 0 {
		j.MaxSupersteps = 2 * x.options.Supersteps
	}
	j.Barrier = func(state func() (pregel.State, error)) error {
		s, err := state()
		if err != nil {
			r.values = append(r.values, snapshot{}) // a phase, or an engine without
			return nil
		}
		r.values = append(r.values, snapshot{s.Program, s.Supersteps - 1, boxed(s.Values)})
		return nil
	}
	r.err = guard(func() (err error) {
		r.answer, err = x.subject.Run(x.ctx, j)
		return err
	})
	if errors.Is(r.err, context.Canceled) {
		r.err = context.Canceled
	}
	return r
}

// noNumber finds NaN in an answer, of which no more is known.
func (r *record) noNumber() *Finding {
	for _, c := range r.answer.Columns {
		for row, x := range boxed(c.Values) {
			if hasNaN(x) {
				return &Finding{Law: finite, Vertex: intp(row), Text: fmt.Sprintf("%s is NaN in row %d of the answer", c.Name, row)}
			}
		}
	}
	return nil
}

// boxed copies a column of any type.
func boxed(column any) []any {
	v := reflect.ValueOf(column)
	list := make([]any, v.Len())
	for i := range list {
		list[i] = v.Index(i).Interface()
	}
	return list
}
