package cpu_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// A two32 is a message that is no number.
type two32 struct{ A, B uint32 }

// A two64 is one that no processor swaps.
type two64 struct{ A, B uint64 }

// nears is least sums of weights from a few vertices, as messages of any kind, along arcs but some.
type nears[M comparable] struct {
	of    func(x uint32) M
	back  func(m M) uint32
	along pregel.Along
	which int
	// The operation on arcs says that weights do not matter, though they do.
	weightless bool
	called     *called
}

func (p nears[M]) Spec() pregel.Spec[M] {
	c := pregel.Combine("nearer", p.of(math.MaxUint32), func(a, b M) M {
		if p.back(b) < p.back(a) {
			return b
		}
		return a
	})
	c.Idempotent, c.Exact = true, true
	e := pregel.EdgeFunc("farther", func(m M, u, v uint32, w float64) (M, bool) {
		return p.of(p.back(m) + uint32(w) + (u+v)%3), (u+2*v)%5 > 0
	})
	e.Weightless = p.weightless
	return ofMany(pregel.Spec[M]{Combine: c, Edge: e, Along: p.along}, p.which, p.called)
}
func (p nears[M]) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID%97 == 0 {
		return v.ID % 13, true
	}
	return math.MaxUint32, false
}
func (p nears[M]) Emit(v pregel.Vertex[uint32]) M { return p.of(v.Value) }
func (p nears[M]) Apply(v pregel.Vertex[uint32], m M, _ bool) (uint32, bool) {
	return min(v.Value, p.back(m)), p.back(m) < v.Value
}
func (nears[M]) Relaxes() bool { return true }

// bucketed is nears in order of distance.
type bucketed[M comparable] struct{ nears[M] }

func (bucketed[M]) Priority(x uint32) uint64 { return uint64(x / 16) }

func testNears[M comparable](t *testing.T, g *graph.Graph, of func(uint32) M, back func(M) uint32) {
	t.Helper()
	for _, along := range race.Some(pregel.OutEdges, pregel.InEdges, pregel.BothEdges) {
		var c called
		p := nears[M]{of: of, back: back, along: along, called: &c}
		want := pregeltest.Reference[uint32, M](g, p, nil, math.MaxInt32)
		for i := range 12 {
			p.which = 1 + i%3
			var q pregel.EdgeProgram[uint32, M] = p
			if i%4 > 1 {
				q = bucketed[M]{p}
			}
			for _, workers := range race.Workers(1, 3) {
				o := cpu.Options{Workers: workers, Schedule: []pregel.Schedule{pregel.Relaxed, pregel.BSP}[i/6]}
				arcs, messages := c.arcs.Load(), c.messages.Load()
				got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(o)}, q)
				if err != nil || !slices.Equal(got.Values, want.Values) {
					t.Fatalf("%T %+v, %+v: the reference differs, error %v", p, p, o, err)
				}
				if swaps := swappable[M](); swaps && (c.arcs.Load() > arcs) != (p.which&2 != 0) || swaps && o.Schedule == pregel.Relaxed && (c.messages.Load() > messages) != (p.which&1 != 0) {
					t.Errorf("%T %d, %+v: %d arcs and %d messages by functions of many", p, p.which, o, c.arcs.Load()-arcs, c.messages.Load()-messages)
				}
			}
		}
	}
}

// swappable tells whether messages are words, which functions of many are called for in relaxed runs.
func swappable[M any]() bool {
	var m M
	_, is := any(m).(two64)
	return !is
}

// Relaxed runs by functions of many, and those in supersteps, end as the reference does.
func TestManyRelaxed(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 15))
	for _, weights := range race.Some(0, 1, 2) {
		g := weighted(t, r, 3000, 3000*(1+r.IntN(8)), weights)
		testNears(t, g, func(x uint32) uint32 { return x }, func(m uint32) uint32 { return m })
		testNears(t, g, func(x uint32) float64 { return float64(x) }, func(m float64) uint32 { return uint32(m) })
		testNears(t, g, func(x uint32) two32 { return two32{1, x} }, func(m two32) uint32 { return m.B })
		testNears(t, g, func(x uint32) two64 { return two64{2, uint64(x)} }, func(m two64) uint32 { return uint32(m.B) })
	}
}

// failingArcs is nears, of which a function fails: for many at a time alone, or for one too.
type failingArcs struct {
	nears[uint32]
	one, many bool
}

func (p failingArcs) Spec() pregel.Spec[uint32] {
	s := p.nears.Spec()
	e := pregel.EdgeFunc("fails", func(x uint32, u, _ uint32, _ float64) (uint32, bool) {
		if p.one && u == 98 {
			panic("arc")
		}
		return x + 1, true
	})
	e.Many = func(a *pregel.Arcs[uint32]) {
		if p.many && slices.Contains(a.Sources(), 98) {
			panic("arcs")
		}
		for i := range a.Messages {
			a.Messages[i]++
		}
	}
	s.Edge = e
	return s
}

func TestManyFailPushed(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 40, Cols: 97}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	same := func(x uint32) uint32 { return x }
	for _, s := range []pregel.Schedule{pregel.BSP, pregel.Relaxed} {
		for _, one := range []bool{false, true} {
			p := failingArcs{nears[uint32]{of: same, back: same, which: 1, called: new(called)}, one, true}
			_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Schedule: s})}, p)
			var failed *pregel.VertexError
			if !errors.As(err, &failed) || one && (failed.Vertex != 98 || failed.Cause != "arc") || !one && failed.Cause != "arcs" {
				t.Errorf("%v, %v: %v", s, one, err)
			}
		}
	}
}
