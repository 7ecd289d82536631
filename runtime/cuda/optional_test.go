//go:build cuda || emulate

package cuda_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cuda"
)

// planned is a program with the shape that it has beside the graph's.
type planned struct {
	name      string
	algorithm func(g *graph.Graph) pregel.Algorithm
	shape     cuda.Shape
}

func plannedPrograms() []planned {
	ranks := func(*graph.Graph) pregel.Algorithm { return &pagerank.PageRank{Damping: 0.85, Iterations: 2} }
	paths := func(g *graph.Graph) pregel.Algorithm {
		return &sssp.SSSP{Source: pregel.ID(g.IDs().Text(0)), Method: sssp.DeltaStepping}
	}
	held := func(g *graph.Graph) pregel.Algorithm {
		return &sssp.SSSP{Source: pregel.ID(g.IDs().Text(0)), Method: sssp.DeltaStepping, Delta: 3}
	}
	return []planned{
		{"mst", func(*graph.Graph) pregel.Algorithm { return mst.New() }, cuda.Shape{Kernel: "mst"}},
		{"wcc", func(*graph.Graph) pregel.Algorithm { return wcc.New() }, cuda.Shape{Kernel: "wcc", Value: 8, Brings: true, Classes: true}},
		{"scc", func(*graph.Graph) pregel.Algorithm { return scc.New() }, cuda.Shape{Kernel: "scc", InArcs: true, Value: 8, Brings: true, Classes: true}},
		{"bfs", func(g *graph.Graph) pregel.Algorithm { return &bfs.BFS{Source: pregel.ID(g.IDs().Text(0)), Any: true} },
			cuda.Shape{InArcs: true, Value: 8, Message: 4, Seeks: true, Brings: true, Names: true}},
		{"bfs of depths", func(g *graph.Graph) pregel.Algorithm {
			return &bfs.BFS{Source: pregel.ID(g.IDs().Text(0)), Parents: new(false)}
		}, cuda.Shape{InArcs: true, Value: 4, Seeks: true, Brings: true}},
		{"sssp", paths, cuda.Shape{Kernel: "sssp", InArcs: true, Value: 8, Brings: true, Names: true}},
		{"sssp of a width", held, cuda.Shape{Kernel: "sssp", InArcs: true, Held: true, Value: 8, Brings: true, Names: true}},
		{"sssp of distances", func(g *graph.Graph) pregel.Algorithm {
			return &sssp.SSSP{Source: pregel.ID(g.IDs().Text(0)), Method: sssp.DeltaStepping, Parents: new(false)}
		}, cuda.Shape{Kernel: "sssp", InArcs: true, Alone: true, Value: 4, Brings: true}},
		{"pagerank", ranks, cuda.Shape{InArcs: true, Value: 8, Message: 8, HearsAll: true, Tallies: true, Brings: true}},
	}
}

// After a run the resident graph has the optional forms that are planned, each of
// so many bytes, and no other; there is room for all, and the graph has hubs.
func TestOptionalFormsAreThosePlanned(t *testing.T) {
	e := open(t, cuda.Options{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	e.OrderAll(r.Uint32N(8))
	seen := map[string]bool{}
	for _, directed := range []bool{false, true} {
		raw := hubbed(t, r, 500+r.IntN(100), directed)
		for _, weighted := range []bool{false, true} {
			g := raw
			if weighted {
				g = raw.WithWeights(func(u, v uint32) int32 { return 1 + int32((u*7^v*7)%100) })
			}
			for _, order := range []string{"", "degree", "locality", "tiles"} {
				for _, p := range plannedPrograms() {
					checkOptional(t, e, p, g, order, seen)
				}
			}
		}
	}
	if len(seen) != 7 {
		t.Errorf("of all forms only %v were planned", seen)
	}
}

// So is what putting a forest's edges in order takes, of graphs that are large enough.
func TestEdgesInOrderAreThosePlanned(t *testing.T) {
	e := open(t, cuda.Options{})
	r := rand.New(rand.NewPCG(seeded(t), 5))
	seen := map[string]bool{}
	for _, n := range []int{cuda.EdgesFrom - 1, cuda.EdgesFrom} {
		g := hubbed(t, r, n, r.IntN(2) == 0).WithWeights(func(u, v uint32) int32 { return 1 + int32((u*7^v*7)%100) })
		var few []graph.Arc // of most vertices there are none
		for range n {
			few = append(few, graph.Arc{U: r.Uint32N(500), V: r.Uint32N(500)})
		}
		lonely := build(t, n, few, false).WithWeights(func(u, v uint32) int32 { return int32(u ^ v) })
		for _, order := range []string{"", "degree"} {
			p := plannedPrograms()[0]
			p.shape.Brings = true
			checkOptional(t, e, p, g, order, seen)
			checkOptional(t, e, p, lonely, order, seen)
		}
		if seen["edges in order"] != (n == cuda.EdgesFrom) {
			t.Errorf("%d vertices: planned %v", n, seen)
		}
	}
}

// So are the arcs by tile of programs that run in tiles.
func TestTilesAreThosePlanned(t *testing.T) {
	e := open(t, cuda.Options{})
	e.Tiles(64)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	seen := map[string]bool{}
	for _, directed := range []bool{false, true} {
		var list []graph.Arc
		for v := range uint32(700) {
			list = append(list, graph.Arc{U: v, V: (v + 1) % 700}, graph.Arc{U: v, V: v - min(v, r.Uint32N(2))})
		}
		raw := build(t, 700, list, directed)
		for _, g := range []*graph.Graph{raw, raw.WithWeights(func(u, v uint32) int32 { return 1 + int32((u*7^v*7)%100) })} {
			for _, p := range plannedPrograms() {
				if strings.HasPrefix(p.name, "bfs") || p.name == "scc" && directed || (p.name == "sssp" || p.name == "sssp of distances") && g.Weighted() != graph.Unweighted {
					p.shape.Tiles, p.shape.Weighs = true, p.shape.Kernel == "sssp"
					checkOptional(t, e, p, g, "tiles", seen)
				}
			}
		}
	}
	if !seen["arcs by tile"] {
		t.Error("no arcs by tile were planned")
	}
}

// hubbed is a graph with a vertex that all others have an arc to and from.
func hubbed(t *testing.T, r *rand.Rand, n int, directed bool) *graph.Graph {
	t.Helper()
	var list []graph.Arc
	for range 3 * n {
		list = append(list, graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n))})
	}
	for v := range uint32(n) {
		list = append(list, graph.Arc{U: v, V: 5}, graph.Arc{U: 5, V: v})
	}
	return build(t, n, list, directed)
}

func checkOptional(t *testing.T, e *cuda.Engine, p planned, g *graph.Graph, order string, seen map[string]bool) {
	t.Helper()
	what := fmt.Sprintf("%s, directed %v, weights %v, order %q", p.name, g.Directed(), g.Weighted(), order)
	if err := e.GiveUp(); err != nil {
		t.Fatal(err)
	}
	run := func() *pregel.Answer {
		answer, err := runOn(t, e, p.algorithm(g), g, order)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return answer
	}
	answer := run()
	checkForms(t, what, e)
	s := p.shape
	s.Vertices, s.Arcs, s.Directed, s.Weighted, s.Order = uint64(g.N()), g.Arcs(), g.Directed(), g.Weighted() != graph.Unweighted, order
	compareOptional(t, what, e.Made(), s, seen)
	leaveOut(t, what, e, answer, run)
}

// runOn runs an algorithm on a graph in an order; "": as it is.
func runOn(t *testing.T, e *cuda.Engine, a pregel.Algorithm, g *graph.Graph, order string) (*pregel.Answer, error) {
	t.Helper()
	j := &pregel.Job{Graph: g, Engine: e, Batch: 1 << 10}
	if order == "" {
		return a.Run(t.Context(), j)
	}
	prepared, err := pregel.Prepare(t.Context(), g, order, 1)
	if err != nil {
		return nil, err
	}
	prepared.Graph.In()
	return prepared.Run(t.Context(), a, j)
}

func compareOptional(t *testing.T, what string, made map[string]uint64, s cuda.Shape, seen map[string]bool) {
	t.Helper()
	if s.InArcs || s.Kernel == "mst" {
		delete(made, "in-arcs") // needed, not optional
	}
	for _, o := range cuda.PlanAny(s) {
		bytes, ok := made[o.Name]
		if !ok || bytes < o.Least || bytes > o.Most {
			t.Errorf("%s: %d bytes of %s (made: %v), planned %d to %d", what, bytes, o.Name, ok, o.Least, o.Most)
		}
		delete(made, o.Name)
		seen[o.Name] = true
	}
	if len(made) > 0 {
		t.Errorf("%s: %v was made, and not planned", what, made)
	}
}
