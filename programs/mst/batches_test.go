package mst_test

import (
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
	"gopregel/programs/mst"
)

// Vertices that hang on a dense core by heavy edges come after it, in a batch of their
// own: edges of all batches are in order, and so are those of a run stopped on the way.
func TestBatchesInOrder(t *testing.T) {
	r := trial.Rand(t)
	const core, hanging = 1000, 3000
	list := graph.ArcList{Weighted: true}
	for range 60_000 {
		list.List = append(list.List, graph.Arc{U: r.Uint32N(core), V: r.Uint32N(core), W: r.Int32N(1000)})
	}
	for v := range uint32(hanging) {
		for range 3 {
			list.List = append(list.List, graph.Arc{U: core + v, V: r.Uint32N(core), W: 5000 + r.Int32N(1000)})
		}
	}
	for _, directed := range []bool{false, true} {
		g := trial.Build(core+hanging, list, directed)
		check(t, "core", g)
		whole := reference(g)
		trial.Early(t, g, mst.New(), func(t *testing.T, stopped *pregel.Answer) {
			next := whole
			for _, e := range rows(stopped) {
				i := slices.Index(next, e)
				if i < 0 {
					t.Fatalf("directed %v, %d supersteps: edge %v is not of the forest, or comes after a greater", directed, stopped.Stop.Supersteps, e)
				}
				next = next[i+1:]
			}
		})
	}
}
