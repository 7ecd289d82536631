package wcc

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/internal/census"
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
	for _, n := range race.Some(300, 1000, 4096, 20_011) {
		for _, center := range []int{0, n / 2, n*8/10 - 1} {
			g := around(t, r, n, uint32(center))
			h, near, of := findHub(g.Out())
			if h == nil {
				t.Fatalf("n %d, hub %d: no hub is found, %d of %d are near", n, center, near, of)
			}
			want := byLabels(t, g)
			attached(t, g, h, want)
			for _, workers := range race.Workers(1, 2, 5) {
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
	components, largest := census.Labels(r.Values)
	if want := (counted{components, largest}); known != want {
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

// Graphs in which no vertex is near to many have no hub; nor have those in which most
// that are near to one are below its neighbours, or have no arcs.
func TestNoHub(t *testing.T) {
	const n = 10_000
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	var even, upper, clique []graph.Arc
	for range 20 * n {
		even = append(even, graph.Arc{U: r.Uint32N(n), V: r.Uint32N(n)})
	}
	for range 8 * n {
		upper = append(upper, graph.Arc{U: r.Uint32N(n - 1), V: n - 2 - r.Uint32N(n/4)})
	}
	for v := range uint32(n / 4) {
		upper = append(upper, graph.Arc{U: n - 1 - v, V: n - 1})
	}
	seen := bitmap.New(n)
	for v := range uint32(census.Samples) {
		seen.Set(uint32(graph.SplitMix64(uint64(v)) % n))
	}
	for u := range uint32(100) {
		for v := range u {
			if !seen.Has(u) && !seen.Has(v) {
				clique = append(clique, graph.Arc{U: u, V: v})
			}
		}
	}
	for name, list := range map[string][]graph.Arc{"none": nil, "even": even, "upper": upper, "clique": clique} {
		g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if h, near, of := findHub(g.Out()); h != nil {
			t.Errorf("%s: there is a hub, %d of %d are near", name, near, of)
		}
	}
}

// Few vertices, and numbers of them about whole words: cliques, with self-loops, and
// vertices beside that have no arcs but to themselves, before, among and behind.
func TestHubsOfFew(t *testing.T) {
	for n := range 131 {
		for _, every := range []int{1, 2, 3} {
			var list []graph.Arc
			for u := range n {
				list = append(list, graph.Arc{U: uint32(u), V: uint32(u)})
				for v := every - 1; v < u && u%every == every-1; v += every {
					list = append(list, graph.Arc{U: uint32(u), V: uint32(v)})
				}
			}
			g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{})
			if err != nil {
				t.Fatal(err)
			}
			j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}
			r, _, err := New().(*WCC).components(t.Context(), j)
			if err != nil || !slices.Equal(r.Values, byLabels(t, g)) {
				t.Fatalf("%d vertices, every %d: %v, error %v", n, every, r.Values, err)
			}
		}
	}
}

// What most vertices have for a neighbour in a directed graph joins nobody: a hub's
// out-arcs would have to be in-arcs as well.
func TestNoHubAmongDirected(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	g := around(t, r, 3000, 1)
	directed, err := graph.FromArcs(g.N(), graph.ArcList{List: all(g)}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []*graph.Graph{g, directed} {
		w := &joining{g: g}
		if _, ok := w.toHub(); ok == g.Directed() || (w.hub != nil) != ok {
			t.Errorf("directed %v: hub %v", g.Directed(), ok)
		}
	}
	if !slices.Equal(byLabels(t, directed), found(t, directed, 2)) {
		t.Error("components differ")
	}
}

func all(g *graph.Graph) []graph.Arc {
	var list []graph.Arc
	for u := range uint32(g.N()) {
		for _, v := range g.Out().Neighbors(u) {
			list = append(list, graph.Arc{U: u, V: v})
		}
	}
	return list
}

// A run beside a hub that is stopped tells what it has come to; before it has begun every
// vertex is alone.
func TestHubStopped(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	g := around(t, r, 3000, 7)
	last := g.N() + 1
	for most := range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		if most == 0 {
			cancel()
		}
		answer, err := New().Run(ctx, &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: most})
		cancel()
		if err != nil || answer.Stop.Reason == pregel.Halted {
			t.Fatalf("%v, error %v", answer, err)
		}
		labels := slices.Compact(slices.Sorted(slices.Values(answer.Table.Columns[0].Vertices)))
		got := answer.Summary[0].Value.(int)
		if got != len(labels) || most == 0 && got != g.N() || got >= last {
			t.Errorf("%d supersteps: %d components, %d labels, %d before", most, got, len(labels), last)
		}
		last = got
	}
}
