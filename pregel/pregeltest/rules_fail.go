package pregeltest

import (
	"errors"
	"fmt"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

var errFault = errors.New("deliberate fault")

// A fault is a place of a program that panics, in one superstep, for some
// vertices.
type fault struct {
	where     string
	superstep int // -1: Init
	at        func(v uint32) bool
}

func (f fault) strike(where string, superstep int, v uint32) {
	if f.where == where && f.superstep == superstep && f.at(v) {
		panic(errFault)
	}
}

// faulty is an edge program with a fault. Everything it handles says which
// vertex and superstep it belongs to: that of Emit or Apply, -1 of Init.
type faulty struct {
	fault
	along pregel.Along
	few   bool // few vertices are awake
}

type stamp struct {
	Superstep int
	Vertex    uint32
}

func (faulty) Name() string { return "faulty" }

// Spec tells the combiner, by the edge function, to whom messages go.
func (p faulty) Spec() pregel.Spec[stamp] {
	first := func(a, b stamp) stamp {
		p.strike("Combine", b.Superstep, b.Vertex)
		return stamp{max(a.Superstep, b.Superstep), max(a.Vertex, b.Vertex)}
	}
	send := func(offer stamp, _, v uint32, _ float64) (stamp, bool) {
		p.strike("EdgeFunc", offer.Superstep, v)
		return stamp{offer.Superstep, v}, true
	}
	p.strike("Spec", -1, 0)
	return pregel.Spec[stamp]{Combine: pregel.Combine("last", stamp{}, first), Edge: pregel.EdgeFunc("stamp", send),
		Along: p.along, Silent: true}
}

func (p faulty) Init(v pregel.Vertex[stamp]) (stamp, bool) {
	p.strike("Init", int(v.Superstep), v.ID)
	return stamp{int(v.Superstep), v.ID}, !p.few || v.ID%50 == 3
}

func (p faulty) Emit(v pregel.Vertex[stamp]) stamp {
	p.strike("Emit", int(v.Superstep), v.ID)
	return stamp{int(v.Superstep), v.ID}
}

func (p faulty) Apply(v pregel.Vertex[stamp], _ stamp, _ bool) (stamp, bool) {
	p.strike("Apply", int(v.Superstep), v.ID)
	return stamp{int(v.Superstep), v.ID}, v.Superstep < 9
}

// Settled and Priority are asked of values, in the superstep that made them.
func (p faulty) Settled(s stamp) bool {
	p.strike("Settled", s.Superstep, s.Vertex)
	return false
}

func (p faulty) Priority(s stamp) uint64 {
	p.strike("Priority", s.Superstep, s.Vertex)
	return 0
}

func (p faulty) Setup(s *pregel.Setup) error {
	if p.where == "Setup error" {
		return errFault
	}
	p.strike("Setup", -1, 0)
	pregel.NewAggregator(s, pregel.Combine("faulty", 0, func(a, b int) int {
		p.strike("aggregator", p.superstep, 0)
		return a + b
	}))
	return nil
}

func (p faulty) Barrier(s *pregel.Step) {
	if p.where == "Fail" && s.Superstep == p.superstep {
		s.Fail(errFault)
	}
	p.strike("Barrier", s.Superstep, 0)
}

// pushable is faulty with messages that can be pushed.
type pushable struct{ faulty }

func (p pushable) Spec() pregel.Spec[int64] {
	return pregel.Spec[int64]{Combine: pregel.Sum[int64](), Along: p.along}
}

func (p pushable) Emit(v pregel.Vertex[stamp]) int64 { return int64(p.faulty.Emit(v).Superstep) }
func (p pushable) Apply(v pregel.Vertex[stamp], _ int64, got bool) (stamp, bool) {
	return p.faulty.Apply(v, stamp{}, got)
}

// collected is faulty as a collector.
type collected struct{ faulty }

func (p collected) ApplyAll(v pregel.Vertex[stamp], _ []stamp) (stamp, bool) {
	return p.faulty.Apply(v, stamp{}, true)
}

// fails runs a program that is to fail, and afterwards, on the same engine, one
// that does not.
func fails(e *env, g *graph.Graph, f fault, run func(j *pregel.Job) (int, pregel.Stop, error)) error {
	e.Helper()
	values, stop, err := run(e.job(g))
	what := fmt.Sprintf("fault in %s, superstep %d: %v", f.where, f.superstep, stop)
	if stop.Reason != pregel.Failed || !errors.Is(err, errFault) || !errors.Is(stop.Err, errFault) {
		e.Fatalf("%s; want failed, with the fault as its cause", what)
	}
	if values != g.N() {
		e.Errorf("%s: %d values are left of %d", what, values, g.N())
	}
	if !strings.Contains(err.Error(), "faulty") {
		e.Errorf("%s: the program is not named", what)
	}
	r, err2 := pregel.RunVertex(e.Context(), e.job(g), countdown{})
	if err2 != nil || r.Stop.Reason != pregel.Halted {
		e.Errorf("%s; the next run on the same engine: %v", what, r.Stop)
	}
	wave := runEdge(e, g, settlingWave{})
	if wave.Stop.Reason != pregel.Halted || wave.Values[7] != 0 {
		e.Errorf("%s; the next run on the same engine: %v", what, wave.Stop)
	}
	return err
}

func failsEdge[M any](e *env, g *graph.Graph, f fault, p sender[stamp, M]) error {
	e.Helper()
	return fails(e, g, f, func(j *pregel.Job) (int, pregel.Stop, error) {
		r, err := start(e.Context(), j, p)
		return len(r.Values), r.Stop, err
	})
}

// wantPlace wants an error to name superstep and vertex, in fields and text.
func wantPlace(e *env, f fault, err error, isAt func(v uint32) bool) {
	e.Helper()
	var at *pregel.VertexError
	if !errors.As(err, &at) {
		e.Fatalf("fault in %s: error %T is no VertexError: %v", f.where, err, err)
	}
	id := fmt.Sprint(10*uint64(at.Vertex) + 7)
	if at.Program != "faulty" || at.Superstep != f.superstep || at.ID != id || !isAt(at.Vertex) {
		e.Errorf("fault in %s, superstep %d: named program %q, superstep %d, vertex %d, id %q", f.where, f.superstep,
			at.Program, at.Superstep, at.Vertex, at.ID)
	}
	step := fmt.Sprintf("superstep %d", f.superstep)
	if f.superstep < 0 {
		step = "Init"
	}
	for _, part := range []string{step, "vertex " + id, errFault.Error()} {
		if !strings.Contains(err.Error(), part) {
			e.Errorf("fault in %s: message does not say %q: %v", f.where, part, err)
		}
	}
	if !strings.Contains(at.Stack, "strike") {
		e.Errorf("fault in %s: the stack does not show where: %s", f.where, at.Stack)
	}
}

func failureGraph(s *suite) *graph.Graph {
	r := newRand(s.seed)
	l := randomArcs(r, 3000, 6000)
	for v := range l.n - 1 {
		l.add(v, v+1) // everybody gets a message
	}
	l.add(l.n-1, 0)
	return l.random(form{directed: true}, r)
}

// failuresNameTheirPlace has one vertex fail, wherever user code runs.
func failuresNameTheirPlace(s *suite) {
	g := failureGraph(s)
	victim := uint32(s.seed % 3000)
	isVictim := func(v uint32) bool { return v == victim }
	always := func(uint32) bool { return true }
	s.each(func(e *env) {
		for _, where := range []string{"Init", "Emit", "Apply", "Combine", "EdgeFunc", "Settled", "Priority"} {
			f := fault{where, 2, isVictim}
			if where == "Init" {
				f.superstep = -1
			}
			along := directions()[e.rand.IntN(3)]
			wantPlace(e, f, failsEdge(e, g, f, faulty{fault: f, along: along}), isVictim)
			if where != "Combine" && where != "EdgeFunc" {
				wantPlace(e, f, failsEdge(e, g, f, pushable{faulty{fault: f, along: along}}), isVictim)
			}
			if where != "Combine" {
				wantPlace(e, f, failsEdge(e, g, f, collected{faulty{fault: f, along: along}}), isVictim)
			}
		}
		for _, f := range []fault{{"Setup", -1, always}, {"Setup error", -1, always}, {"Spec", -1, always}} {
			failsEdge(e, g, f, faulty{fault: f})
		}
		for _, f := range []fault{{"Barrier", 2, always}, {"Fail", 2, always}, {"Barrier", -1, always}, {"Fail", -1, always}, {"aggregator", 0, always}} {
			err := failsEdge(e, g, f, faulty{fault: f})
			if f.superstep > 0 && !strings.Contains(err.Error(), "superstep 2") {
				e.Errorf("fault in %s: message does not name superstep 2: %v", f.where, err)
			}
		}
	})
}

// leastFailure has many vertices fail at once. When few vertices are awake an
// engine may list them in any order, and name any.
func leastFailure(s *suite) {
	g := failureGraph(s)
	least := 1 + uint32(s.seed%100)
	many := func(v uint32) bool { return v >= least && v%4 == least%4 }
	isLeast := func(v uint32) bool { return v == least }
	s.each(func(e *env) {
		for range 3 {
			for _, where := range []string{"Init", "Emit", "Apply", "Combine", "EdgeFunc", "Settled"} {
				f := fault{where, 1, many}
				if where == "Init" {
					f.superstep = -1
				}
				wantPlace(e, f, failsEdge(e, g, f, faulty{fault: f}), isLeast)
				if where == "Emit" || where == "Apply" {
					wantPlace(e, f, failsEdge(e, g, f, pushable{faulty{fault: f}}), isLeast)
					wantPlace(e, f, failsEdge(e, g, f, pushable{faulty{fault: f, few: true}}), many)
				}
			}
		}
	})
}

// faultyVertex is a vertex program with a fault.
type faultyVertex struct{ fault }

func (faultyVertex) Name() string { return "faulty" }

func (p faultyVertex) Init(v pregel.Vertex[stamp]) (stamp, bool) {
	p.strike("Init", int(v.Superstep), v.ID)
	return stamp{}, true
}

func (p faultyVertex) Compute(c *pregel.Context[stamp, stamp], _ []stamp) {
	p.strike("Compute", int(c.Superstep), c.ID)
	if p.superstep == int(c.Superstep) && p.at(c.ID) {
		switch p.where {
		case "Fail":
			c.Fail(p.failure())
		case "Send":
			c.Send(uint32(c.OutDegree)+1<<31, stamp{})
		}
	}
	c.SendAll(stamp{int(c.Superstep) + 1, c.ID})
	c.Send(c.ID, stamp{int(c.Superstep) + 1, c.ID})
	if c.Superstep > 5 {
		c.VoteToHalt()
	}
}

func (faultyVertex) failure() error { return fmt.Errorf("strike: %w", errFault) }

func (p faultyVertex) Setup(s *pregel.Setup) error { return faulty{fault: p.fault}.Setup(s) }
func (p faultyVertex) Barrier(s *pregel.Step)      { faulty{fault: p.fault}.Barrier(s) }

// combiningFaulty combines its messages, and may fail there.
type combiningFaulty struct{ faultyVertex }

func (p combiningFaulty) Combine() pregel.Monoid[stamp] {
	p.strike("Combine()", -1, 0)
	return pregel.Combine("last", stamp{}, func(a, b stamp) stamp {
		p.strike("Combine", max(a.Superstep, b.Superstep), 0)
		return stamp{max(a.Superstep, b.Superstep), b.Vertex}
	})
}

func failsVertex(e *env, g *graph.Graph, f fault, p pregel.VertexProgram[stamp, stamp]) error {
	e.Helper()
	return fails(e, g, f, func(j *pregel.Job) (int, pregel.Stop, error) {
		r, err := pregel.RunVertex(e.Context(), j, p)
		return len(r.Values), r.Stop, err
	})
}

func vertexFailures(s *suite) {
	g := failureGraph(s)
	least := 1 + uint32(s.seed%100)
	many := func(v uint32) bool { return v >= least && v%4 == least%4 }
	isLeast := func(v uint32) bool { return v == least }
	always := func(uint32) bool { return true }
	s.each(func(e *env) {
		for _, f := range []fault{{"Init", -1, many}, {"Compute", 0, many}, {"Compute", 2, many}} {
			wantPlace(e, f, failsVertex(e, g, f, faultyVertex{f}), isLeast)
		}
		f := fault{"Combine", 2, always}
		wantPlace(e, f, failsVertex(e, g, f, combiningFaulty{faultyVertex{f}}), func(v uint32) bool { return v == 0 })
		f = fault{"Fail", 1, many}
		err := failsVertex(e, g, f, faultyVertex{f})
		wantVertex(e, f, err, least, errFault.Error())
		for _, f := range []fault{{"Setup", -1, always}, {"Setup error", -1, always}, {"Barrier", 2, always}, {"Barrier", -1, always}, {"aggregator", 0, always}} {
			failsVertex(e, g, f, faultyVertex{f})
		}
		f = fault{"Combine()", -1, always}
		failsVertex(e, g, f, combiningFaulty{faultyVertex{f}})

		f = fault{"Send", 1, many}
		r, err := pregel.RunVertex(e.Context(), e.job(g), faultyVertex{f})
		if r.Stop.Reason != pregel.Failed || r.Stop.Supersteps != 1 || len(r.Values) != g.N() {
			e.Errorf("message to a vertex that does not exist: %v, %d values", r.Stop, len(r.Values))
		}
		wantVertex(e, f, err, least, "3000 vertices")
	})
}

func wantVertex(e *env, f fault, err error, v uint32, text string) {
	e.Helper()
	var at *pregel.VertexError
	if !errors.As(err, &at) || at.Vertex != v || at.Superstep != f.superstep || !strings.Contains(err.Error(), text) {
		e.Errorf("fault in %s of vertex %d, superstep %d: %v", f.where, v, f.superstep, err)
	}
}
