package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// waves go out from some vertices, and each vertex keeps what it hears first. In
// most supersteps all that send say the same.
type waves[M pregel.Number] struct {
	combine pregel.Monoid[M]
	odd     int32 // in supersteps that leave this by 3, some say something else; -1: never
	zeros   bool  // all say zero, some of it negative
}

func (p waves[M]) Spec() pregel.Spec[M] { return pregel.Spec[M]{Combine: p.combine} }
func (waves[M]) Init(v pregel.Vertex[float64]) (float64, bool) {
	if v.ID%97 == 0 {
		return 1, true
	}
	return math.MaxFloat64, false
}

func (p waves[M]) Emit(v pregel.Vertex[float64]) M {
	negative := -M(1) < 0
	switch {
	case p.zeros && negative && v.ID%3 == 0:
		zero := M(0)
		return -zero
	case p.zeros:
		return 0
	case v.Superstep%3 == p.odd:
		return M(7 + v.ID%3)
	}
	return M(100 + v.Superstep)
}

func (waves[M]) Apply(_ pregel.Vertex[float64], m M, _ bool) (float64, bool) {
	x := float64(m)
	if x == 0 {
		x = math.Copysign(0.5, 1/x) // the sign of a zero is to be seen
	}
	return x, true
}
func (waves[M]) Settled(x float64) bool { return x != math.MaxFloat64 }

func TestLevels(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	cases := pregeltest.Graphs(seed)
	for _, spec := range []graphgen.Spec{
		{Kind: "kronecker", Scale: 11, EdgeFactor: 16, Seed: seed},
		{Kind: "uniform", Scale: 12, EdgeFactor: 4, Seed: seed},
	} {
		directed := spec.Kind == "uniform"
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed})
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, pregeltest.Case{Name: spec.Kind, Graph: g})
	}
	for _, c := range cases {
		for _, odd := range race.Some[int32](-1, 0, 1, 2) {
			sameWaves(t, c, waves[float64]{combine: pregel.Min[float64](), odd: odd})
			sameWaves(t, c, waves[int32]{combine: pregel.Max[int32](), odd: odd})
			sameWaves(t, c, waves[uint64]{combine: pregel.Or[uint64](), odd: odd})
			sameWaves(t, c, waves[int32]{combine: owned(pregel.Max[int32]()), odd: odd})
			sameWaves(t, c, waves[float64]{combine: owned(pregel.Min[float64]()), odd: odd})
			sameWaves(t, c, wideWaves{odd})
		}
		sameWaves(t, c, waves[float32]{combine: pregel.Min[float32](), zeros: true})
	}
}

// wideWaves is waves of messages that are compared by no bits.
type wideWaves struct{ odd int32 }

func (wideWaves) Spec() pregel.Spec[[3]uint32] {
	m := pregel.Combine("lesser", [3]uint32{0, 0, math.MaxUint32}, func(a, b [3]uint32) [3]uint32 {
		if b[2] < a[2] {
			return b
		}
		return a
	})
	m.Idempotent, m.Exact = true, true
	return pregel.Spec[[3]uint32]{Combine: m}
}
func (wideWaves) Init(v pregel.Vertex[float64]) (float64, bool) { return waves[int32]{}.Init(v) }
func (p wideWaves) Emit(v pregel.Vertex[float64]) [3]uint32 {
	return [3]uint32{2: uint32(waves[int32]{odd: p.odd}.Emit(v))}
}
func (wideWaves) Apply(_ pregel.Vertex[float64], m [3]uint32, _ bool) (float64, bool) {
	return float64(m[2]), true
}
func (wideWaves) Settled(x float64) bool { return x != math.MaxFloat64 }

func sameWaves[M any](t *testing.T, c pregeltest.Case, p pregel.EdgeProgram[float64, M]) {
	t.Helper()
	want := pregeltest.Reference[float64, M](c.Graph, p, nil, 0)
	for _, workers := range race.Workers(1, 3) {
		for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
			if w, is := any(p).(waves[float32]); is && w.zeros && d != pregel.Pull {
				continue // which of two zeros wins a push hangs on who is first
			}
			what := fmt.Sprintf("%s, %d workers, %v, %T %s", c.Name, workers, d, p, p.Spec().Combine.Name)
			j := &pregel.Job{Graph: c.Graph, Engine: cpu.New(cpu.Options{Workers: workers, Direction: d})}
			got, err := pregel.RunEdge(t.Context(), j, p)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			if got.Stop.Supersteps != want.Supersteps {
				t.Fatalf("%s: %d supersteps, want %d", what, got.Stop.Supersteps, want.Supersteps)
			}
			for v, x := range got.Values {
				if x != want.Values[v] {
					t.Fatalf("%s: vertex %d has %v, want %v", what, v, x, want.Values[v])
				}
			}
		}
	}
}
