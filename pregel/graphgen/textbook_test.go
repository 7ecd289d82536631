package graphgen_test

import (
	"math"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
)

func TestKarate(t *testing.T) {
	g := generate(t, graphgen.Spec{Kind: "karate"}, graphgen.Options{})
	if g.N() != 34 || g.Edges() != 78 || g.Loops() != 0 || g.Directed() || g.IDs().Base() != 1 {
		t.Fatalf("%d vertices from %d, %d edges", g.N(), g.IDs().Base(), g.Edges())
	}
	// The degrees as published, of members 1 to 34.
	want := []uint64{16, 9, 10, 6, 3, 4, 4, 4, 5, 2, 3, 1, 2, 5, 2, 2, 2, 2, 2, 3, 2, 2, 2, 5, 3, 3, 2, 4, 3, 4, 4, 6, 12, 17}
	for v, d := range want {
		if got := g.Out().Degree(uint32(v)); got != d {
			t.Errorf("member %d has %d friends, want %d", v+1, got, d)
		}
	}
	if c := triangles(g); c != 45 {
		t.Errorf("%d triangles, want 45", c)
	}
	diameter := 0
	for v := range uint32(34) {
		d := depths(g, v)
		if slices.Min(d) < 0 {
			t.Fatal("not connected")
		}
		diameter = max(diameter, slices.Max(d))
	}
	if diameter != 5 {
		t.Errorf("diameter %d, want 5", diameter)
	}
}

func triangles(g *graph.Graph) int {
	count := 0
	for u := range uint32(g.N()) {
		for _, v := range g.Out().Neighbors(u) {
			for _, w := range g.Out().Neighbors(v) {
				if _, ok := slices.BinarySearch(g.Out().Neighbors(u), w); ok && u < v && v < w {
					count++
				}
			}
		}
	}
	return count
}

// The Petersen graph is the only graph of 10 vertices of degree 3 with
// diameter 2 and no cycle shorter than 5.
func TestPetersen(t *testing.T) {
	g := generate(t, graphgen.Spec{Kind: "petersen"}, graphgen.Options{})
	if g.N() != 10 || g.Edges() != 15 {
		t.Fatalf("%d vertices, %d edges", g.N(), g.Edges())
	}
	for u := range uint32(10) {
		if g.Out().Degree(u) != 3 || slices.Max(depths(g, u)) != 2 || slices.Min(depths(g, u)) < 0 {
			t.Errorf("vertex %d: degree %d, depths %v", u, g.Out().Degree(u), depths(g, u))
		}
		for v := range u {
			common := 0
			for _, w := range g.Out().Neighbors(u) {
				if _, ok := slices.BinarySearch(g.Out().Neighbors(v), w); ok {
					common++
				}
			}
			if common > 1 || common == 1 && depths(g, u)[v] == 1 {
				t.Errorf("%d and %d are on a short cycle", u, v)
			}
		}
	}
}

// distances is Bellman and Ford's method, the obvious way.
func distances(g *graph.Graph, source uint32) []float64 {
	dist := make([]float64, g.N())
	for v := range dist {
		dist[v] = math.Inf(1)
	}
	dist[source] = 0
	for range g.N() {
		for u := range uint32(g.N()) {
			for i, v := range g.Out().Neighbors(u) {
				dist[v] = min(dist[v], dist[u]+g.Out().Weights.At(g.Out().Offsets.At(u)+uint64(i)))
			}
		}
	}
	return dist
}

func TestShortestPathsOfCLRS(t *testing.T) {
	for kind, want := range map[string]map[string]float64{
		"clrs-sssp":         {"s": 0, "t": 8, "x": 9, "y": 5, "z": 7},
		"clrs-bellman-ford": {"s": 0, "t": 2, "x": 4, "y": 7, "z": -2},
	} {
		g := generate(t, graphgen.Spec{Kind: kind}, graphgen.Options{})
		if !g.Directed() || g.N() != 5 || g.Arcs() != 10 {
			t.Fatalf("%s: %d vertices, %d arcs", kind, g.N(), g.Arcs())
		}
		dist := distances(g, vertex(t, g, "s"))
		for id, d := range want {
			if got := dist[vertex(t, g, id)]; got != d {
				t.Errorf("%s: %s at %g, want %g", kind, id, got, d)
			}
		}
	}
}

func vertex(t *testing.T, g *graph.Graph, id string) uint32 {
	t.Helper()
	v, err := g.IDs().Parse(id)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestBFSOfCLRS(t *testing.T) {
	g := generate(t, graphgen.Spec{Kind: "clrs-bfs"}, graphgen.Options{})
	if g.Directed() || g.N() != 8 || g.Edges() != 10 {
		t.Fatalf("%d vertices, %d edges", g.N(), g.Edges())
	}
	got := depths(g, vertex(t, g, "s"))
	for id, d := range map[string]int{"r": 1, "s": 0, "t": 2, "u": 3, "v": 2, "w": 1, "x": 2, "y": 3} {
		if got[vertex(t, g, id)] != d {
			t.Errorf("%s at depth %d, want %d", id, got[vertex(t, g, id)], d)
		}
	}
}

func TestSCCOfCLRS(t *testing.T) {
	g := generate(t, graphgen.Spec{Kind: "clrs-scc"}, graphgen.Options{})
	if !g.Directed() || g.N() != 8 || g.Arcs() != 14 || g.Loops() != 1 {
		t.Fatalf("%d vertices, %d arcs, %d loops", g.N(), g.Arcs(), g.Loops())
	}
	component := map[string]int{"a": 0, "b": 0, "e": 0, "c": 1, "d": 1, "f": 2, "g": 2, "h": 3}
	for a, i := range component {
		for b, j := range component {
			u, v := vertex(t, g, a), vertex(t, g, b)
			both := depths(g, u)[v] >= 0 && depths(g, v)[u] >= 0
			if both != (i == j) {
				t.Errorf("%s and %s reach each other: %v", a, b, both)
			}
		}
	}
}

// Prim's method, the obvious way.
func TestMSTOfCLRS(t *testing.T) {
	g := generate(t, graphgen.Spec{Kind: "clrs-mst"}, graphgen.Options{})
	if g.Directed() || g.N() != 9 || g.Edges() != 14 {
		t.Fatalf("%d vertices, %d edges", g.N(), g.Edges())
	}
	inside, total := map[uint32]bool{0: true}, 0.0
	for len(inside) < g.N() {
		least, next := math.Inf(1), uint32(0)
		for u := range inside {
			for i, v := range g.Out().Neighbors(u) {
				if w := g.Out().Weights.At(g.Out().Offsets.At(u) + uint64(i)); !inside[v] && w < least {
					least, next = w, v
				}
			}
		}
		inside[next] = true
		total += least
	}
	if total != 37 {
		t.Errorf("minimum spanning tree of weight %g, want 37", total)
	}
}
