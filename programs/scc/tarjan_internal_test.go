package scc

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs/internal/trial"
)

// Numbers that stand apart from the components, as where vertices are too many for one
// array, lead to the same ones; so does a search by few steps at a time, kept and gone on
// with between any two. Vertices that have a component are left out.
func TestNumbersApart(t *testing.T) {
	r := trial.Rand(t)
	for _, m := range []int{2000, 4000, 12000} {
		g := trial.Random(r, 3000, m, 0, true)
		known := make([]uint32, g.N())
		for v := range known {
			known[v] = graph.None
			if r.IntN(10) == 0 {
				known[v] = uint32(v)
			}
		}
		want := searched(g, known, false, nil)
		for _, apart := range []bool{false, true} {
			if got := searched(g, known, apart, r); !slices.Equal(got, want) {
				t.Fatalf("%d arcs, apart %v: other components", m, apart)
			}
		}
	}
}

// searched does the search at once, or, with r, by few steps, each time by another that
// has its parts.
func searched(g *graph.Graph, known []uint32, apart bool, r *rand.Rand) []uint32 {
	component := slices.Clone(known)
	t := &tarjan{out: g.Out()}
	t.begin(component, g.N(), apart)
	if r == nil {
		t.search(3 * g.N())
		return component
	}
	for int(t.at.Root) < g.N() || len(t.path) > 0 {
		t.search(1 + r.IntN(50))
		u := &tarjan{out: t.out, apart: slices.Clone(t.apart), path: slices.Clone(t.path), waiting: slices.Clone(t.waiting), at: t.at}
		component = slices.Clone(component)
		u.begin(component, g.N(), apart)
		t = u
	}
	return component
}

// What is no component is taken back when the search ends early.
func TestEndedEarly(t *testing.T) {
	r := trial.Rand(t)
	g := trial.Random(r, 3000, 6000, 0, true)
	open := make([]uint32, g.N())
	mem.Fill(open, graph.None)
	want := searched(g, open, false, nil)
	for steps := 0; steps < 3*g.N(); steps += 1 + r.IntN(300) {
		s := &tarjan{out: g.Out()}
		component := slices.Clone(open)
		s.begin(component, g.N(), false)
		s.search(steps)
		s.end()
		for v, c := range component {
			if c != want[v] && c != graph.None {
				t.Fatalf("after %d steps vertex %d is in component %d, want %d or nothing", steps, v, c, want[v])
			}
		}
	}
}
