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
	if v.ID == p.failEmit && v.Superstep == 2 {
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
	if v.ID == p.failApply && v.Superstep == 2 {
		panic("apply")
	}
	x := 0.7*sum + v.Value/3 + float64(v.Superstep) + p.held.Last()/1e6
	if !got {
		x++
	}
	return x, p.silent || v.Superstep < 6
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
	only  bool // fails in blocks alone
}

func (p *blocks) place(b *pregel.Block[float64], i int) pregel.Place {
	at := b.First
	at.ID, at.OutDegree = at.ID+uint32(i), b.OutDegree(i)
	return at
}

func (p *blocks) EmitBlock(b *pregel.Block[float64], offers []float64) {
	p.calls.Add(1)
	for i, x := range b.Values {
		offers[i] = p.Emit(pregel.Vertex[float64]{Place: p.place(b, i), Value: x})
	}
}

func (p *blocks) ApplyBlock(b *pregel.Block[float64], sums []float64) (awake uint64) {
	p.calls.Add(1)
	apply, atOnce := p.Apply, b.First.Superstep%2 == 0
	if atOnce {
		apply = p.next
	}
	var held [4]float64
	for i, sum := range sums {
		x, up := apply(pregel.Vertex[float64]{Place: p.place(b, i), Value: b.Values[i]}, sum, b.Got(i))
		if b.Values[i] = x; up {
			awake |= 1 << i
		}
		held[i%4] += x
	}
	if atOnce {
		p.held.AddBlock(b.First, (held[0]+held[1])+(held[2]+held[3]))
	}
	if p.only && b.First.Superstep == 2 && b.First.ID == 64 {
		panic("block")
	}
	return awake
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
			if underRace && directed && spec.Kind == "star" {
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
			if underRace && c.Graph.N() > 100_000 {
				f.steps = 3
			}
			want, _ := pull(t, c.Graph, &f, 1)
			for _, workers := range numbers(1, 2, 3) {
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
	for _, workers := range numbers(1, 2, 3) {
		p := pagerank.New().(*pagerank.PageRank)
		if p.Iterations = 8; underRace {
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

// A failure in a block names its vertex; one that its calls for single vertices do
// not have, the block's first.
func TestBlocksFail(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 30, Cols: 30}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cause       string
		at          uint32
		emit, apply uint32
		only        bool
	}{
		{"emit", 77, 77, graph.None, false},
		{"apply", 899, graph.None, 899, false},
		{"apply", 64, graph.None, 64, false},
		{"block", 64, graph.None, graph.None, true},
	} {
		var calls atomic.Int64
		f := flow{silent: true, failEmit: c.emit, failApply: c.apply, steps: 9}
		whole := flow{silent: true, failEmit: graph.None, failApply: graph.None, steps: 3}
		want, _ := pull(t, g, &whole, 1)
		for i := range 4 {
			workers := 1 + i/2
			f.local = i%2 == 1
			got, stop := pull(t, g, &blocks{flow: f, calls: &calls, only: c.only}, workers)
			var failed *pregel.VertexError
			if !errors.As(stop.Err, &failed) || failed.Vertex != c.at || failed.Cause != c.cause || failed.Superstep != 2 || calls.Load() == 0 {
				t.Errorf("%+v, %d workers: %v", c, workers, stop.Err)
			}
			if c.only && !slices.Equal(got[64:128], want[64:128]) {
				t.Errorf("%d workers: the block that failed was applied twice", workers)
			}
		}
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
	for _, workers := range numbers(1, 2, 3) {
		for _, dozes := range []bool{false, true} {
			f := flow{silent: true, failEmit: graph.None, failApply: graph.None, steps: 9}
			want, each := run(&emitted{flow: f, dozes: dozes}, workers)
			f.local = true
			got, local := run(&emitted{flow: f, dozes: dozes}, workers)
			if !slices.Equal(got, want) || !dozes && (each != 9 || local != 10) {
				t.Errorf("%d workers, dozes %v: values differ: %v; offers of a vertex: %d, ahead %d", workers, dozes, !slices.Equal(got, want), each, local)
			}
		}
		_, made := run(&emitted{flow: flow{silent: true, local: true, failEmit: 1234, failApply: graph.None, steps: 2}}, workers)
		if made != 2 {
			t.Errorf("%d workers: %d offers of a vertex, want 1 and most of another", workers, made)
		}
	}
}
