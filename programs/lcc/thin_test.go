package lcc_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/trial"
	"gopregel/programs/lcc"
	"gopregel/runtime/cpu"
)

// ring joins each of n vertices to the k before and after it, in an order of ids
// that says nothing: every vertex has 2k neighbours, and Σ d² is 2k times the arcs.
func ring(r *rand.Rand, n, k int) (list graph.ArcList) {
	id := r.Perm(n)
	for v := range n {
		for i := 1; i <= k; i++ {
			list.List = append(list.List, graph.Arc{U: uint32(id[v]), V: uint32(id[(v+i)%n])})
		}
	}
	return list
}

// On both sides of the limit, with what makes a graph no thin one, too.
func TestThin(t *testing.T) {
	r := trial.Rand(t)
	const n = 3000
	loop := append(ring(r, n, 2).List, graph.Arc{U: 7, V: 7})
	twice := ring(r, n, 2).List
	twice = append(twice, twice[11])
	hub := func(degree uint32) graph.ArcList { // beside 12 000 arcs
		list := ring(r, n, 2)
		for v := range degree {
			list.List = append(list.List, graph.Arc{U: n, V: v})
		}
		return list
	}
	for _, c := range []struct {
		name     string
		list     graph.ArcList
		directed bool
		thin     bool
	}{
		{"4 neighbours", ring(r, n, 2), false, true},
		{"18 neighbours", ring(r, n, 9), false, true},
		{"20 neighbours", ring(r, n, 10), false, false},
		{"a hub of 110", hub(110), false, true},
		{"a hub of 111", hub(111), false, false},
		{"directed", ring(r, n, 2), true, false},
		{"a loop", graph.ArcList{List: loop}, false, false},
		{"a parallel edge", graph.ArcList{List: twice}, false, false},
	} {
		g := trial.Build(n+1, c.list, c.directed)
		check(t, c.name, g)
		if list := trial.Reads(t, g, lcc.New(), 2); (len(list) == 1) != c.thin {
			t.Errorf("%s: phases %v; thin: %v", c.name, list, c.thin)
		}
	}
}

// Wherever a loop or a parallel edge is, and in whichever place of a list, it is found: what
// comes out is what a graph without it has.
func TestThinRepeated(t *testing.T) {
	const n = 12
	for k := range 5 {
		list := ring(trial.Rand(t), n, k+1).List
		for u := range uint32(n + 1) { // the last has no neighbours
			for v := range u + 1 {
				g := trial.Build(n+1, graph.ArcList{List: append(slices.Clone(list), graph.Arc{U: u, V: v})}, false)
				counts, err := lcc.Count(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
				if err != nil {
					t.Fatal(err)
				}
				if arcs, degree := reference(g); !slices.Equal(counts.Arcs, arcs) || !slices.Equal(counts.Degree, degree) {
					t.Fatalf("a ring of %d neighbours with an arc more, %d to %d: counts %v, want %v, degrees %v, want %v", 2*k+2, u, v, counts.Arcs, arcs, counts.Degree, degree)
				}
			}
		}
	}
}

// In a grid no more is read than twice all arcs, whatever the number of workers.
func TestThinReads(t *testing.T) {
	g := trial.Generated(t, graphgen.Spec{Kind: "grid", Rows: 40, Cols: 70}, false)
	want := trial.Reads(t, g, lcc.New(), 1)
	trial.ReadsAre(t, "grid", g, lcc.New(), want)
	if arcs := g.Arcs(); len(want) != 1 || want[0].Arcs > 2*arcs {
		t.Errorf("a grid of %d arcs reads %v", arcs, want)
	}
}

// A ring of triangles is counted by several workers, each triangle once.
func TestThinTriangles(t *testing.T) {
	const n = 50_000
	g := trial.Build(n, ring(trial.Rand(t), n, 2), false)
	counts, err := lcc.Count(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 4})})
	if err != nil {
		t.Fatal(err)
	}
	for v, arcs := range counts.Arcs { // v±1, v±2: three sides, both ways
		if arcs != 6 {
			t.Fatalf("vertex %d: %d arcs", v, arcs)
		}
	}
}
