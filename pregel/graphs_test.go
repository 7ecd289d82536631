package pregel_test

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel/graph"
)

// randomGraph draws m arcs among n vertices, whose ids are 10v+7. These tests do not
// import pregeltest, which would be compiled once more for them: 40 s of a processor
// with the race detector.
func randomGraph(t *testing.T, r *rand.Rand, n, m int, directed bool) *graph.Graph {
	t.Helper()
	var arcs graph.Columns
	for range m {
		arcs.U, arcs.V = append(arcs.U, r.Uint32N(uint32(n))), append(arcs.V, r.Uint32N(uint32(n)))
	}
	ids := make([]uint64, n)
	for v := range ids {
		ids[v] = 10*uint64(v) + 7
	}
	table, err := graph.NumberIDs(ids)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Build(t.Context(), table, arcs, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// randomGraphs are of one vertex and of many, without arcs, sparse and dense, each
// directed and undirected.
func randomGraphs(t *testing.T, seed uint64) (list []*graph.Graph) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 5))
	for _, size := range [][2]int{{1, 0}, {1, 2}, {130, 0}, {63, 190}, {64, 190}, {129, 300}, {40, 1500}, {900, 1000}, {900, 2500}} {
		list = append(list, randomGraph(t, r, size[0], size[1], true), randomGraph(t, r, size[0], size[1], false))
	}
	return list
}
