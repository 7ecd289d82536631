//go:build cuda || emulate

package cuda_test

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel/graph"
)

// random makes a graph of m random arcs, loops and duplicates among them.
func random(t *testing.T, r *rand.Rand, n, m int, directed bool) *graph.Graph {
	t.Helper()
	list := make([]graph.Arc, m)
	for i := range list {
		list[i] = graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n))}
	}
	return build(t, n, list, directed)
}

// line is a path, in one direction.
func line(t *testing.T, n int) *graph.Graph {
	t.Helper()
	list := make([]graph.Arc, n-1)
	for v := range list {
		list[v] = graph.Arc{U: uint32(v), V: uint32(v + 1)}
	}
	return build(t, n, list, true)
}

func build(t *testing.T, n int, list []graph.Arc, directed bool) *graph.Graph {
	t.Helper()
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
