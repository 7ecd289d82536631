package trial

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
)

// Million is how many edges the hubs of Shapes have.
const Million = 1_000_000

// Shapes are graphs that a device's kernels are compared on, each at a size at
// which whole launches have work: uniform, Kronecker, grid, star, path, mostly
// isolated vertices with loops and parallel arcs, and a hub of a million edges,
// directed into it, out of it, or both. Weights are 1 to 255. pregeltest.Graphs
// has the small ones, from the empty graph up. A short test has none of these.
func Shapes(t *testing.T, r *rand.Rand, directed bool) []pregeltest.Case {
	t.Helper()
	if testing.Short() {
		return nil
	}
	var list []pregeltest.Case
	seed := r.Uint64()
	add := func(name string, g *graph.Graph) {
		list = append(list, pregeltest.Case{Name: fmt.Sprintf("%s, directed %v", name, directed), Graph: g.WithWeights(func(u, v uint32) int32 {
			return int32(graph.SplitMix64(seed^(uint64(min(u, v))<<32|uint64(max(u, v))))%255) + 1
		})})
	}
	for _, s := range []graphgen.Spec{
		{Kind: "uniform", Scale: 15, EdgeFactor: 8, Seed: seed},
		{Kind: "kronecker", Scale: 15, EdgeFactor: 16, Seed: seed},
		{Kind: "grid", Rows: 200, Cols: 250},
		{Kind: "star", N: 70_000},
		{Kind: "path", N: 3000},
	} {
		g, err := graphgen.Generate(t.Context(), s, graphgen.Options{Directed: &directed})
		if err != nil {
			t.Fatal(err)
		}
		add(s.Kind, g)
	}
	add("isolated vertices, loops and parallel arcs", scattered(r, directed))
	for _, hub := range hubs(r, directed) {
		add(hub.Name, hub.Graph)
	}
	return list
}

// scattered has arcs between few of its vertices, each two or three times, and
// loops.
func scattered(r *rand.Rand, directed bool) *graph.Graph {
	const n, m = 100_000, 20_000
	list := graph.ArcList{}
	for i := range m {
		a := graph.Arc{U: r.Uint32N(n), V: r.Uint32N(n)}
		if i%10 == 0 {
			a.V = a.U
		}
		for range 1 + i%3 {
			list.List = append(list.List, a)
		}
	}
	return Build(n, list, directed)
}

// hubs have a vertex with a million edges to others, which have a few between
// themselves.
func hubs(r *rand.Rand, directed bool) []pregeltest.Case {
	center := r.Uint32N(Million + 1)
	leaves := func(out, in bool) *graph.Graph {
		list := graph.ArcList{}
		for v := range uint32(Million + 1) {
			if v == center {
				continue
			}
			if out {
				list.List = append(list.List, graph.Arc{U: center, V: v})
			}
			if in {
				list.List = append(list.List, graph.Arc{U: v, V: center})
			}
			if v%8 == 0 {
				list.List = append(list.List, graph.Arc{U: v, V: r.Uint32N(Million + 1)})
			}
		}
		return Build(Million+1, list, directed)
	}
	if !directed {
		return []pregeltest.Case{{Name: "hub", Graph: leaves(true, false)}}
	}
	return []pregeltest.Case{{Name: "hub out", Graph: leaves(true, false)}, {Name: "hub in", Graph: leaves(false, true)},
		{Name: "hub both ways", Graph: leaves(true, true)}}
}

// Graphs are pregeltest.Graphs, in a short test every fourth of them.
func Graphs(seed uint64) []pregeltest.Case {
	all := pregeltest.Graphs(seed)
	if !testing.Short() {
		return all
	}
	var some []pregeltest.Case
	for i := int(seed % 4); i < len(all); i += 4 {
		some = append(some, all[i])
	}
	return some
}
