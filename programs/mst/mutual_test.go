package mst_test

import (
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
	"gopregel/programs/mst"
)

// A directed graph of which each arc has one the other way of the same weight is read as an
// undirected one, if its in-arcs are made; with one arc that has none, or one that weighs
// something else, it is not. The forest is the right one.
func TestMutual(t *testing.T) {
	const n = 3000
	r := trial.Rand(t)
	var list []graph.Arc
	for range 4 * n {
		u, v, w := r.Uint32N(n), r.Uint32N(n), r.Int32N(100)
		list = append(list, graph.Arc{U: u, V: v, W: w}, graph.Arc{U: v, V: u, W: w})
	}
	first := slices.IndexFunc(list, func(a graph.Arc) bool { return a.U != a.V })
	for _, c := range []struct {
		what         string
		change       func(list []graph.Arc) []graph.Arc
		made, mutual bool
	}{
		{"mutual", func(l []graph.Arc) []graph.Arc { return l }, true, true},
		{"without in-arcs", func(l []graph.Arc) []graph.Arc { return l }, false, false},
		{"a lighter arc", func(l []graph.Arc) []graph.Arc { l[first].W = -1; return l }, true, false},
		{"an arc more", func(l []graph.Arc) []graph.Arc { return append(l, graph.Arc{U: 1, V: 2, W: 3}) }, true, false},
		{"a cycle more", func(l []graph.Arc) []graph.Arc {
			return append(l, graph.Arc{U: 1, V: 2, W: 3}, graph.Arc{U: 2, V: 4, W: 3}, graph.Arc{U: 4, V: 1, W: 3})
		}, true, false},
	} {
		for _, weighted := range []bool{true, false} {
			g := trial.Build(n, graph.ArcList{Weighted: weighted, List: c.change(slices.Clone(list))}, true)
			if c.made {
				g.In()
			}
			mutual := c.mutual || c.what == "a lighter arc" && !weighted
			if got := trial.Reads(t, g, mst.New(), 2)[0].Phase == "mst nearest"; got != mutual {
				t.Errorf("%s, weights %v: read as an undirected graph: %v", c.what, weighted, got)
			}
			check(t, c.what, g)
		}
	}
}
