package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// listener remembers all that it hears, never settles, and is awake now and then:
// in some supersteps also while it is sent to.
type listener struct {
	seed  uint64
	awake uint64 // of so many one is, at first
}

func mixed(x uint64) uint64 {
	x = (x ^ x>>31) * 0x9e3779b97f4a7c15
	return (x ^ x>>29) * 0xbf58476d1ce4e5b9 >> 7
}

func (listener) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (p listener) Init(v pregel.Vertex[uint64]) (uint64, bool) {
	x := mixed(uint64(v.ID) ^ p.seed)
	return x, x%p.awake == 0
}
func (listener) Emit(pregel.Vertex[uint64]) uint32 { panic("not asked for source ids") }
func (p listener) Apply(v pregel.Vertex[uint64], least uint32, _ bool) (uint64, bool) {
	x := mixed(v.Value ^ uint64(least)<<20 ^ uint64(v.Superstep))
	return x, x%3 != 0
}

// sated is a listener that at times hears no more.
type sated struct{ listener }

func (sated) Settled(x uint64) bool { return x%7 == 1 }

// Thin frontiers are pushed and applied in one: each hears the least of those
// awake, in every superstep anew.
func TestForward(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	trials := 60
	if race.On {
		trials = 20
	}
	for i := range trials {
		n := 1 + r.IntN(3000)
		list := graph.ArcList{}
		for range r.IntN(3 * n) {
			list.List = append(list.List, graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n))})
		}
		g, err := graph.FromArcs(n, list, graph.Options{Directed: i%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		p := listener{seed: r.Uint64(), awake: 1 + r.Uint64N(200)}
		forwarded(t, g, p)
		forwarded(t, g, sated{p})
	}
}

func forwarded(t *testing.T, g *graph.Graph, p pregel.EdgeProgram[uint64, uint32]) {
	t.Helper()
	want := pregeltest.Reference(g, p, nil, 12)
	for _, d := range []pregel.Direction{pregel.Auto, pregel.Push} {
		for shares := range 5 { // 0: one worker, since these are small
			e := cpu.New(cpu.Options{Workers: 3, Direction: d})
			e.Share(shares)
			got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 12}, p)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Values, want.Values) || got.Stop.Supersteps != want.Supersteps {
				t.Fatalf("%T, %v, %d vertices, %d shares: %v, the reference %v; the values are the same: %v",
					p, d, g.N(), shares, got.Stop, want.Supersteps, slices.Equal(got.Values, want.Values))
			}
		}
	}
}
