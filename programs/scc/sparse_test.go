package scc_test

import (
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/internal/trial"
	"gopregel/programs/scc"
)

// A graph of few arcs whose vertices stand in no order is gone about in phases where its
// in-arcs are there and the pivot's search spreads at once, and else left to one worker:
// after a round of trimming, or without.
func TestSparse(t *testing.T) {
	r := trial.Rand(t)
	random := func() *graph.Graph {
		return trial.Generated(t, graphgen.Spec{Kind: "uniform", N: 50_000, EdgeFactor: 7, Seed: r.Uint64()}, true)
	}
	rings := func() *graph.Graph { // of which each vertex leads to the next five, and may have a leaf
		const rings, size, ahead = 55, 1000, 5
		var list []graph.Arc
		for v := range uint32(rings * size) {
			for i := range uint32(ahead) {
				list = append(list, graph.Arc{U: v, V: v - v%size + (v%size+i+1)%size})
			}
			switch leaf := rings*size + v; r.IntN(8) {
			case 0:
				list = append(list, graph.Arc{U: v, V: leaf})
			case 1:
				list = append(list, graph.Arc{U: leaf, V: v})
			}
		}
		return shuffled(r, 2*rings*size, list)
	}
	type sparse struct {
		name   string
		build  func() *graph.Graph
		in     bool
		phases []string
	}
	for _, c := range race.Some(
		sparse{"random", random, false, []string{"scc finish"}},
		sparse{"random", random, true, []string{"scc trim", "scc forward", "scc backward", "scc label"}},
		sparse{"rings", rings, false, []string{"scc finish"}},
		sparse{"rings", rings, true, []string{"scc trim", "scc finish"}},
	) {
		g := c.build()
		if c.in {
			g.In()
		}
		for _, workers := range race.Workers(1, 3) {
			var phases []string
			for _, read := range trial.Reads(t, g, scc.New(), workers) {
				phases = append(phases, read.Phase)
			}
			if phases = slices.Compact(phases); !slices.Equal(phases[:min(len(phases), len(c.phases))], c.phases) {
				t.Errorf("%s, in-arcs %v, %d workers: %v, want %v", c.name, c.in, workers, phases, c.phases)
			}
		}
		check(t, c.name, g, reference(g))
	}
}
