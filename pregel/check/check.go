package check

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// An Engine is one that the program is to run on, with a name.
type Engine struct {
	Name string
	pregel.Engine
	// Loose engines do not promise the order of messages: floats that are added up
	// may differ in their last bits, and what any keeps is not compared.
	Loose bool
	// Relaxed engines are for programs that declare that they may be relaxed.
	Relaxed bool
}

// Options say how much is tried.
type Options struct {
	Seed   uint64
	Graphs int // random graphs; 0: 100
	// Supersteps is how many a run may take: it is then said not to end. 0: 5000.
	Supersteps int
	Engines    []Engine
}

// Program checks a program. The error is that of the context.
func Program(ctx context.Context, s Subject, o Options) (*Report, error) {
	if o.Graphs == 0 {
		o.Graphs = 100
	}
	if o.Supersteps == 0 {
		o.Supersteps = 5000
	}
	x := &exam{ctx: ctx, subject: s, options: o, found: map[string]Finding{}, none: absent(s), tried: map[string]bool{}}
	report := &Report{Program: s.Name, Seed: o.Seed, Graphs: o.Graphs}
	for i := range o.Graphs {
		sk := newSketch(rand.New(rand.NewPCG(o.Seed, uint64(i))))
		x.seed = 2 + o.Seed>>1 + uint64(i)
		x.graph(sk)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if x.endless {
			report.Graphs = i + 1 // the others would take as long
			break
		}
	}
	if x.refused == report.Graphs {
		x.found[runs] = Finding{Law: runs, Text: fmt.Sprintf("it refused all %d graphs; the last: %v", o.Graphs, x.refusal)}
	}
	report.Refused = x.refused
	for _, l := range Laws() {
		report.Laws = append(report.Laws, x.verdict(l))
	}
	return report, nil
}

// An exam is a check under way.
type exam struct {
	ctx     context.Context
	subject Subject
	options Options
	seed    uint64
	found   map[string]Finding // by law
	none    map[string]string  // laws of which there is nothing to check, and why
	tried   map[string]bool    // combiners, by program
	lawless []string           // laws that a combiner of messages breaks
	refused int
	refusal error
	endless bool // a run has not ended
	ended   bool // one has
	work    int  // vertices and arcs looked at for the counter-example under way
}

// graph examines the program on one graph, and makes the graphs of what it finds
// smaller.
func (x *exam) graph(sk sketch) {
	known := func(f Finding) bool {
		old, ok := x.found[f.Law]
		return ok && (old.Follows == "" || f.Follows != "")
	}
	findings, refusal := x.look(sk, nil)
	if refusal != nil {
		x.refused, x.refusal = x.refused+1, refusal
		return
	}
	for _, f := range findings {
		if known(f) || x.ctx.Err() != nil {
			continue
		}
		if f.Graph == "" && f.Superstep == nil && f.Vertex == nil && isCombiner(f.Law) {
			x.found[f.Law] = f
			continue
		}
		law, follows := f.Law, f.Follows
		x.work = 0
		small := sk.shrink(func(t sketch) bool {
			if x.work > enough {
				return false
			}
			list, _ := x.look(t, &law)
			i := slices.IndexFunc(list, func(g Finding) bool { return g.Law == law && g.Follows == follows })
			if i >= 0 {
				f = list[i]
			}
			return i >= 0
		})
		f.Graph = small.String()
		x.found[law] = f
	}
}

// enough is how many vertices and arcs are looked at to make a graph smaller. It is
// no time, so that a seed always finds the same.
const enough = 4e5

func isCombiner(law string) bool {
	return law == many || slices.ContainsFunc(equations(), func(e equation) bool { return e.law == law })
}

// look examines one graph: for all laws, or for one of them. A graph that the
// program refuses, without a panic, is no counter-example.
func (x *exam) look(sk sketch, law *string) (list []Finding, refusal error) {
	g := sk.build()
	if x.subject.Device {
		x.ended = true
		return x.engines(g, nil), nil
	}
	base := x.run(g, manner{name: "plain", only: -1, audit: true})
	list = base.findings
	if base.err != nil {
		var at *pregel.VertexError
		if !errors.As(base.err, &at) {
			return list, base.err
		}
		return append(list, Finding{Law: runs, Program: at.Program, Superstep: intp(at.Superstep), Vertex: intp(int(at.Vertex)), Text: fmt.Sprintf("it fails: %v", at.Cause)}), nil
	}
	if base.steps >= x.options.Supersteps {
		x.endless = true
		x.present(base)
		return append(list, Finding{Law: runs, Text: fmt.Sprintf("it has not ended after %d supersteps", base.steps)}), nil
	}
	x.present(base)
	x.ended = true
	if law == nil {
		list = append(list, x.combiners(base)...)
	}
	for _, e := range examinations() {
		if law == nil || slices.Contains(e.laws, *law) {
			list = append(list, e.look(x, g, base)...)
		}
	}
	return list, nil
}

// run interprets the program in a manner.
func (x *exam) run(g *graph.Graph, m manner) *record {
	e := newInterpreter(m)
	j := &pregel.Job{Graph: g, Engine: e, MaxSupersteps: x.options.Supersteps}
	if x.subject.Limit > 0 && x.subject.Limit < x.options.Supersteps {
		j.MaxSupersteps = x.subject.Limit
	}
	e.seen.err = guard(func() (err error) {
		e.seen.answer, err = x.subject.Run(x.ctx, j)
		return err
	})
	x.work += e.seen.steps * (g.N() + int(g.Arcs()))
	return e.seen
}

// guard makes an error of a panic outside of the functions of programs.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &pregel.VertexError{Program: "the algorithm", Cause: r}
		}
	}()
	return f()
}

// combiners looks at combiners not seen before.
func (x *exam) combiners(r *record) (list []Finding) {
	for _, c := range r.laws {
		key := fmt.Sprint(c.program, "/", c.of, "/", c.Name, "/", c.Type)
		sent := r.messages[c.program]
		if x.tried[key] {
			continue
		}
		x.tried[key] = true
		if c.of != "messages" {
			sent = nil
		}
		found := combiner(c, sent, x.seed)
		for _, f := range found {
			if c.of == "messages" && !slices.Contains(x.lawless, f.Law) {
				x.lawless = append(x.lawless, f.Law)
			}
		}
		list = append(list, found...)
	}
	return list
}
