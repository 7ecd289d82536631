package cpu_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
)

// flow passes shares of what vertices hold on. What it makes of them depends on all
// that a call is told.
type flow struct {
	silent    bool
	local     bool
	failEmit  uint32 // the vertex at which Emit fails; None: at none
	failApply uint32
	failAt    int32 // superstep
	held      *pregel.Aggregator[float64]
	steps     int
}

func (p *flow) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Sum[float64](), Silent: p.silent, Local: p.local}
}

func (p *flow) Setup(s *pregel.Setup) error {
	p.held = pregel.NewAggregator(s, pregel.Sum[float64]())
	return nil
}

func (*flow) Init(v pregel.Vertex[float64]) (float64, bool) { return 1 / float64(v.ID+1), true }

func (p *flow) Emit(v pregel.Vertex[float64]) float64 {
	if v.ID == p.failEmit && v.Superstep == p.failAt {
		panic("emit")
	}
	return v.Value / float64(v.OutDegree+1)
}

func (p *flow) Apply(v pregel.Vertex[float64], sum float64, got bool) (float64, bool) {
	x, awake := p.next(v, sum, got)
	p.held.Add(v.Place, x)
	return x, awake
}

func (p *flow) next(v pregel.Vertex[float64], sum float64, got bool) (float64, bool) {
	if v.ID == p.failApply && v.Superstep == p.failAt {
		panic("apply")
	}
	x := 0.7*sum + v.Value/3 + float64(v.Superstep) + p.held.Last()/1e6
	if !got {
		x++
	}
	if p.silent {
		return x, v.Superstep != 4 || v.ID%7 != 0 || v.ID/64%3 == 0
	}
	return x, v.Superstep < 6
}

func (p *flow) Barrier(s *pregel.Step) {
	if s.Superstep+1 == p.steps {
		s.Halt()
	}
}

// blocks is flow, a block in one call.
type blocks struct {
	flow
	calls *atomic.Int64
	only  uint32 // fails in blocks alone, in those that end there
	first uint32 // of the blocks that did
}

func (p *blocks) EmitBlock(b *pregel.Block[float64], offers []float64) {
	p.calls.Add(1)
	for i, x := range b.Values {
		offers[i] = p.Emit(pregel.Vertex[float64]{Place: b.Place(i), Value: x})
	}
}

func (p *blocks) ApplyBlock(b *pregel.Block[float64], sums []float64, awake []uint64) {
	p.calls.Add(1)
	for k := range awake {
		lo, hi := k*pregel.BlockSize, min((k+1)*pregel.BlockSize, len(sums))
		if hi-lo < pregel.BlockSize {
			awake[k] = ^uint64(0) // there are no vertices of the last bits
		}
		p.applyBlock(b, sums, lo, hi, &awake[k])
	}
	if b.First.ID+uint32(len(sums)) == p.only && b.First.Superstep == p.failAt {
		p.first = b.First.ID
		panic("block")
	}
}

// applyBlock is ApplyBlock for one of its blocks.
func (p *blocks) applyBlock(b *pregel.Block[float64], sums []float64, lo, hi int, awake *uint64) {
	var held [4]float64
	for i := lo; i < hi; i++ {
		x, up := p.next(pregel.Vertex[float64]{Place: b.Place(i), Value: b.Values[i]}, sums[i], b.Got(i))
		if b.Values[i] = x; up {
			*awake |= 1 << (i - lo)
		} else {
			*awake &^= 1 << (i - lo)
		}
		held[i%4] += x
	}
	p.held.AddBlock(b.Place(lo), (held[0]+held[1])+(held[2]+held[3]))
}

func TestBlocks(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	cases := pregeltest.Graphs(seed)
	for _, spec := range []graphgen.Spec{
		{Kind: "grid", Rows: 50, Cols: 41},
		{Kind: "kronecker", Scale: 11, EdgeFactor: 4, Seed: seed},
		{Kind: "uniform", N: 3001, EdgeFactor: 3, Seed: seed},
		{Kind: "star", N: 140_000}, // its hub is gathered in parts
	} {
		for _, directed := range []bool{false, true} {
			if race.On && directed && spec.Kind == "star" {
				continue // it has the same hub, or none
			}
			g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed})
			if err != nil {
				t.Fatal(err)
			}
			cases = append(cases, pregeltest.Case{Name: fmt.Sprintf("%s, directed %v", spec.Kind, directed), Graph: g})
		}
	}
	var calls atomic.Int64
	for _, c := range cases {
		for _, silent := range []bool{true, false} {
			f := flow{silent: silent, failEmit: graph.None, failApply: graph.None, steps: 9}
			if race.On && c.Graph.N() > 100_000 {
				f.steps = 3
			}
			want, _ := pull(t, c.Graph, &f, 1)
			for _, workers := range race.Workers(1, 2, 3) {
				for _, f.local = range []bool{false, true} {
					got, stop := pull(t, c.Graph, &blocks{flow: f, calls: &calls}, workers)
					if stop.Err != nil || !slices.Equal(got, want) {
						t.Fatalf("%s, silent %v, local %v, %d workers: %v; values differ: %v", c.Name, silent, f.local, workers, stop, !slices.Equal(got, want))
					}
				}
				got, stop := pull(t, c.Graph, &f, workers)
				if stop.Err != nil || !slices.Equal(got, want) {
					t.Fatalf("%s, silent %v, local, one by one, %d workers: %v; values differ: %v", c.Name, silent, workers, stop, !slices.Equal(got, want))
				}
			}
		}
	}
	if calls.Load() < 1000 {
		t.Errorf("%d calls for blocks", calls.Load())
	}
}

func pull(t *testing.T, g *graph.Graph, p pregel.EdgeProgram[float64, float64], workers int) ([]float64, pregel.Stop) {
	t.Helper()
	r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Pull})}, p)
	if err != nil && r.Stop.Reason != pregel.Failed {
		t.Fatal(err)
	}
	return r.Values, r.Stop
}

// A hub is gathered in parts, and its block vertex by vertex; the rest goes on as in
// other graphs.
func TestHub(t *testing.T) {
	const n = 140_000
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), hubbed(rand.New(rand.NewPCG(rand.Uint64(), 2)), n), graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var first []float64
	for _, workers := range race.Workers(1, 2, 3) {
		p := pagerank.New().(*pagerank.PageRank)
		if p.Iterations = 8; race.On {
			p.Iterations = 3
		}
		answer, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Pull})})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Certify(t.Context(), g, &answer.Table); err != nil {
			t.Fatalf("%d workers: %v", workers, err)
		}
		ranks := answer.Table.Columns[0].Floats
		if first == nil {
			first = ranks
		}
		if !slices.Equal(ranks, first) {
			t.Errorf("%d workers: other ranks than by one", workers)
		}
	}
}

// hubbed joins vertex 70 to almost all others, and these at random.
func hubbed(r *rand.Rand, n uint32) (list graph.ArcList) {
	for v := range n {
		if v != 70 && v%64 != 1 {
			list.List = append(list.List, graph.Arc{U: 70, V: v})
		}
		list.List = append(list.List, graph.Arc{U: v, V: r.Uint32N(n)})
	}
	return list
}

// A failure in blocks names its vertex; one that their calls for single vertices do
// not have, the first of those of the call. In the directed grid one vertex has no message, so
// that blocks of a program that is not silent are applied one by one, in superstep 0: then it
// sleeps.
func TestBlocksFail(t *testing.T) {
	for _, silent := range []bool{true, false} {
		directed := !silent
		g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 70, Cols: 70}, graphgen.Options{Directed: &directed})
		if err != nil {
			t.Fatal(err)
		}
		none, n := uint32(graph.None), uint32(g.N())
		only, failAt := n, int32(2)
		if directed {
			only, failAt = 16*pregel.BlockSize, 0
		}
		for _, c := range []failing{
			{"emit", 77, none, 0},
			{"apply", none, n - 1, 0},
			{"apply", none, 64, 0},
			{"apply", none, 1999, 0},
			{"block", none, none, only},
		} {
			f := flow{silent: silent, failEmit: c.emit, failApply: c.apply, failAt: failAt, steps: 9}
			for workers := 1; workers <= 2; workers++ {
				f.local = false
				c.fail(t, g, f, workers)
				f.local = true
				c.fail(t, g, f, workers)
			}
		}
	}
}

// failing is what fails where.
type failing struct {
	cause             string
	emit, apply, only uint32
}

func (c failing) fail(t *testing.T, g *graph.Graph, f flow, workers int) {
	t.Helper()
	var calls atomic.Int64
	p := &blocks{flow: f, calls: &calls, only: c.only}
	got, stop := pull(t, g, p, workers)
	at := min(c.emit, c.apply)
	if c.only != 0 {
		at = p.first
	}
	var failed *pregel.VertexError
	if !errors.As(stop.Err, &failed) || failed.Vertex != at || failed.Cause != c.cause || failed.Superstep != int(f.failAt) || calls.Load() == 0 {
		t.Errorf("%+v, %+v, %d workers: %v", c, f, workers, stop.Err)
	}
	f.steps = int(f.failAt) + 1
	if want, _ := pull(t, g, &f, 1); c.only != 0 && !slices.Equal(got[at:c.only], want[at:c.only]) {
		t.Errorf("%+v, %d workers: the blocks that failed, from %d on, were applied twice", f, workers, at)
	}
}

// Blocks of whom some sleep anew have as many arcs to send along as their vertices by
// themselves, which is what directions are chosen by.
func TestBlocksSteer(t *testing.T) {
	seed := rand.Uint64()
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "uniform", N: 5000, EdgeFactor: 3, Seed: seed}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := flow{silent: true, failEmit: graph.None, failApply: graph.None, steps: 9}
	type step struct{ awake, sent, next uint64 }
	steps := func(p pregel.EdgeProgram[float64, float64]) (list []step) {
		t.Helper()
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Direction: pregel.Pull}), Detail: func(s *pregel.StepRecord) {
			list = append(list, step{s.Awake, *s.Detail.Sent, s.Next})
		}}
		if _, err := pregel.RunEdge(t.Context(), j, p); err != nil {
			t.Fatal(err)
		}
		return list
	}
	var calls atomic.Int64
	got, want := steps(&blocks{flow: f, calls: &calls}), steps(&f)
	if !slices.Equal(got, want) || calls.Load() == 0 {
		t.Errorf("seed %d, %d calls: steps %+v, want %+v", seed, calls.Load(), got, want)
	}
}

// emitted is flow, whose vertices doze in some supersteps and which counts its offers.
type emitted struct {
	flow
	dozes  bool
	offers atomic.Int64
}

func (p *emitted) Emit(v pregel.Vertex[float64]) float64 {
	p.offers.Add(1)
	return p.flow.Emit(v)
}

func (p *emitted) Apply(v pregel.Vertex[float64], sum float64, got bool) (float64, bool) {
	x, _ := p.flow.Apply(v, sum, got)
	return x, !p.dozes || v.Superstep%3 == 0 || v.ID%5 != 0
}

// Offers of a program that allows it are made one superstep ahead, once each; where some
// doze anew, of those awake. Of failures ahead nobody hears if the run ends before.
func TestOffersAhead(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 60, Cols: 50}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := func(p *emitted, workers int) ([]float64, int64) {
		t.Helper()
		values, stop := pull(t, g, p, workers)
		if stop.Err != nil {
			t.Fatalf("%d workers: %v", workers, stop.Err)
		}
		return values, p.offers.Load() / int64(g.N())
	}
	for _, workers := range race.Workers(1, 2, 3) {
		for _, dozes := range []bool{false, true} {
			f := flow{silent: true, failEmit: graph.None, failApply: graph.None, steps: 9}
			want, each := run(&emitted{flow: f, dozes: dozes}, workers)
			f.local = true
			got, local := run(&emitted{flow: f, dozes: dozes}, workers)
			if !slices.Equal(got, want) || !dozes && (each != 9 || local != 10) {
				t.Errorf("%d workers, dozes %v: values differ: %v; offers of a vertex: %d, ahead %d", workers, dozes, !slices.Equal(got, want), each, local)
			}
		}
		_, made := run(&emitted{flow: flow{silent: true, local: true, failEmit: 1234, failApply: graph.None, failAt: 2, steps: 2}}, workers)
		if made != 2 {
			t.Errorf("%d workers: %d offers of a vertex, want 1 and most of another", workers, made)
		}
	}
}
