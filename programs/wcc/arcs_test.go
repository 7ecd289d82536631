package wcc_test

import (
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/trial"
	"gopregel/programs/wcc"
)

// Two arcs of every vertex are read first, then all of those that are outside of the
// largest component, until they are seen to be in it. With a hub its arcs are read, and a
// few of the first of those that are not its neighbours, until one is joined.
func TestArcsRead(t *testing.T) {
	const n = 5000
	reads := func(first, rest uint64) []trial.Read {
		return []trial.Read{trial.In("wcc", first), trial.In("wcc", 0), trial.In("wcc", rest), trial.In("wcc", 0)}
	}
	byHub := func(first, rest uint64) []trial.Read {
		return []trial.Read{trial.In("wcc", first), trial.In("wcc", rest), trial.In("wcc", 0)}
	}
	path := trial.Generated(t, graphgen.Spec{Kind: "path", N: n}, false)
	trial.ReadsAre(t, "path", path, wcc.New(), reads(2*n-2, 0))
	star := graphgen.Spec{Kind: "star", N: n}
	trial.ReadsAre(t, "star", trial.Generated(t, star, false), wcc.New(), reads(n-1+2, 0))
	trial.ReadsAre(t, "directed star", trial.Generated(t, star, true), wcc.New(), reads(2, n-1)) // no in-arcs: nothing is skipped
	trial.ReadsAre(t, "sinks of a ladder", sinks(n, 100), wcc.New(), reads(2*(n-100)-3, 100))    // of ten in-arcs one
	trial.ReadsAre(t, "two cliques", cliques(300, 6), wcc.New(), byHub(299+6*5, 6*5))
	trial.ReadsAre(t, "hub of the upper three quarters", above(300, 75), wcc.New(), byHub(224, 75))
	both := trial.Generated(t, graphgen.Spec{Kind: "complete", N: 100}, true)
	trial.ReadsAre(t, "directed clique", both, wcc.New(), reads(200, 100*99))
	both.In()
	trial.ReadsAre(t, "directed clique with in-arcs", both, wcc.New(), reads(200, 0))
}

// sinks makes a directed graph of n vertices, the last k of which have no out-arcs, but
// ten in-arcs: the third of vertices that are joined by the first two.
func sinks(n, k uint32) *graph.Graph {
	var list graph.ArcList
	for v := range n - k {
		for back := uint32(1); back <= min(2, v); back++ {
			list.List = append(list.List, graph.Arc{U: v, V: v - back})
		}
		if 10*k <= v && v < 20*k {
			list.List = append(list.List, graph.Arc{U: v, V: n - k + v%k})
		}
	}
	g := trial.Build(int(n), list, true)
	g.In()
	return g
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
