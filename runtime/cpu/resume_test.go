package cpu_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/bfs"
	"gopregel/programs/cdlp"
	"gopregel/programs/lcc"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// whispers is a vertex program with all that its state can hold: messages in
// several to a vertex, whose order counts, vertices that sleep and wake, an
// aggregator, a persistent one, and a variable that Barrier changes.
type whispers struct {
	heard, all *pregel.Aggregator[float64]
	turns      struct {
		Odd  bool
		Salt uint32
	}
}

type whisper struct {
	From uint32
	Word float32
}

func (*whispers) Name() string { return "whispers" }

func (p *whispers) Setup(s *pregel.Setup) error {
	p.heard = pregel.NewAggregator(s, pregel.Sum[float64]())
	p.all = pregel.NewPersistentAggregator(s, pregel.Sum[float64]())
	pregel.Keep(s, &p.turns)
	return nil
}

func (p *whispers) Barrier(s *pregel.Step) {
	p.turns.Odd = !p.turns.Odd
	p.turns.Salt = p.turns.Salt*1664525 + 1013904223
	s.Metric("heard", p.heard.Last(), 0)
	if s.Superstep == 12 {
		s.Halt()
	}
}

func (p *whispers) Init(v pregel.Vertex[[2]float64]) ([2]float64, bool) {
	return [2]float64{float64(v.ID), 1}, v.ID%3 == 0
}

func (p *whispers) Compute(c *pregel.Context[[2]float64, whisper], messages []whisper) {
	for _, m := range messages {
		c.Value[0] = c.Value[0]*0.75 + float64(m.Word)/float64(m.From+3)
	}
	c.Value[1] += p.heard.Last() * 1e-3
	p.heard.Add(c.Place, c.Value[0])
	p.all.Add(c.Place, c.Value[1])
	if p.turns.Odd || (c.ID^p.turns.Salt>>7)%3 == 0 {
		c.SendAll(whisper{c.ID, float32(c.Value[0]) + float32(p.all.Last())*1e-6})
		c.Send((c.ID*7+p.turns.Salt)%uint32(c.OutDegree+1), whisper{c.ID, 1})
	}
	if c.ID%5 != 0 {
		c.VoteToHalt()
	}
}

// Run makes it an algorithm.
func (p *whispers) Run(j *pregel.Job, t *testing.T) (*pregel.Answer, error) {
	r, err := pregel.RunVertex(t.Context(), j, p)
	if err != nil {
		return nil, err
	}
	a, b := make([]float64, len(r.Values)), make([]float64, len(r.Values))
	for v, x := range r.Values {
		a[v], b[v] = x[0], x[1]
	}
	return &pregel.Answer{Stop: r.Stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "a", Floats: a}, {Name: "b", Floats: b}}}}, nil
}

// A job that is interrupted at random barriers, and goes on each time with other
// workers and another direction, has the answer of one that is not, to the last bit.
func TestResumed(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	total := 0
	for _, c := range pregeltest.Graphs(seed) {
		if c.Graph.N() == 0 || (testing.Short() || race.On) && r.IntN(12) > 0 {
			continue
		}
		source := pregel.ID(c.Graph.IDs().Text(r.Uint32N(uint32(c.Graph.N()))))
		list := map[string]func() pregel.Algorithm{
			"bfs": func() pregel.Algorithm { return &bfs.BFS{Source: source} },
			"pagerank": func() pregel.Algorithm {
				return &pagerank.PageRank{Damping: 0.85, Iterations: 5, Precision: pagerank.Float64}
			},
			"tolerance": func() pregel.Algorithm {
				return &pagerank.PageRank{Damping: 0.5, Tolerance: 1e-4, Precision: pagerank.Float32}
			},
			"cdlp":     func() pregel.Algorithm { return &cdlp.CDLP{Iterations: 4} },
			"wcc":      func() pregel.Algorithm { return &wcc.WCC{Method: wcc.Propagate} },
			"scc":      func() pregel.Algorithm { return scc.New() },
			"mst":      func() pregel.Algorithm { return mst.New() },
			"afforest": func() pregel.Algorithm { return wcc.New() },
			"lcc":      func() pregel.Algorithm { return lcc.New() },
			"whispers": func() pregel.Algorithm {
				return algorithm(func(j *pregel.Job) (*pregel.Answer, error) { return new(whispers).Run(j, t) })
			},
		}
		if c.Graph.Weighted() == graph.Unweighted || c.Graph.WeightRange().Least >= 0 {
			list["delta-stepping"] = func() pregel.Algorithm { return &sssp.SSSP{Source: source, Method: sssp.DeltaStepping, Delta: 2} }
		}
		list["bellman-ford"] = func() pregel.Algorithm { return &sssp.SSSP{Source: source, Method: sssp.BellmanFord} }
		for name, make := range list {
			total += resumed(t, r, c.Name+", "+name, c.Graph, make)
		}
	}
	if total < 100 && !testing.Short() && !race.On {
		t.Errorf("only %d interruptions", total)
	}
	t.Logf("%d interruptions", total)
}

func resumed(t *testing.T, r *rand.Rand, name string, g *graph.Graph, algorithm func() pregel.Algorithm) int {
	t.Helper()
	job := func() (pregel.Algorithm, *pregel.Job) {
		o := cpu.Options{Workers: 1 + r.IntN(4), Direction: pregel.Direction(r.IntN(3)), Strict: true}
		return algorithm(), &pregel.Job{Graph: g, Engine: cpu.New(o)}
	}
	a, j := job()
	want, failed := a.Run(t.Context(), j)
	got, times, err := pregeltest.Interrupted(t.Context(), r, 1+r.IntN(4), job)
	switch {
	case failed != nil: // a negative cycle
		if err == nil || err.Error() != failed.Error() {
			t.Fatalf("%s: interrupted %d times it fails with %v, else with %v", name, times, err, failed)
		}
	case err != nil:
		t.Fatalf("%s: interrupted %d times: %v", name, times, err)
	case !reflect.DeepEqual(got.Table, want.Table) || got.Stop != want.Stop:
		t.Fatalf("%s: interrupted %d times it ends in %v, %v; else in %v, %v", name, times, got.Stop, got.Table, want.Stop, want.Table)
	}
	return times
}

// algorithm is a function that runs a program of the test's own.
type algorithm func(j *pregel.Job) (*pregel.Answer, error)

func (f algorithm) Run(_ context.Context, j *pregel.Job) (*pregel.Answer, error) { return f(j) }

// resumedRelaxed is a run in place that is interrupted between rounds.
func resumedRelaxed[V, M any](p pregel.EdgeProgram[V, M]) func(t *testing.T, r *rand.Rand, name string, g *graph.Graph) int {
	return func(t *testing.T, r *rand.Rand, name string, g *graph.Graph) int {
		var last pregel.Result[V]
		job := func() (pregel.Algorithm, *pregel.Job) {
			run := algorithm(func(j *pregel.Job) (_ *pregel.Answer, err error) {
				last, err = pregel.RunEdge(t.Context(), j, p)
				return nil, err
			})
			return run, &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1 + r.IntN(4), Schedule: pregel.Relaxed})}
		}
		_, times, err := pregeltest.Interrupted(t.Context(), r, 2, job)
		if err != nil || last.Stop.Reason != pregel.Halted {
			t.Fatalf("%s: interrupted %d times: %v, %v", name, times, last.Stop, err)
		}
		for v, want := range pregeltest.Reference(g, p, nil, 0).Values {
			if !reflect.DeepEqual(last.Values[v], want) {
				t.Fatalf("%s: interrupted %d times vertex %d has %v, want %v", name, times, v, last.Values[v], want)
			}
		}
		return times
	}
}

func TestResumedRelaxed(t *testing.T) {
	greater := pregel.Combine("greater", 0, func(a, b uint32) uint32 { return max(a, b) })
	greater.Idempotent = true
	programs := map[string]func(*testing.T, *rand.Rand, string, *graph.Graph) int{
		"least of in":    resumedRelaxed[uint32, uint32](least{pregel.InEdges}),
		"least of both":  resumedRelaxed[uint32, uint32](least{pregel.BothEdges}),
		"widest":         resumedRelaxed[float64, float64](widest{}),
		"widest first":   resumedRelaxed[float64, float64](widestFirst{most: 256, step: 3}),
		"nearest first":  resumedRelaxed[float64, float64](nearestFirst{step: 2}),
		"far priorities": resumedRelaxed[float64, float64](nearestFirst{step: 1e-4}),
		"sources":        resumedRelaxed[uint32, uint32](sources{5}),
		"structs":        resumedRelaxed[leg, leg](route{}),
		"any of slices":  resumedRelaxed[bool, []byte](touched{}),
		"settled":        resumedRelaxed[uint32, uint32](settling{sources{3}}),
		"words":          resumedRelaxed[bool, uint32](told[uint32]{greater, 0}),
		"lengths":        resumedRelaxed[uint32, uint32](roads{pregel.BothEdges}),
		"closed arcs":    resumedRelaxed[float64, float64](detours{nearestFirst{step: 2}}),
		"products":       resumedRelaxed[uint64, uint64](spreading{}),
	}
	r := newSeed(t)
	total := 0
	for name, g := range relaxGraphs(t, r) {
		for program, check := range programs {
			if g.N() > 0 && (!testing.Short() || r.IntN(12) == 0) {
				total += check(t, r, name+", "+program, g)
			}
		}
	}
	if total < 50 && !testing.Short() {
		t.Errorf("only %d interruptions", total)
	}
	t.Logf("%d interruptions", total)
}

// Delta-stepping that lowers distances in place goes on from any of its supersteps,
// and from the second of its runs, where distances do not fit 32 bits.
func TestResumedInPlace(t *testing.T) {
	r := newSeed(t)
	total, most := 0, 20
	if testing.Short() {
		most = 1
	}
	for range most {
		if total += interruptedInPlace(t, r); total >= 50 {
			break
		}
	}
	if total < 50 && !testing.Short() {
		t.Errorf("only %d interruptions", total)
	}
	t.Logf("%d interruptions", total)
}

// interruptedInPlace interrupts a run on each graph, and returns how often.
func interruptedInPlace(t *testing.T, r *rand.Rand) (total int) {
	t.Helper()
	for name, g := range relaxGraphs(t, r) {
		if g.N() == 0 || testing.Short() && r.IntN(6) > 0 {
			continue
		}
		if r.IntN(3) == 0 && g.Weighted() == graph.Int32 {
			g = g.WithWeights(func(u, v uint32) int32 { return 1<<30 - int32((u^v)%1024) })
		}
		source := pregel.ID(g.IDs().Text(r.Uint32N(uint32(g.N()))))
		delta := float64(r.IntN(3)) * 1.5
		job := func() (pregel.Algorithm, *pregel.Job) {
			return &sssp.SSSP{Source: source, Method: sssp.DeltaStepping, Delta: delta}, &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1 + r.IntN(4)})}
		}
		a, j := job()
		want, err := a.Run(t.Context(), j)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got, times, err := pregeltest.Interrupted(t.Context(), r, 1+r.IntN(5), job)
		if err != nil || !reflect.DeepEqual(got.Table, want.Table) {
			t.Fatalf("%s: interrupted %d times: another answer, %v", name, times, err)
		}
		total += times
	}
	return total
}
