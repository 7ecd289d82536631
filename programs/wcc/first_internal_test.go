package wcc

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// After the first two phases a vertex is in one tree with its first neighbours (of two
// greater ones with the second), trees are of one component, and roots are never greater
// than their vertices: for pieces of all sizes, in any order, on several workers.
func TestFirst(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, n := range []int{1, 2, 63, 64, 65, 700, 5000} {
		for _, near := range []uint32{1, 3, 40, 1 << 20} { // how far neighbours are
			for _, directed := range []bool{false, true} {
				g := strewn(t, r, n, near, directed)
				for _, piece := range []int{1, 64, 100, n} {
					first(t, g, piece)
				}
			}
		}
	}
}

// strewn makes a graph of which neighbours by number are mostly joined.
func strewn(t *testing.T, r *rand.Rand, n int, near uint32, directed bool) *graph.Graph {
	t.Helper()
	var list []graph.Arc
	for range n * 3 / 2 {
		u := r.Uint32N(uint32(n))
		a := graph.Arc{U: u, V: (u + r.Uint32N(near)) % uint32(n)}
		if r.IntN(2) == 0 {
			a.U, a.V = a.V, a.U
		}
		list = append(list, a)
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func first(t *testing.T, g *graph.Graph, piece int) {
	t.Helper()
	n, out := g.N(), g.Out()
	root, later := make([]uint32, n), make([]uint32, n)
	for i := (n - 1) / piece; i >= 0; i-- {
		hook(out, root, later, uint32(i*piece), uint32(min(n, (i+1)*piece)))
	}
	parallel.Range(3, n, piece, func(_, lo, hi int) { joinLater(root, later, uint32(lo), uint32(hi)) })
	want := byLabels(t, g)
	for u := range uint32(n) {
		if root[u] > u || want[find(root, u)] != want[u] {
			t.Fatalf("vertex %d of %d, pieces of %d: root %d", u, n, piece, root[u])
		}
		vs := out.Neighbors(u)
		vs = vs[:min(sampled, len(vs))]
		if len(vs) == sampled && vs[0] > u {
			vs = vs[1:]
		}
		for _, v := range vs {
			if find(root, u) != find(root, v) {
				t.Fatalf("vertex %d of %d, pieces of %d: not joined to its neighbour %d", u, n, piece, v)
			}
		}
	}
}
