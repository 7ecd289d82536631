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
	"gopregel/runtime/cpu"
)

// tides adds up, by a function of its own, what all neighbours hold, who are all awake.
type tides struct {
	silent bool
	many   bool   // the function is there for many at a time, too
	arcs   uint32 // a function on arcs drops what goes to one of so many vertices; 0: there is none
	fail   uint64 // of a sum that is just this; 0: none
	called *atomic.Int64
}

func (p tides) Spec() pregel.Spec[uint64] {
	plus := pregel.Combine("plus", 0, func(a, b uint64) uint64 {
		if a+b == p.fail && p.fail > 0 {
			panic("sum")
		}
		return a + b
	})
	plus.Exact = true
	s := pregel.Spec[uint64]{Combine: plus, Silent: p.silent}
	if p.arcs > 0 {
		s.Edge = pregel.EdgeFunc("some", func(x uint64, u, v uint32, _ float64) (uint64, bool) { return x ^ uint64(u), v%p.arcs != 0 })
	}
	if p.many {
		s = ofMany(s, 1, new(called))
	}
	return s
}
func (tides) Init(v pregel.Vertex[uint64]) (uint64, bool) { return 1 + uint64(v.ID), true }
func (tides) Emit(v pregel.Vertex[uint64]) uint64         { return v.Value }
func (tides) Apply(v pregel.Vertex[uint64], sum uint64, got bool) (uint64, bool) {
	if !got {
		sum = 99
	}
	return v.Value*5 + sum + uint64(v.OutDegree) + uint64(v.ID), true
}

// tideBlocks is tides by blocks.
type tideBlocks struct{ tides }

func (p tideBlocks) EmitBlock(b *pregel.Block[uint64], offers []uint64) { copy(offers, b.Values) }
func (p tideBlocks) ApplyBlock(b *pregel.Block[uint64], sums []uint64, awake []uint64) {
	p.called.Add(1)
	for i, sum := range sums {
		b.Values[i], _ = p.Apply(pregel.Vertex[uint64]{Place: b.Place(i), Value: b.Values[i]}, sum, b.Got(i))
	}
	for k := range awake {
		awake[k] = ^uint64(0)
	}
}

// Sums by functions of one's own are those of the slow reference: of rows of equal lengths and others,
// of none, of more than are made ready at a time, and of hubs.
func TestCallBlocks(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	specs := []graphgen.Spec{{Kind: "kronecker", Scale: 10, EdgeFactor: 8, Seed: seed}, {Kind: "grid", Rows: 31, Cols: 133}, {Kind: "cycle", N: 3000},
		{Kind: "complete", N: 257}, {Kind: "complete", N: 258}, {Kind: "complete", N: 17}, {Kind: "star", N: 140_000}}
	cases := append(drawn(t, seed, graphgen.Options{}, specs...), drawn(t, seed+1, graphgen.Options{Directed: new(true)}, specs...)...)
	var called atomic.Int64
	for k, c := range cases {
		if race.On && c.Graph.N() > 10_000 {
			continue // the hub: its parts are gathered by what others are
		}
		for i := range 12 {
			if race.On && (i+k)%4 > 0 {
				continue
			}
			p := tides{silent: i&1 != 0, many: i&2 != 0, arcs: []uint32{0, 1000, 3}[i/4], called: &called}
			matches(t, fmt.Sprintf("%s, %+v", c.Name, p), c.Graph, p)
			matches(t, fmt.Sprintf("%s, blocks, %+v", c.Name, p), c.Graph, tideBlocks{p})
		}
	}
	if called.Load() == 0 {
		t.Error("no block was applied by one call")
	}
}

// A function that fails is one of the vertex that the sum was for.
func TestCallBlocksFail(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 40, Cols: 40}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sums := func(v uint32) (list []uint64) { // of two neighbours and more
		sum := uint64(0)
		for _, u := range g.Out().Neighbors(v) {
			sum += uint64(u) + 1
			list = append(list, sum)
		}
		return list[1:]
	}
	for _, v := range []uint32{1, 63, 64, 777, 1598} {
		fail, want := sums(v)[0], uint32(0)
		for !slices.Contains(sums(want), fail) {
			want++
		}
		for _, many := range []bool{false, true} {
			p := tides{many: many, fail: fail, called: new(atomic.Int64)}
			for _, p := range []pregel.EdgeProgram[uint64, uint64]{p, tideBlocks{p}} {
				_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1}), MaxSupersteps: 3}, p)
				var failed *pregel.VertexError
				if !errors.As(err, &failed) || failed.Vertex != want || failed.Cause != "sum" {
					t.Errorf("%T, many %v: %v, want a failure of vertex %d", p, many, err, want)
				}
			}
		}
	}
}

// owned is a combiner as a function of one's own.
func owned[M any](m pregel.Monoid[M]) pregel.Monoid[M] {
	c := pregel.Combine(m.Name+" of one's own", m.Identity, m.Func)
	c.Idempotent, c.Exact = m.Idempotent, m.Exact
	return c
}

// counted is hops by a function of its own, whose calls are counted.
type counted struct {
	source uint32
	calls  *atomic.Int64
}

func (p counted) Spec() pregel.Spec[uint32] {
	m := pregel.Min[uint32]()
	lesser := m.Func
	m.Func = func(a, b uint32) uint32 {
		p.calls.Add(1)
		return lesser(a, b)
	}
	return pregel.Spec[uint32]{Combine: owned(m)}
}
func (p counted) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == p.source {
		return 0, true
	}
	return graph.None, false
}
func (counted) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value + 1 }
func (counted) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return min(v.Value, m), m < v.Value
}
func (counted) Settled(x uint32) bool { return x != graph.None }

// Where all that is offered in a superstep is one, a function that is idempotent is not called for
// each arc, and is pushed by several workers, too.
func TestLevelsSpareCalls(t *testing.T) {
	for _, spec := range []graphgen.Spec{{Kind: "kronecker", Scale: 14, EdgeFactor: 16}, {Kind: "grid", Rows: 200, Cols: 300}} {
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		p := counted{source: 7, calls: new(atomic.Int64)}
		for g.Out().Degree(p.source) == 0 {
			p.source++
		}
		want := pregeltest.Reference[uint32, uint32](g, p, nil, 0)
		for _, workers := range race.Workers(1, 2) {
			pushed, pulled := 0, 0
			p.calls.Store(0)
			j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers}), Observe: func(s pregel.StepRecord) {
				if s.Direction == pregel.Push {
					pushed++
				} else {
					pulled++
				}
			}}
			got, err := pregel.RunEdge(t.Context(), j, p)
			if err != nil || !slices.Equal(got.Values, want.Values) {
				t.Fatalf("%s, %d workers: the reference differs, error %v", spec.Kind, workers, err)
			}
			if calls := p.calls.Load(); calls > int64(g.Arcs()/50)+4*int64(got.Stop.Supersteps) {
				t.Errorf("%s, %d workers: %d calls for %d arcs in %d supersteps", spec.Kind, workers, calls, g.Arcs(), got.Stop.Supersteps)
			}
			if pushed == 0 || spec.Kind == "kronecker" && pulled == 0 {
				t.Errorf("%s, %d workers: %d supersteps pushed, %d pulled", spec.Kind, workers, pushed, pulled)
			}
		}
	}
}
