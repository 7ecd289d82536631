package reference_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/kernels/reference"
	"gopregel/pregel/graph"
)

// relaxed relaxes all arcs until nothing changes.
func relaxed(g *graph.Graph, source uint32) []int64 {
	dist := slices.Repeat([]int64{reference.Far}, g.N())
	dist[source] = 0
	for changed := true; changed; {
		changed = false
		for u := range uint32(g.N()) {
			for i, v := range g.Out().Neighbors(u) {
				w := int64(g.Out().Weights.At(g.Out().Offsets.At(u) + uint64(i)))
				if dist[u] != reference.Far && dist[u]+w < dist[v] {
					dist[v], changed = dist[u]+w, true
				}
			}
		}
	}
	return dist
}

// In every order of a round's vertices, with windows of any width, the distances
// are the same.
func TestNearFar(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 60 {
		n := 1 + r.IntN(400)
		list := graph.ArcList{List: make([]graph.Arc, r.IntN(6*n)), Weighted: r.IntN(4) > 0}
		most := []int{1, 3, 256}[r.IntN(3)]
		for i := range list.List {
			list.List[i] = graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n)), W: int32(r.IntN(most))}
		}
		g, err := graph.FromArcs(n, list, graph.Options{Directed: r.IntN(2) == 0})
		if err != nil {
			t.Fatal(err)
		}
		source := r.Uint32N(uint32(n))
		nearFar := reference.NearFar{Graph: g, Base: 1 + r.Int64N(100), Adapt: r.IntN(2) == 0, Rand: r}
		if !slices.Equal(nearFar.Distances(source), relaxed(g, source)) {
			t.Fatalf("distances differ from those of relaxation: %d vertices, %d arcs, width %d", n, g.Arcs(), nearFar.Base)
		}
	}
}
