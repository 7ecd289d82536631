package cpu_test

import (
	"errors"
	"fmt"
	"math"
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

// called counts arcs and messages in calls for many.
type called struct{ arcs, messages atomic.Int64 }

// ofMany gives a program's functions for many, made of those of one, or one of them.
func ofMany[M any](s pregel.Spec[M], which int, c *called) pregel.Spec[M] {
	if combine := s.Combine.Func; which&1 != 0 {
		s.Combine.Many = func(as, bs []M) {
			c.messages.Add(int64(len(as)))
			for i, b := range bs[:len(as):len(as)] {
				as[i] = combine(as[i], b)
			}
		}
	}
	if send := asGiven(s.Edge).Send; which&2 != 0 {
		s.Edge.Many = func(a *pregel.Arcs[M]) {
			c.arcs.Add(int64(len(a.Messages)))
			us, vs, ws := a.Sources(), a.Targets(), a.Weights()
			for i, x := range a.Messages {
				x, ok := send(x, us[i], vs[i], ws[i])
				if a.Messages[i] = x; !ok {
					a.Drop(i)
				}
			}
		}
	}
	return s
}

// asGiven is an edge operation that looks at the weight that it is called with.
func asGiven[M any](e pregel.EdgeOp[M]) pregel.EdgeOp[M] {
	e.Weightless = false
	return e
}

// manyRumours is rumours, or what embeds it, by functions of many.
type manyRumours struct {
	rumours
	which  int
	called *called
}

func (p manyRumours) Spec() pregel.Spec[uint64] { return ofMany(p.rumours.Spec(), p.which, p.called) }

type manySettled struct{ manyRumours }

func (manySettled) Settled(x uint64) bool { return x%5 == 0 }

type manyQueued struct{ manyRumours }

func (manyQueued) Init(v pregel.Vertex[uint64]) (uint64, bool) { return 2 * uint64(v.ID), true }
func (manyQueued) Priority(x uint64) uint64                    { return x % 2 }

// some has some of the vertices awake at a time.
type manySome struct{ manyRumours }

func (manySome) Init(v pregel.Vertex[uint64]) (uint64, bool) { return uint64(v.ID), v.ID%5 < 2 }
func (p manySome) Apply(v pregel.Vertex[uint64], sum uint64, got bool) (uint64, bool) {
	x, _ := p.manyRumours.Apply(v, sum, got)
	return x, x%3 != 0
}

// Messages of functions of many are those of the slow reference, which calls those of one.
func TestMany(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	cases := drawn(t, seed, graphgen.Options{Weights: graphgen.HashWeights}, graphgen.Spec{Kind: "kronecker", Scale: 10, EdgeFactor: 8, Seed: seed},
		graphgen.Spec{Kind: "grid", Rows: 31, Cols: 133}, graphgen.Spec{Kind: "star", N: 140_000})
	var c called
	for _, k := range cases {
		if race.On && k.Graph.N() > 10_000 {
			continue
		}
		for i := range 16 {
			if k.Graph.N() > 10_000 && i%5 > 0 || race.On && uint64(i+i/4)%4 != seed%4 {
				continue
			}
			h := manyRumours{rumours{silent: i&1 != 0, copies: i&2 != 0, along: []pregel.Along{pregel.OutEdges, pregel.InEdges, pregel.BothEdges, pregel.BothEdges}[i/4], fail: graph.None}, 1 + (i+i/4)%3, &c}
			if h.copies {
				h.which = 1
			}
			for _, p := range []pregel.EdgeProgram[uint64, uint64]{h, manySettled{h}, manyQueued{h}, manySome{h}} {
				matches(t, fmt.Sprintf("%s, %T %+v", k.Name, p, h.rumours), k.Graph, p)
			}
		}
	}
	if c.arcs.Load() == 0 || c.messages.Load() == 0 {
		t.Errorf("%d arcs and %d messages were done by functions of many", c.arcs.Load(), c.messages.Load())
	}
}

// manyAdded is added by functions of many.
type manyAdded struct {
	added
	which  int
	called *called
}

func (p manyAdded) Spec() pregel.Spec[uint64] { return ofMany(p.added.Spec(), p.which, p.called) }

// What is pushed by functions of many is what the reference makes of it.
func TestManyPushed(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 14))
	var c called
	for weights := range 3 {
		for _, m := range []int{3000, 40_000} {
			g := weighted(t, r, 3000, m, weights)
			for _, seeds := range []uint32{1, 3, 2000} {
				p := manyAdded{added{seeds, false}, 1 + r.IntN(3), &c}
				want := pregeltest.Reference[uint64, uint64](g, p, nil, 12)
				for _, workers := range race.Workers(1, 3) {
					j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers}), MaxSupersteps: 12}
					before, pushed := c.arcs.Load(), false
					j.Observe = func(s pregel.StepRecord) {
						pushed = pushed || s.Direction == pregel.Push && s.Arcs > 100 && c.arcs.Load() > before
						before = c.arcs.Load()
					}
					got, err := pregel.RunEdge(t.Context(), j, p)
					if err != nil || !slices.Equal(got.Values, want.Values) {
						t.Fatalf("weights %d, %d arcs, %+v, %d workers: the reference differs, error %v", weights, m, p, workers, err)
					}
					if p.which&2 != 0 && seeds == 2000 && m == 40_000 && !pushed {
						t.Errorf("%+v: no function of many was called for what is pushed", p)
					}
				}
			}
		}
	}
}

// shares is PageRank without an end, along some arcs.
type shares struct {
	along  pregel.Along
	which  int
	named  bool   // the edge operation is a named one,
	seven  uint32 // else it drops what goes along one of so many arcs, or none of fewer than two
	called *called
}

func (p shares) Spec() pregel.Spec[float64] {
	plus := pregel.Combine("plus", 0, func(a, b float64) float64 { return a + b })
	e := pregel.EdgeFunc("some", func(x float64, u, v uint32, w float64) (float64, bool) {
		return x * w, p.seven < 2 || (u+v)%p.seven > 0
	})
	if p.named {
		return pregel.Spec[float64]{Combine: plus, Edge: pregel.TimesWeight[float64](), Along: p.along, Silent: true}
	}
	return ofMany(pregel.Spec[float64]{Combine: plus, Edge: e, Along: p.along, Silent: true}, p.which, p.called)
}
func (shares) Init(v pregel.Vertex[float64]) (float64, bool) { return 1 / float64(v.ID+1), true }
func (shares) Emit(v pregel.Vertex[float64]) float64         { return v.Value / float64(max(v.OutDegree, 1)) }
func (shares) Apply(v pregel.Vertex[float64], sum float64, _ bool) (float64, bool) {
	return 0.1 + sum/16, v.ID%16 > 0 || v.Superstep < 2
}

// Sums of floats by functions of many are near those by functions of one, and the same for any workers;
// by a function of one that combines they are the same, however edges are done.
func TestManyFloats(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, spec := range []graphgen.Spec{{Kind: "kronecker", Scale: 13, EdgeFactor: 20, Seed: seed}, {Kind: "grid", Rows: 131, Cols: 133}, {Kind: "star", N: 300_000}} {
		if race.On && spec.N > 0 {
			continue
		}
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Weights: graphgen.HashWeights})
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range race.Some(0, 1, 2, 3, 4, 5, 6, 7) {
			var c called
			p := shares{along: []pregel.Along{pregel.OutEdges, pregel.BothEdges}[i/4], which: i % 4, seven: 7, called: &c}
			if p.which == 0 {
				p.named, p.seven = true, 0
			}
			var first []float64
			for _, workers := range race.Workers(1, 2, 5) {
				got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers}), MaxSupersteps: 5}, p)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = got.Values
				}
				if !slices.Equal(first, got.Values) {
					t.Errorf("%s, %+v: other values by %d workers", spec.Kind, p, workers)
				}
			}
			exact := p.which&1 == 0
			p.which, p.named = 0, false
			want, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: 5}, p)
			if err != nil {
				t.Fatal(err)
			}
			for v, x := range want.Values {
				if exact && first[v] != x || math.Abs(first[v]-x) > 1e-12*math.Abs(x) {
					t.Fatalf("%s, %d: vertex %d has %v, by functions of one %v", spec.Kind, i, v, first[v], x)
				}
			}
		}
	}
}

// A function of many that fails is one of the vertex that the function of one fails at; or else, of the
// first vertex of the call.
func TestManyFail(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 40, Cols: 40}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var c called
	for _, workers := range race.Workers(1, 2) {
		for _, along := range []pregel.Along{pregel.OutEdges, pregel.BothEdges} {
			for _, p := range []pregel.EdgeProgram[uint64, uint64]{
				manyRumours{rumours{fail: 777, along: along}, 3, &c}, manySome{manyRumours{rumours{fail: 777, along: along}, 3, &c}},
			} {
				_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Pull}), MaxSupersteps: 6}, p)
				var failed *pregel.VertexError
				if !errors.As(err, &failed) || failed.Vertex != 777 || failed.Cause != "arc" {
					t.Errorf("%T, %d workers: %v, want a failure of vertex 777", p, workers, err)
				}
			}
		}
	}
}
