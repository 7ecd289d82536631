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

// reference asks a set of arcs about every ordered pair of neighbours.
func reference(g *graph.Graph) (arcs []uint64, degree []uint32) {
	set := map[[2]uint32]bool{}
	near := make([][]uint32, g.N())
	for u := range uint32(g.N()) {
		for _, v := range g.Out().Neighbors(u) {
			set[[2]uint32{u, v}] = true
			near[u], near[v] = append(near[u], v), append(near[v], u)
		}
	}
	arcs, degree = make([]uint64, g.N()), make([]uint32, g.N())
	for v, list := range near {
		slices.Sort(list)
		list = slices.DeleteFunc(slices.Compact(list), func(u uint32) bool { return u == uint32(v) })
		degree[v] = uint32(len(list))
		for _, u := range list {
			for _, w := range list {
				if u != w && set[[2]uint32{u, w}] {
					arcs[v]++
				}
			}
		}
	}
	return arcs, degree
}

func check(t *testing.T, name string, g *graph.Graph) {
	t.Helper()
	arcs, degree := reference(g)
	answer := trial.ByWorkers(t, g, lcc.New())
	for v, c := range answer.Table.Columns[0].Floats {
		want := 0.0
		if d := float64(degree[v]); d > 1 {
			want = float64(arcs[v]) / (d * (d - 1))
		}
		if c != want {
			t.Fatalf("%s: coefficient of %d is %v, want %d arcs, degree %d", name, v, c, arcs[v], degree[v])
		}
	}
	counts, err := lcc.Count(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 3})})
	if err != nil || !slices.Equal(counts.Arcs, arcs) || !slices.Equal(counts.Degree, degree) {
		t.Fatalf("%s: counts differ (%v)", name, err)
	}
}

func TestShapes(t *testing.T) {
	for _, c := range pregeltest.Graphs(trial.Rand(t).Uint64()) {
		check(t, c.Name, c.Graph)
	}
}

// Skewed degrees, so that triangles have hubs among their corners.
func TestRandom(t *testing.T) {
	r := trial.Rand(t)
	for _, directed := range []bool{false, true} {
		check(t, "dense", trial.Random(r, 150, 9000, 0, directed))
		var list graph.ArcList
		for range 30000 {
			u, v := r.Uint32N(3000), r.Uint32N(1+r.Uint32N(1+r.Uint32N(3000)))
			if r.IntN(2) == 0 {
				u, v = v, u
			}
			list.List = append(list.List, graph.Arc{U: u, V: v})
		}
		check(t, "skewed", trial.Build(3000, list, directed))
	}
}

// In a clique every coefficient is 1.
func TestClique(t *testing.T) {
	const n = 200
	var list graph.ArcList
	for u := range uint32(n) {
		for v := range u {
			list.List = append(list.List, graph.Arc{U: u, V: v})
		}
	}
	answer := trial.ByWorkers(t, trial.Build(n, list, false), lcc.New())
	for v, c := range answer.Table.Columns[0].Floats {
		if c != 1 {
			t.Fatalf("coefficient of %d is %v", v, c)
		}
	}
	answer = trial.ByWorkers(t, trial.Build(n, list, true), lcc.New())
	for v, c := range answer.Table.Columns[0].Floats {
		if c != 0.5 {
			t.Fatalf("one arc for each pair: coefficient of %d is %v", v, c)
		}
	}
}

// A run stopped early gives nothing: counts are not complete before the end.
func TestStoppedEarly(t *testing.T) {
	g := trial.Random(trial.Rand(t), 2000, 20000, 0, true)
	whole := trial.ByWorkers(t, g, lcc.New()).Table.Columns[0]
	trial.Early(t, g, lcc.New(), func(t *testing.T, a *pregel.Answer) {
		c := a.Table.Columns[0]
		for v := range c.Len() {
			if done := a.Stop.Reason == pregel.Halted; c.Empty(v) == done || done && c.Floats[v] != whole.Floats[v] {
				t.Fatalf("%v: coefficient of %d is %v", a.Stop, v, c.Floats[v])
			}
		}
	})
}

func TestCertifyFindsErrors(t *testing.T) {
	g := trial.Random(trial.Rand(t), 60, 600, 0, true)
	answer := trial.ByWorkers(t, g, lcc.New())
	c := answer.Table.Columns[0].Floats
	for v, right := range c {
		c[v] += 0.001
		if lcc.New().(pregel.Certifier).Certify(t.Context(), g, &answer.Table) == nil {
			t.Errorf("a wrong coefficient of vertex %d was certified", v)
		}
		c[v] = right
	}
	if lcc.New().(pregel.Certifier).Certify(t.Context(), g, &pregel.Table{}) == nil {
		t.Error("a table without columns was certified")
	}
}
