package wcc_test

import (
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/trial"
	"gopregel/programs/wcc"
)

// Two arcs of every vertex are read, then those that are left outside of the
// largest component. With a hub its arcs are read, and a few of the first of those that
// are not its neighbours, until one is joined.
func TestArcsRead(t *testing.T) {
	const n = 5000
	reads := func(first, second, rest uint64) []trial.Read {
		return []trial.Read{trial.In("wcc", first), trial.In("wcc", second), trial.In("wcc", rest), trial.In("wcc", 0)}
	}
	dense := func(first, rest uint64) []trial.Read {
		return []trial.Read{trial.In("wcc", first), trial.In("wcc", rest), trial.In("wcc", 0)}
	}
	path := trial.Generated(t, graphgen.Spec{Kind: "path", N: n}, false)
	trial.ReadsAre(t, "path", path, wcc.New(), reads(n, n-2, 0))
	star := graphgen.Spec{Kind: "star", N: n}
	trial.ReadsAre(t, "star", trial.Generated(t, star, false), wcc.New(), reads(n, 1, 0))
	trial.ReadsAre(t, "directed star", trial.Generated(t, star, true), wcc.New(), reads(1, 1, n-3)) // no in-arcs: nothing is skipped
	trial.ReadsAre(t, "two cliques", cliques(300, 6), wcc.New(), dense(299+6*5, 6*5))
	trial.ReadsAre(t, "hub of the upper three quarters", above(300, 75), wcc.New(), dense(224, 75))
	both := trial.Generated(t, graphgen.Spec{Kind: "complete", N: 100}, true)
	trial.ReadsAre(t, "directed clique", both, wcc.New(), dense(200, 100*97))
	both.In()
	trial.ReadsAre(t, "directed clique with in-arcs", both, wcc.New(), dense(200, 0))
}

// above makes a graph in which the last of n vertices has all from k on for neighbours,
// and each of those below k has 20 of these: it is joined to the hub by any one.
func above(n, k uint32) *graph.Graph {
	var list graph.ArcList
	for v := range n - 1 {
		if v >= k {
			list.List = append(list.List, graph.Arc{U: v, V: n - 1})
			continue
		}
		for i := range uint32(20) {
			list.List = append(list.List, graph.Arc{U: v, V: k + (v+7*i)%(n-k)})
		}
	}
	return trial.Build(int(n), list, false)
}

// cliques makes complete graphs side by side.
func cliques(sizes ...int) *graph.Graph {
	var list graph.ArcList
	first := 0
	for _, n := range sizes {
		for u := first; u < first+n; u++ {
			for v := first; v < u; v++ {
				list.List = append(list.List, graph.Arc{U: uint32(v), V: uint32(u)})
			}
		}
		first += n
	}
	return trial.Build(first, list, false)
}
