//go:build cuda || emulate

package scc_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/trial"
	"gopregel/programs/scc"
)

// onDevice compares the device with the CPU, the certificate and Kosaraju's
// algorithm.
func onDevice(t *testing.T, name string, g *graph.Graph) {
	t.Helper()
	answer := trial.OnDevice(t, name, g, scc.New(), 0)
	if !slices.Equal(answer.Table.Columns[0].Vertices, reference(g)) {
		t.Fatalf("%s: components differ from the reference", name)
	}
}

func TestDeviceShapes(t *testing.T) {
	trial.Device(t)
	for _, c := range trial.Graphs(trial.Rand(t).Uint64()) {
		if c.Graph.N() > 0 && c.Graph.Directed() {
			onDevice(t, c.Name, c.Graph)
		}
	}
}

// Random graphs at all densities: no giant, a small one, nearly everything; two
// of them beside each other, so that one is left to the colours.
func TestDeviceRandom(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	sizes := []int{5000, 200_000}
	if testing.Short() {
		sizes = []int{300}
	}
	for _, n := range sizes {
		for _, share := range []float64{0.7, 1, 1.2, 1.6, 3, 12} {
			m := int(share * float64(n))
			onDevice(t, fmt.Sprintf("%d vertices, %d arcs", n, m), trial.Random(r, n, m, 0, true))
			onDevice(t, fmt.Sprintf("twice %d vertices, %d arcs", n, m), twice(r, n, m))
		}
	}
}

// twice makes two random graphs with a few arcs from one to the other.
func twice(r *rand.Rand, n, m int) *graph.Graph {
	var list []graph.Arc
	for i := range 2 * m {
		from := uint32(i%2) * uint32(n)
		list = append(list, graph.Arc{U: from + r.Uint32N(uint32(n)), V: from + r.Uint32N(uint32(n))})
	}
	for range 10 {
		list = append(list, graph.Arc{U: r.Uint32N(uint32(n)), V: uint32(n) + r.Uint32N(uint32(n))})
	}
	return shuffled(r, 2*n, list)
}

// Trees and chains of cycles, in order and shuffled: many components, which
// trimming does not touch.
func TestDeviceManySmallCycles(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	for _, giant := range []int{0, 6000} {
		for _, tree := range []bool{false, true} {
			n, most := giant, 20_000
			if testing.Short() {
				n, most = giant/20, 800
			}
			list := cycle(nil, 0, n)
			for n < most {
				size := 1 + r.IntN(5)
				list = cycle(list, n, size)
				if n > 0 {
					list = append(list, graph.Arc{U: uint32(n - 1), V: uint32(n)})
				}
				if tree && n > 0 {
					list = append(list, graph.Arc{U: r.Uint32N(uint32(n)), V: uint32(n)})
				}
				n += size
			}
			onDevice(t, "small cycles in order", trial.Build(n, graph.ArcList{List: slices.Clone(list)}, true))
			onDevice(t, "small cycles", shuffled(r, n, list))
		}
	}
}

// What is left outside of the pivot's component is one block's up to a number of
// vertices and of arcs, and the whole grid's beyond (ALONE_VERTICES and ALONE_ARCS
// in kernels/scc_rest.cuh); here is more, in either way.
func TestDeviceMuchLeft(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	var list []graph.Arc
	n := 0
	for n < 5000 {
		list = cycle(list, n, 3+r.IntN(3))
		n = len(list)
	}
	for _, g := range []*graph.Graph{shuffled(r, n, list), twice(r, 300, 40_000)} {
		onDevice(t, "as it is", g)
		p, err := pregel.Prepare(t.Context(), g, "degree", 2)
		if err != nil {
			t.Fatal(err)
		}
		onDevice(t, "by degree", p.Graph)
	}
}

// A ring of vertices with arcs enough to be cut into chunks, among many others, so
// that searches keep to their lists.
func TestDeviceChunks(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	const relays, fan, back = 8, 100, 60
	var list []graph.Arc
	n := uint32(relays * (fan + 1))
	for relay := uint32(0); relay < n; relay += fan + 1 {
		for v := relay + 1; v <= relay+fan; v++ {
			list = append(list, graph.Arc{U: relay, V: v}, graph.Arc{U: v, V: (relay + fan + 1) % n})
		}
		for range back {
			list = append(list, graph.Arc{U: relay, V: r.Uint32N(relay + 1)}, graph.Arc{U: r.Uint32N(relay + 1), V: relay})
		}
	}
	chunked(t, r, n+6000, n, list)
	// Several such beside each other: of each the only way to one that has no other.
	const beside = 70
	list = nil
	for v := uint32(1); v <= beside; v++ {
		list = append(list, graph.Arc{U: 0, V: v}, graph.Arc{U: v + beside, V: 0})
		for range 130 {
			list = append(list, graph.Arc{U: v, V: v + beside}, graph.Arc{U: 0, V: 0})
		}
	}
	chunked(t, r, 40_000, 2*beside+1, list)
}

// chunked has the device find the components of some arcs among pairs of vertices,
// from number pairs on.
func chunked(t *testing.T, r *rand.Rand, n, pairs uint32, list []graph.Arc) {
	t.Helper()
	for v := pairs; v+1 < n; v += 2 {
		list = append(list, graph.Arc{U: v, V: v + 1}, graph.Arc{U: v + 1, V: v})
	}
	g := shuffled(r, int(n), list)
	if g.Arcs() != uint64(len(list)) {
		t.Fatalf("%d arcs, want %d, with all that are parallel", g.Arcs(), len(list))
	}
	onDevice(t, "as it is", g)
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	onDevice(t, "by degree", p.Graph)
}

// Hubs, which are looked at in pieces (HUB in kernels/scc.cuh): one that the pivot
// reaches by its last arc alone, one that it does not reach.
func TestDeviceHubs(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	const n, core = 13_000, 60
	var list []graph.Arc
	for range 12 * core {
		list = append(list, graph.Arc{U: r.Uint32N(core), V: r.Uint32N(core)})
	}
	for range 6 * n { // the pivot is in there
		list = append(list, graph.Arc{U: 0, V: r.Uint32N(core)}, graph.Arc{U: r.Uint32N(core), V: 0})
	}
	for leaf := uint32(core + 2); leaf < n; leaf++ {
		for hub := uint32(core); hub < core+2; hub++ {
			list = append(list, graph.Arc{U: leaf, V: hub}, graph.Arc{U: hub, V: leaf})
			if r.IntN(2) == 0 {
				break
			}
		}
	}
	list = append(list, graph.Arc{U: 1, V: n - 1}, graph.Arc{U: core, V: 1})
	for _, arcs := range [][]graph.Arc{list, list[:len(list)-1]} {
		g := trial.Build(n, graph.ArcList{List: slices.Clone(arcs)}, true)
		onDevice(t, "as it is", g)
		p, err := pregel.Prepare(t.Context(), g, "degree", 2)
		if err != nil {
			t.Fatal(err)
		}
		onDevice(t, "by degree", p.Graph)
	}
}

// directedGrid joins neighbours in one direction each, by chance.
func directedGrid(r *rand.Rand, rows, cols int) *graph.Graph {
	var list []graph.Arc
	join := func(u, v int) {
		if r.IntN(2) == 0 {
			u, v = v, u
		}
		list = append(list, graph.Arc{U: uint32(u), V: uint32(v)})
		if r.IntN(3) == 0 {
			list = append(list, graph.Arc{U: uint32(v), V: uint32(u)})
		}
	}
	for v := range rows * cols {
		if (v+1)%cols != 0 {
			join(v, v+1)
		}
		if v+cols < rows*cols {
			join(v, v+cols)
		}
	}
	return trial.Build(rows*cols, graph.ArcList{List: list}, true)
}

// Generated graphs: hubs, grids, a star; a hub of a million arcs each way that
// the pivot's component does not hold.
func TestDeviceGenerated(t *testing.T) {
	trial.Device(t)
	if testing.Short() {
		t.Log("a short test: only smaller graphs")
		return
	}
	r := trial.Rand(t)
	for _, c := range trial.Shapes(t, r, true) {
		onDevice(t, c.Name, c.Graph)
	}
	yes := true
	for _, s := range []graphgen.Spec{
		{Kind: "kronecker", Scale: 16, EdgeFactor: 16, Seed: r.Uint64()},
		{Kind: "kronecker", Scale: 16, EdgeFactor: 2, Seed: r.Uint64()},
		{Kind: "uniform", Scale: 16, EdgeFactor: 8, Seed: r.Uint64()},
		{Kind: "grid", Rows: 300, Cols: 400},
		{Kind: "path", N: 3000},
		{Kind: "cycle", N: 3000},
		{Kind: "star", N: 1 << 20},
	} {
		g, err := graphgen.Generate(t.Context(), s, graphgen.Options{Directed: &yes})
		if err != nil {
			t.Fatal(err)
		}
		onDevice(t, fmt.Sprintf("%+v", s), g)
	}
	onDevice(t, "grid with random directions", directedGrid(r, 500, 300))
	onDevice(t, "hub outside", hubOutside(r))
}

func hubOutside(r *rand.Rand) *graph.Graph {
	const giant, leaves = 2000, 1 << 20
	var list []graph.Arc
	for range 20 * giant {
		list = append(list, graph.Arc{U: r.Uint32N(giant), V: r.Uint32N(giant)})
	}
	for range 4000 * giant / 10 { // so that the pivot is in there
		list = append(list, graph.Arc{U: 0, V: 1 + r.Uint32N(giant-1)}, graph.Arc{U: 1 + r.Uint32N(giant-1), V: 0})
	}
	for i := range uint32(leaves / 2) {
		list = append(list, graph.Arc{U: giant, V: giant + 1 + i}, graph.Arc{U: giant + 1 + leaves/2 + i, V: giant})
	}
	return trial.Build(giant+1+leaves, graph.ArcList{List: list}, true)
}

// Deep graphs end in seconds: they are handed to the host.
func TestDeviceMillionDeep(t *testing.T) {
	e := trial.Device(t)
	n := 1 << 20
	if testing.Short() {
		n = 2000
	}
	ring := cycle(nil, 0, n)
	for _, list := range [][]graph.Arc{ring, ring[:n-1]} {
		g := trial.Build(n, graph.ArcList{List: list}, true)
		result, err := scc.Components(t.Context(), &pregel.Job{Graph: g, Engine: e})
		if err != nil || result.Stop.Reason != pregel.Halted {
			t.Fatal(result.Stop, err)
		}
		for v, c := range result.Values {
			if want := uint32(v) * uint32(n-len(list)); c != want {
				t.Fatalf("%d arcs: vertex %d is in component %d, want %d", len(list), v, c, want)
			}
		}
	}
}

// Graphs in other orders: vertices with most arcs first, those without any last.
func TestDevicePrepared(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	n := 20_000
	if testing.Short() {
		n = 600
	}
	yes := true
	scale := map[bool]int{false: 14, true: 8}[testing.Short()]
	kronecker, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: scale, EdgeFactor: 8, Seed: r.Uint64()}, graphgen.Options{Directed: &yes})
	if err != nil {
		t.Fatal(err)
	}
	graphs := map[string]*graph.Graph{"kronecker": kronecker, "grid": directedGrid(r, 20, n/20), "isolated": trial.Random(r, n, n/2, 0, true),
		"no giant": trial.Random(r, n, n, 0, true), "giant": trial.Random(r, n, 4*n, 0, true), "two giants": twice(r, n/2, n),
		"small cycles": shuffled(r, n, cycle(cycle(nil, 0, 3), 3, n/2)), "loops and no arcs": trial.Build(70, graph.ArcList{List: []graph.Arc{{U: 3, V: 3}, {U: 69, V: 69}}}, true)}
	for name, g := range graphs {
		for _, order := range pregel.Orders {
			p, err := pregel.Prepare(t.Context(), g, order, 2)
			if err != nil {
				t.Fatal(err)
			}
			onDevice(t, name+" by "+order, p.Graph)
		}
	}
}

// A run stopped early gives the components it has found, and no wrong ones.
func TestDeviceStopped(t *testing.T) {
	e := trial.Device(t)
	n := 20_000
	if testing.Short() {
		n = 500
	}
	g := trial.Random(trial.Rand(t), n, n*3/2, 0, true)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	result, err := scc.Components(ctx, &pregel.Job{Graph: g, Engine: e})
	if err != nil || result.Stop.Reason != pregel.Cancelled || len(result.Values) != g.N() {
		t.Fatal(result.Stop, err)
	}
	want := reference(g)
	for v, c := range result.Values {
		if c != graph.None && c != want[v] {
			t.Fatalf("vertex %d is in component %d, want %d or nothing", v, c, want[v])
		}
	}
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := p.Run(ctx, scc.New(), &pregel.Job{Engine: e})
	if err != nil || answer.Ordered || answer.Stop.Reason != pregel.Cancelled {
		t.Fatalf("%v, error %v, brought by the device: %v", answer.Stop, err, answer.Ordered)
	}
	if p, err = pregel.Prepare(t.Context(), trial.Partitioned(trial.Rand(t), true)["many"], "degree", 2); err != nil {
		t.Fatal(err)
	}
	want = reference(p.User())
	answer, err = p.Run(t.Context(), scc.New(), &pregel.Job{Engine: e, MaxSupersteps: 1}) // which may be enough
	if err != nil || answer.Ordered && answer.Stop.Reason != pregel.Halted {
		t.Fatalf("%v, error %v, brought by the device: %v", answer.Stop, err, answer.Ordered)
	}
	for v, c := range answer.Table.Columns[0].Vertices {
		if c != graph.None && c != want[v] {
			t.Fatalf("prepared, stopped: %v: vertex %d is in component %d, want %d or nothing", answer.Stop, v, c, want[v])
		}
	}
}

// Both searches tile by tile, on grids whose edges are turned, and with vertices
// that are not joined to the rest.
func TestDeviceTiles(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	rows := 200
	if testing.Short() {
		rows = 45 + r.IntN(20)
	}
	for range 3 {
		n := rows * rows
		l := graph.ArcList{}
		for v := range n {
			for _, u := range []int{v + 1, v + rows} {
				if u >= n || u == v+1 && u%rows == 0 || r.IntN(40) == 0 {
					continue
				}
				a := graph.Arc{U: uint32(v), V: uint32(u)}
				k := r.IntN(3)
				if k != 1 {
					l.List = append(l.List, a)
				}
				if k != 0 {
					l.List = append(l.List, graph.Arc{U: a.V, V: a.U})
				}
			}
		}
		p, err := pregel.Prepare(t.Context(), trial.Build(n, l, true), "tiles", 2)
		if err != nil {
			t.Fatal(err)
		}
		if !e.InTiles(p.Graph) {
			t.Fatal("the grid is not one for tiles")
		}
		trial.OnDevice(t, "grid in tiles", p.Graph, scc.New(), 0)
	}
}

// Components of a prepared graph come back by their least vertices in the graph's own order, whoever brings
// them: the device, unless the host has found some.
func TestDeviceBrings(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	brought := 0
	for _, directed := range []bool{true, false} {
		for name, g := range trial.Partitioned(r, directed) {
			for _, order := range pregel.Orders {
				if trial.Brings(t, name, g, order, scc.New(), 0) && directed && g.N() > 1 {
					brought++
				}
			}
		}
	}
	t.Logf("the device has brought %d answers of its own kernels", brought)
	if brought == 0 {
		t.Error("the host has brought all answers")
	}
}

// What the device has handed to the host, as it mostly does a path of small cycles, is not taken for brought.
func TestDeviceBringsNoneOfTheHost(t *testing.T) {
	e := trial.Device(t)
	const n = 20_000
	var path graph.ArcList
	for v := range uint32(n - 1) {
		path.List = append(path.List, graph.Arc{U: v, V: v + 1})
		if v%2 == 0 {
			path.List = append(path.List, graph.Arc{U: v + 1, V: v})
		}
	}
	p, err := pregel.Prepare(t.Context(), trial.Build(n, path, true), "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := p.Run(t.Context(), scc.New(), &pregel.Job{Engine: e})
	if err != nil || answer.Stop.Reason != pregel.Halted {
		t.Fatalf("%v, error %v", answer.Stop, err)
	}
	t.Logf("brought by the device: %v", answer.Ordered)
	for v, c := range answer.Table.Columns[0].Vertices {
		if int(c) != v/2*2 {
			t.Fatalf("vertex %d is in component %d, want %d", v, c, v/2*2)
		}
	}
}
