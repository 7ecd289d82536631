package cuda

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel/graph"
)

// Graphs by degree are descending, those in the opposite order are not, and the
// vertices with arcs end where the last one is that has any.
func TestDescending(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, n := range []int{0, 1, 2, 100, 9000} {
		for _, directed := range []bool{false, true} {
			g := fewBusy(t, r, n, directed)
			order := g.ByDegree(2)
			if d := reordered(t, g, order); !d.Descending() {
				t.Fatalf("%d vertices, directed %v: by degree is not descending", n, directed)
			}
			for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
				order[i], order[j] = order[j], order[i]
			}
			d := reordered(t, g, order)
			if n >= 100 && d.Descending() {
				t.Fatalf("%d vertices, directed %v: ascending is descending", n, directed)
			}
			for _, g := range []*graph.Graph{g, d.Host} {
				if got, want := WithArcs(g.Out(), g.In()), lastWithArcs(g.Out(), g.In()); got != want {
					t.Fatalf("%d vertices, directed %v: vertices with arcs end at %d, want %d", n, directed, got, want)
				}
				if got, want := WithArcs(g.Out()), lastWithArcs(g.Out()); got != want {
					t.Fatalf("%d vertices, directed %v: vertices with out-arcs end at %d, want %d", n, directed, got, want)
				}
			}
		}
	}
}

// fewBusy has many vertices without arcs, and a few with many.
func fewBusy(t *testing.T, r *rand.Rand, n int, directed bool) *graph.Graph {
	t.Helper()
	list := graph.ArcList{}
	for range n {
		list.List = append(list.List, graph.Arc{U: r.Uint32N(1 + uint32(n)/20), V: r.Uint32N(uint32(n))})
	}
	g, err := graph.FromArcs(n, list, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func reordered(t *testing.T, g *graph.Graph, order []uint32) *Graph {
	t.Helper()
	g, err := g.Renumbered(t.Context(), order, 2)
	if err != nil {
		t.Fatal(err)
	}
	return &Graph{Host: g, N: uint32(g.N()), Directed: g.Directed()}
}

func lastWithArcs(sides ...graph.CSR) uint32 {
	end := uint32(0)
	for _, c := range sides {
		for v := range uint32(c.N()) {
			if c.Degree(v) > 0 {
				end = max(end, v+1)
			}
		}
	}
	return end
}
