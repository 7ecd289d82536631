package lcc_test

import (
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/internal/trial"
	"gopregel/programs/lcc"
	"gopregel/runtime/cpu"
)

// On both sides of the limit, which a hub in a ring of 20 neighbours reaches, with what makes a graph no even
// one, too.
func TestEven(t *testing.T) {
	r := trial.Rand(t)
	const n, k = 3000, 10
	most := 0 // neighbours of the hub
	even := func(hub int) bool {
		arcs := float64(2 * (n*k + hub))
		squares := float64((n-hub)*(2*k)*(2*k) + hub*(2*k+1)*(2*k+1) + hub*hub)
		return squares*(n+1) <= 1.25*arcs*arcs
	}
	for even(most + 1) {
		most++
	}
	if most < 10 || most > n/2 {
		t.Fatalf("a hub of %d", most)
	}
	with := func(hub int, more ...graph.Arc) graph.ArcList {
		list := ring(r, n, k)
		for v := range uint32(hub) {
			list.List = append(list.List, graph.Arc{U: n, V: v})
		}
		list.List = append(list.List, more...)
		return list
	}
	twice := with(0)
	twice.List = append(twice.List, twice.List[5])
	for _, c := range []struct {
		name     string
		list     graph.ArcList
		directed bool
		phases   []string
	}{
		{"20 neighbours", with(0), false, byMarks},
		{"a hub within the limit", with(most), false, byMarks},
		{"a hub beyond it", with(most + 1), false, byRank},
		{"directed", with(0), true, byRank},
		{"a loop", with(0, graph.Arc{U: 8, V: 8}), false, append([]string{"lcc look"}, byRank...)},
		{"a parallel edge", twice, false, append([]string{"lcc look"}, byRank...)},
	} {
		g := trial.Build(n+1, c.list, c.directed)
		check(t, c.name, g)
		var phases []string
		for _, x := range trial.Reads(t, g, lcc.New(), 2) {
			phases = append(phases, x.Phase)
		}
		if !slices.Equal(phases, c.phases) {
			t.Errorf("%s: phases %q, want %q", c.name, phases, c.phases)
		}
		trial.ReadsAre(t, c.name, g, lcc.New(), trial.Reads(t, g, lcc.New(), 1))
	}
}

var byMarks = []string{"lcc look", "lcc triangles", "lcc sum"}

var byRank = []string{"lcc degrees", "lcc order", "lcc measure", "lcc build", "lcc triangles", "lcc sum"}

// With offsets of 64 bits, and stopped before the end, which gives no answer.
func TestEvenWidened(t *testing.T) {
	g := trial.Build(500, ring(trial.Rand(t), 500, 12), false)
	check(t, "widened", pregeltest.Widened(g))
	for steps := 1; steps < len(byMarks); steps++ {
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: steps}
		if counts, err := lcc.Count(t.Context(), j); err != nil || counts.Arcs != nil || counts.Stop.Supersteps != steps {
			t.Errorf("stopped after %d: counts %v, %v, %v", steps, counts.Arcs != nil, counts.Stop, err)
		}
	}
}

// Wherever a loop or a parallel edge is it is found, as in a thin graph.
func TestEvenRepeated(t *testing.T) {
	const n = 24
	list := ring(trial.Rand(t), n, 10).List // 20 of 23 others
	for u := range uint32(n) {
		for v := range u + 1 {
			g := trial.Build(n, graph.ArcList{List: append(slices.Clone(list), graph.Arc{U: u, V: v})}, false)
			counts, err := lcc.Count(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
			if err != nil {
				t.Fatal(err)
			}
			if arcs, degree := reference(g); !slices.Equal(counts.Arcs, arcs) || !slices.Equal(counts.Degree, degree) {
				t.Fatalf("with an arc more, %d to %d: counts %v, want %v, degrees %v, want %v", u, v, counts.Arcs, arcs, counts.Degree, degree)
			}
		}
	}
}
