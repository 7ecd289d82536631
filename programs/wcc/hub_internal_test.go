package wcc

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// around makes a graph of n vertices in which a vertex has about every fourth for a
// neighbour, that has 12 arcs a vertex in all, and in which some have no neighbours and
// some are a component of their own.
func around(t *testing.T, r *rand.Rand, n int, center uint32) *graph.Graph {
	t.Helper()
	var list []graph.Arc
	most := uint32(n * 8 / 10)
	for range n / 4 {
		list = append(list, graph.Arc{U: center, V: r.Uint32N(most)})
	}
	for range n * 12 {
		list = append(list, graph.Arc{U: r.Uint32N(most), V: r.Uint32N(most)})
	}
	for v := most; v < most+uint32(n/10)-1; v++ {
		list = append(list, graph.Arc{U: v, V: v + 1})
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Vertices that are joined to a hub are in its component, roots are never greater than
// their vertices, and the whole algorithm comes to what passing labels comes to: for hubs
// of any number, and numbers of vertices that are not whole words.
func TestHub(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, n := range []int{300, 1000, 4096, 20_011} {
		for _, center := range []int{0, n / 2, n*8/10 - 1} {
			g := around(t, r, n, uint32(center))
			h, near, of := findHub(g.Out())
			if h == nil {
				t.Fatalf("n %d, hub %d: no hub is found, %d of %d are near", n, center, near, of)
			}
			want := byLabels(t, g)
			attached(t, g, h, want)
			for _, workers := range []int{1, 2, 5} {
				if got := found(t, g, workers); !slices.Equal(got, want) {
					t.Fatalf("n %d, hub %d, %d workers: components differ", n, center, workers)
				}
			}
		}
	}
}

func byLabels(t *testing.T, g *graph.Graph) []uint32 {
	t.Helper()
	r, err := (&WCC{Method: Propagate}).Components(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1})})
	if err != nil {
		t.Fatal(err)
	}
	return r.Values
}

func found(t *testing.T, g *graph.Graph, workers int) []uint32 {
	t.Helper()
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers})}
	r, known, err := New().(*WCC).components(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	components, largest := sizes(r.Values)
	if want := (counted{components, int(largest)}); known != want {
		t.Fatalf("%+v were counted, want %+v", known, want)
	}
	return r.Values
}

func attached(t *testing.T, g *graph.Graph, h *hub, component []uint32) {
	t.Helper()
	root := make([]uint32, g.N())
	h.attach(g.Out(), root, 0, uint32(g.N()))
	joined := 0
	for v, r := range root {
		if r > uint32(v) || r != uint32(v) && r != h.first || component[r] != component[v] {
			t.Fatalf("vertex %d has the root %d, the hub %d", v, r, h.first)
		}
		if r == h.first {
			joined++
		}
	}
	if joined < g.N()/2 {
		t.Errorf("%d of %d vertices are joined to the hub", joined, g.N())
	}
}

// Graphs in which no vertex is near to many have no hub.
func TestNoHub(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	var list []graph.Arc
	for range 200_000 {
		list = append(list, graph.Arc{U: r.Uint32N(10_000), V: r.Uint32N(10_000)})
	}
	for _, list := range [][]graph.Arc{nil, list} {
		g, err := graph.FromArcs(10_000, graph.ArcList{List: list}, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if h, near, of := findHub(g.Out()); h != nil {
			t.Errorf("%d arcs: there is a hub, %d of %d are near", len(list), near, of)
		}
	}
}
