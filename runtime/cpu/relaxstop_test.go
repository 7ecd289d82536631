package cpu_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/runtime/cpu"
)

// broken is a program that the engine refuses to relax.
type broken struct {
	least
	combine pregel.Monoid[uint32]
	relaxes bool
	silent  bool
	sums    bool
}

func (broken) Name() string { return "broken" }
func (p broken) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: p.combine, Silent: p.silent}
}
func (p broken) Relaxes() bool { return p.relaxes }
func (p broken) Setup(s *pregel.Setup) error {
	if p.sums {
		pregel.NewAggregator(s, pregel.Sum[int64]())
	}
	return nil
}

// plain is least without a declaration.
type plain struct{ p least }

func (plain) Name() string                                  { return "plain" }
func (p plain) Spec() pregel.Spec[uint32]                   { return p.p.Spec() }
func (p plain) Init(v pregel.Vertex[uint32]) (uint32, bool) { return p.p.Init(v) }
func (p plain) Emit(v pregel.Vertex[uint32]) uint32         { return v.Value }
func (p plain) Apply(v pregel.Vertex[uint32], m uint32, got bool) (uint32, bool) {
	return p.p.Apply(v, m, got)
}

func TestRelaxedRefusals(t *testing.T) {
	g := randomGraph(t, newSeed(t), 10, 20, true, graph.Unweighted)
	minimum := pregel.Min[uint32]()
	relaxed := cpu.Options{Schedule: pregel.Relaxed, Workers: 2}
	strict, pull := relaxed, relaxed
	strict.Strict, pull.Direction = true, pregel.Pull
	const only = "schedule relaxed is for a program only if "
	for _, c := range []struct {
		options cpu.Options
		program pregel.EdgeProgram[uint32, uint32]
		want    string
	}{
		{relaxed, plain{}, "program plain: " + only + "it declares that its messages may come at any time (pregel.Relaxer); this one does not; allowed: auto or bsp"},
		{relaxed, broken{combine: minimum}, "program broken: " + only + "it declares that its messages may come at any time (pregel.Relaxer); this one does not; allowed: auto or bsp"},
		{relaxed, broken{combine: pregel.Sum[uint32](), relaxes: true}, "program broken: " + only + "its combiner is idempotent (min, max, or, any, or one of its own that says so); this one's is sum; allowed: auto or bsp"},
		{relaxed, broken{combine: minimum, relaxes: true, silent: true}, "program broken: " + only + "vertices without messages sleep; those of this one are Silent; allowed: auto or bsp"},
		{relaxed, broken{combine: minimum, relaxes: true, sums: true}, "program broken: " + only + "it has no aggregators; this one's would depend on the order of messages; allowed: auto or bsp"},
		{strict, least{}, "program cpu_test.least: schedule relaxed and determinism strict exclude each other, as strict runs use double buffers; allowed with strict: auto or bsp"},
		{pull, least{}, "program cpu_test.least: schedule relaxed and direction pull exclude each other, as what is relaxed is pushed; allowed with pull: auto or bsp"},
	} {
		r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(c.options)}, c.program)
		if err == nil || err.Error() != c.want || r.Stop.Reason != pregel.Failed {
			t.Errorf("%+v: %v, found\n%v\nwant\n%s", c.options, r.Stop.Reason, err, c.want)
		}
	}
}

type vertexProgram struct{}

func (vertexProgram) Name() string                                          { return "talk" }
func (vertexProgram) Init(pregel.Vertex[uint32]) (uint32, bool)             { return 0, true }
func (vertexProgram) Compute(c *pregel.Context[uint32, uint32], _ []uint32) { c.VoteToHalt() }

type collector struct{ least }

func (collector) Name() string                                                { return "collector" }
func (collector) ApplyAll(v pregel.Vertex[uint32], _ []uint32) (uint32, bool) { return v.Value, false }

// What is no combining edge program is refused; phases have no messages, and run.
func TestRelaxedOtherTasks(t *testing.T) {
	g := randomGraph(t, newSeed(t), 10, 20, true, graph.Unweighted)
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Schedule: pregel.Relaxed})}
	_, err := pregel.RunVertex(t.Context(), j, vertexProgram{})
	if err == nil || !strings.Contains(err.Error(), "program talk: schedule relaxed is for a program only if it is an edge program; this is a vertex program") {
		t.Error(err)
	}
	_, err = pregel.RunCollector(t.Context(), j, collector{})
	if err == nil || !strings.Contains(err.Error(), "program collector: schedule relaxed is for a program only if its messages are combined; this one collects them") {
		t.Error(err)
	}
	if stop, err := j.Phase(t.Context(), "phase", func(lo, hi uint32, w *pregel.Worker) {}); err != nil || stop.Reason != pregel.Halted {
		t.Error(stop, err)
	}
}

// grid is long enough for many rounds.
func grid(t *testing.T) *graph.Graph {
	t.Helper()
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 130, Cols: 130}, graphgen.Options{Weights: graphgen.HashWeights})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestRelaxedStops(t *testing.T) {
	g := grid(t)
	for _, workers := range []int{1, 3} {
		e := cpu.New(cpu.Options{Workers: workers, Schedule: pregel.Relaxed})
		whole := &pregel.Job{Graph: g, Engine: e}
		end, err := pregel.RunEdge(t.Context(), whole, shortest{})
		if err != nil || whole.Supersteps() < 3 {
			t.Fatalf("%v %v", end.Stop, err)
		}
		for k := 1; k < 3; k++ {
			limited := &pregel.Job{Graph: g, Engine: e, MaxSupersteps: k}
			early, err := pregel.RunEdge(t.Context(), limited, shortest{})
			if err != nil || early.Stop.Reason != pregel.MaxSupersteps || early.Stop.Supersteps != k {
				t.Errorf("%v %v", early.Stop, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancelled := &pregel.Job{Graph: g, Engine: e, Observe: func(r pregel.StepRecord) {
				if r.Superstep+1 == k {
					cancel()
				}
			}}
			stopped, err := pregel.RunEdge(ctx, cancelled, shortest{})
			if err != nil || stopped.Stop.Reason != pregel.Cancelled || stopped.Stop.Supersteps != k {
				t.Errorf("%v %v", stopped.Stop, err)
			}
			for v := range end.Values { // what is reached early is no nearer than the end
				if early.Values[v] < end.Values[v] || stopped.Values[v] < end.Values[v] {
					t.Fatalf("vertex %d is nearer before the end", v)
				}
			}
		}
	}
}

// trap fails in one of its functions at one vertex.
type trap struct {
	least
	at    uint32
	where string
}

func (trap) Name() string { return "trap" }
func (p trap) spring(where string, v uint32) {
	if p.where == where && v == p.at {
		panic("sprung in " + where)
	}
}
func (p trap) Relaxes() bool {
	p.spring("relaxes", p.at)
	return true
}
func (p trap) Spec() pregel.Spec[uint32] {
	if p.where != "edge" {
		return p.least.Spec()
	}
	m := pregel.Min[uint32]()
	return pregel.Spec[uint32]{Combine: m, Edge: pregel.EdgeFunc("trap", func(x uint32, u, _ uint32, _ float64) (uint32, bool) {
		p.spring("edge", u)
		return x, true
	})}
}
func (p trap) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	p.spring("init", v.ID)
	return p.least.Init(v)
}
func (p trap) Emit(v pregel.Vertex[uint32]) uint32 {
	p.spring("emit", v.ID)
	return v.Value
}
func (p trap) Apply(v pregel.Vertex[uint32], m uint32, got bool) (uint32, bool) {
	p.spring("apply", v.ID)
	return p.least.Apply(v, m, got)
}

func TestRelaxedFailures(t *testing.T) {
	g := grid(t)
	for _, workers := range []int{1, 3} {
		e := cpu.New(cpu.Options{Workers: workers, Schedule: pregel.Relaxed})
		for _, where := range []string{"init", "emit", "apply", "edge"} {
			_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, trap{at: 777, where: where})
			var at *pregel.VertexError
			if !errors.As(err, &at) || at.Program != "trap" || at.Vertex != 777 || at.Cause != "sprung in "+where {
				t.Fatalf("%s: %v", where, err)
			}
			if (at.Superstep < 0) != (where == "init") {
				t.Errorf("%s: %v", where, err)
			}
		}
		_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, trap{at: 777, where: "relaxes"})
		var whole *pregel.ProgramError
		if !errors.As(err, &whole) || whole.Program != "trap" || whole.Cause != "sprung in relaxes" {
			t.Errorf("relaxes: %v", err)
		}
		r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, least{}) // the engine is as new
		if err != nil || r.Values[g.N()-1] != 0 {
			t.Fatal(r.Stop, err)
		}
	}
}
