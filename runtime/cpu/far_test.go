//go:build !race

package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// sums adds up what all send, in a named way or by a function.
type sums struct{ combine pregel.Monoid[uint64] }

func (p sums) Spec() pregel.Spec[uint64] {
	return pregel.Spec[uint64]{Combine: p.combine, Silent: true}
}
func (sums) Init(v pregel.Vertex[uint64]) (uint64, bool)                    { return uint64(v.ID)*3 + 1, true }
func (sums) Emit(v pregel.Vertex[uint64]) uint64                            { return v.Value ^ v.Value>>7 }
func (sums) Apply(_ pregel.Vertex[uint64], x uint64, _ bool) (uint64, bool) { return x, true }

// sumBlocks is sums that apply block by block.
type sumBlocks struct{ sums }

func (sumBlocks) EmitBlock(b *pregel.Block[uint64], offers []uint64) {
	for i, x := range b.Values {
		offers[i] = x ^ x>>7
	}
}

func (sumBlocks) ApplyBlock(b *pregel.Block[uint64], messages []uint64, awake []uint64) {
	copy(b.Values, messages)
	for k := range awake {
		awake[k] = ^uint64(0)
	}
}

// Where offers are too many for caches they may be asked for before they are read, or not, and each
// worker tries both: sums are what a loop over the arcs makes of them. (Nothing that workers share
// hangs on it, and with the race detector the graph alone takes 15 s.)
func TestFarOffers(t *testing.T) {
	const n, steps = 17 << 17, 3 // 17.8 MB of offers
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	list := make([]graph.Arc, n*3/2)
	for i := range list {
		list[i] = graph.Arc{U: r.Uint32N(n), V: r.Uint32N(n)}
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	want := make([]uint64, n)
	for v := range want {
		want[v] = uint64(v)*3 + 1
	}
	for range steps {
		next := make([]uint64, n)
		for _, a := range list {
			next[a.V] += want[a.U] ^ want[a.U]>>7
		}
		want = next
	}
	for _, combine := range race.Some(pregel.Sum[uint64](), pregel.Combine("plus", 0, func(a, b uint64) uint64 { return a + b })) {
		for _, workers := range race.Workers(1, 3) {
			for _, p := range []pregel.EdgeProgram[uint64, uint64]{sums{combine}, sumBlocks{sums{combine}}} {
				j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers}), MaxSupersteps: steps}
				got, err := pregel.RunEdge(t.Context(), j, p)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Values, want) {
					t.Errorf("%s, %T, %d workers: other sums", combine.Name, p, workers)
				}
			}
		}
	}
}
