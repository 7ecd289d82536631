package wcc_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// reference lowers labels along arcs until none can be lowered.
func reference(g *graph.Graph) []uint32 {
	label := make([]uint32, g.N())
	for v := range label {
		label[v] = uint32(v)
	}
	for changed := true; changed; {
		changed = false
		for u := range uint32(g.N()) {
			for _, v := range g.Out().Neighbors(u) {
				least := min(label[u], label[v])
				changed = changed || label[u] != label[v]
				label[u], label[v] = least, least
			}
		}
	}
	return label
}

func randomGraph(r *rand.Rand, n, m int, directed bool) *graph.Graph {
	list := make([]graph.Arc, m)
	for i := range list {
		list[i] = graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n))}
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: directed})
	if err != nil {
		panic(err)
	}
	return g
}

func TestAgainstLowering(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, size := range [][2]int{{0, 0}, {1, 0}, {1, 2}, {65, 30}, {2000, 900}, {2000, 2200}, {4000, 40000}} {
		for _, directed := range []bool{false, true} {
			for _, inArcs := range []bool{false, true} { // the method depends on whether they are at hand
				g := randomGraph(r, max(size[0], 1), size[1], directed)
				if inArcs {
					g.In()
				}
				want := reference(g)
				for _, method := range []string{wcc.Afforest, wcc.Propagate} {
					for _, workers := range race.Workers(1, 2, 3, 8) {
						for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
							check(t, g, &wcc.WCC{Method: method}, cpu.New(cpu.Options{Workers: workers, Direction: d}), want)
						}
					}
				}
			}
		}
	}
}

func check(t *testing.T, g *graph.Graph, a *wcc.WCC, e pregel.Engine, want []uint32) {
	t.Helper()
	answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 1 << 12})
	if err != nil || answer.Stop.Reason != pregel.Halted {
		t.Fatalf("%+v: %v %v", a, answer, err)
	}
	if !slices.Equal(answer.Table.Columns[0].Vertices, want) {
		t.Fatalf("%+v, n %d: components differ", a, g.N())
	}
	if err := a.Certify(t.Context(), g, &answer.Table); err != nil {
		t.Fatal(err)
	}
}

func TestEmptyGraph(t *testing.T) {
	g, err := graph.FromArcs(0, graph.ArcList{}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{wcc.Afforest, wcc.Propagate} {
		answer, err := (&wcc.WCC{Method: method}).Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
		if err != nil || answer.Table.Rows() != 0 {
			t.Fatalf("%s: %v %v", method, answer, err)
		}
	}
}
