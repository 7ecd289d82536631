package scc_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/internal/trial"
	"gopregel/programs/scc"
	"gopregel/runtime/cpu"
)

// reference is Kosaraju's algorithm, by a list of its own: the components are
// what searches backward find, from vertices in falling order of the end of a
// search forward.
func reference(g *graph.Graph) []uint32 {
	seen := make([]bool, g.N())
	var ended []uint32
	for v := range uint32(g.N()) {
		ended = visit(g.Out(), v, seen, ended)
	}
	component := make([]uint32, g.N())
	clear(seen)
	slices.Reverse(ended)
	for _, v := range ended {
		members := visit(g.In(), v, seen, nil)
		if len(members) == 0 {
			continue
		}
		least := slices.Min(members)
		for _, u := range members {
			component[u] = least
		}
	}
	return component
}

// visit appends what v reaches unseen, each vertex after those seen from it.
func visit(c graph.CSR, v uint32, seen []bool, ended []uint32) []uint32 {
	if seen[v] {
		return ended
	}
	seen[v] = true
	for _, u := range c.Neighbors(v) {
		ended = visit(c, u, seen, ended)
	}
	return append(ended, v)
}

// byReach says the definition: each reaches the other.
func byReach(g *graph.Graph) []uint32 {
	n := g.N()
	reaches := make([][]bool, n)
	for v := range reaches {
		reaches[v] = make([]bool, n)
		visit(g.Out(), uint32(v), reaches[v], nil)
	}
	component := make([]uint32, n)
	for v := range component {
		u := 0
		for !reaches[u][v] || !reaches[v][u] {
			u++
		}
		component[v] = uint32(u)
	}
	return component
}

func check(t *testing.T, name string, g *graph.Graph, want []uint32) {
	t.Helper()
	components, largest := counted(want)
	for way, a := range scc.Ways(uint64(len(g.Out().Targets))/5 + 1) {
		answer := trial.Everywhere(t, g, a)
		if !slices.Equal(answer.Table.Columns[0].Vertices, want) {
			t.Fatalf("%s, %s: components differ from the reference", name, way)
		}
		if s := answer.Summary; s[0].Value != components || s[1].Value != largest {
			t.Fatalf("%s, %s: %v, want %d components, of %d vertices at most", name, way, s, components, largest)
		}
	}
}

// counted counts the components and the vertices of the largest.
func counted(component []uint32) (components, largest int) {
	sizes := map[uint32]int{}
	for _, c := range component {
		sizes[c]++
		largest = max(largest, sizes[c])
	}
	return len(sizes), largest
}

func TestShapes(t *testing.T) {
	for _, c := range pregeltest.Graphs(trial.Rand(t).Uint64()) {
		want := reference(c.Graph)
		if c.Graph.N() <= 130 && !slices.Equal(want, byReach(c.Graph)) {
			t.Fatalf("%s: the references differ", c.Name)
		}
		check(t, c.Name, c.Graph, want)
	}
}

// Random graphs at all densities: no giant, a small one, nearly everything.
func TestRandom(t *testing.T) {
	r := trial.Rand(t)
	for _, m := range []int{5000, 6000, 8000, 15000, 60000} {
		g := trial.Random(r, 5000, m, 0, true)
		check(t, "random", g, reference(g))
	}
}

// Trees of cycles: many components in long chains, which trimming does not
// touch, with and without a giant among them.
func TestManySmallCycles(t *testing.T) {
	r := trial.Rand(t)
	for _, giant := range []int{0, 6000} {
		list := cycle(nil, 0, giant)
		n := giant
		for n < 20000 {
			size := 1 + r.IntN(5)
			list = cycle(list, n, size)
			if n > 0 {
				list = append(list, graph.Arc{U: r.Uint32N(uint32(n)), V: uint32(n)}, graph.Arc{U: uint32(n - 1), V: uint32(n)})
			}
			n += size
		}
		g := shuffled(r, n, list)
		check(t, "small cycles", g, reference(g))
	}
}

// A component of parts is named after its least vertex, in whatever order bridges lead
// to them.
func TestLeastOfParts(t *testing.T) {
	list := cycle(cycle(nil, 6, 58), 101, 27)
	list = append(list, graph.Arc{U: 0, V: 100}, graph.Arc{U: 5, V: 100}, graph.Arc{U: 100, V: 5})
	g := trial.Build(128, graph.ArcList{List: list}, true)
	check(t, "two parts", g, reference(g))
}

// Grids whose edges are turned at random have a giant and many small components, of
// which districts find parts.
func TestGrids(t *testing.T) {
	r := trial.Rand(t)
	for range 5 {
		const side = 60
		var list []graph.Arc
		for v := range uint32(side * side) {
			for _, u := range []uint32{v + 1, v + side} {
				if u >= side*side || u == v+1 && u%side == 0 {
					continue
				}
				there, back := graph.Arc{U: v, V: u}, graph.Arc{U: u, V: v}
				switch r.IntN(3) {
				case 0:
					list = append(list, there)
				case 1:
					list = append(list, back)
				default:
					list = append(list, there, back)
				}
			}
		}
		g := trial.Build(side*side, graph.ArcList{List: list}, true)
		check(t, "grid", g, reference(g))
	}
}

func cycle(list []graph.Arc, from, size int) []graph.Arc {
	for i := range size {
		list = append(list, graph.Arc{U: uint32(from + i), V: uint32(from + (i+1)%size)})
	}
	return list
}

// shuffled builds the directed graph with its vertices permuted.
func shuffled(r *rand.Rand, n int, list []graph.Arc) *graph.Graph {
	to := r.Perm(n)
	for i, a := range list {
		list[i] = graph.Arc{U: uint32(to[a.U]), V: uint32(to[a.V])}
	}
	return trial.Build(n, graph.ArcList{List: list}, true)
}

// A hub before a long tail: the search forward is given up.
func TestLongTail(t *testing.T) {
	r := trial.Rand(t)
	const hub, tail = 5000, 2000
	var list []graph.Arc
	for v := range uint32(hub) {
		list = append(list, graph.Arc{U: v + 1, V: 0}, graph.Arc{U: 0, V: v + 1})
	}
	list = append(cycle(list, hub+1, tail), graph.Arc{U: 0, V: hub + 1})
	for _, back := range []bool{false, true} {
		if back {
			list = append(list, graph.Arc{U: hub + tail/2, V: 0})
		}
		g := shuffled(r, hub+1+tail, slices.Clone(list))
		check(t, "long tail", g, reference(g))
	}
}

// Deep graphs end in seconds.
func TestMillionDeep(t *testing.T) {
	if testing.Short() {
		t.Skip("a million vertices")
	}
	n := 1 << 20
	if race.On {
		n >>= 3
	}
	ring := cycle(nil, 0, n)
	for _, list := range [][]graph.Arc{ring, ring[:n-1]} {
		g := trial.Build(n, graph.ArcList{List: list}, true)
		r, err := scc.Components(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
		if err != nil || r.Stop.Reason != pregel.Halted {
			t.Fatal(r.Stop, err)
		}
		for v, c := range r.Values {
			if want := uint32(v) * uint32(n-len(list)); c != want {
				t.Fatalf("%d arcs: vertex %d is in component %d, want %d", len(list), v, c, want)
			}
		}
	}
}

// A run stopped early gives the components it has found, and no wrong ones.
func TestStoppedEarly(t *testing.T) {
	r := trial.Rand(t)
	for _, directed := range []bool{false, true} {
		g := trial.Random(r, 20000, 30000, 0, directed)
		want := reference(g)
		for way, a := range scc.Ways(5000) {
			trial.Early(t, g, a, func(t *testing.T, a *pregel.Answer) {
				for v, c := range a.Table.Columns[0].Vertices {
					if c != want[v] && (c != graph.None || a.Stop.Reason == pregel.Halted) {
						t.Fatalf("%s, %v: vertex %d is in component %d, want %d or nothing", way, a.Stop, v, c, want[v])
					}
				}
			})
		}
	}
}

// A run that is interrupted anywhere, and gone on with, has the same answer, by all ways.
func TestResumed(t *testing.T) {
	r := trial.Rand(t)
	for _, m := range []int{20_000, 40_000} {
		g := trial.Random(r, 20_000, m, 0, true)
		want := reference(g)
		components, largest := counted(want)
		ended := 0
		for range 10 {
			for way, a := range scc.Ways(uint64(m) / 7) {
				job := func() (pregel.Algorithm, *pregel.Job) {
					return a, &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}
				}
				got, times, err := pregeltest.Interrupted(t.Context(), r, 2, job)
				if err != nil {
					t.Fatal(err)
				}
				ended += times
				if s := got.Summary; !slices.Equal(got.Table.Columns[0].Vertices, want) || s[0].Value != components || s[1].Value != largest {
					t.Fatalf("%d arcs, %s: another answer after %d interruptions: %v", m, way, times, s)
				}
			}
		}
		if ended == 0 {
			t.Error("nothing was interrupted")
		}
	}
}

func TestCertifyFindsErrors(t *testing.T) {
	g := trial.Build(4, graph.ArcList{List: cycle(nil, 1, 3)}, true)
	for _, wrong := range [][]uint32{{0, 1, 1, 2}, {0, 0, 0, 0}, {0, 1, 2, 3}, {0, 1, 1}} {
		table := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "component", Vertices: wrong}}}
		if scc.New().(pregel.Certifier).Certify(t.Context(), g, table) == nil {
			t.Errorf("%v was certified", wrong)
		}
	}
	if scc.New().(pregel.Certifier).Certify(t.Context(), g, &pregel.Table{}) == nil {
		t.Error("a table without columns was certified")
	}
}
