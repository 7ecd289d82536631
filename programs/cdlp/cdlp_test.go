package cdlp_test

import (
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/cdlp"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
)

// reference counts labels in a map, arc by arc.
func reference(g *graph.Graph, iterations int) []uint32 {
	label := make([]uint32, g.N())
	for v := range label {
		label[v] = uint32(v)
	}
	for range iterations {
		counts := make([]map[uint32]int, g.N())
		for v := range counts {
			counts[v] = map[uint32]int{}
		}
		for u := range uint32(g.N()) {
			for _, v := range g.Out().Neighbors(u) {
				if u == v {
					continue
				}
				counts[v][label[u]]++
				if g.Directed() {
					counts[u][label[v]]++
				}
			}
		}
		next := slices.Clone(label)
		for v, count := range counts {
			most := 0
			for l, k := range count {
				if k > most || k == most && l < next[v] {
					most, next[v] = k, l
				}
			}
		}
		label = next
	}
	return label
}

func check(t *testing.T, name string, g *graph.Graph, iterations int) {
	t.Helper()
	answer := trial.Everywhere(t, g, &cdlp.CDLP{Iterations: iterations})
	if !slices.Equal(answer.Table.Columns[0].Vertices, reference(g, iterations)) {
		t.Fatalf("%s, %d iterations: labels differ from the reference", name, iterations)
	}
}

func TestShapes(t *testing.T) {
	for _, c := range pregeltest.Graphs(trial.Rand(t).Uint64()) {
		for _, iterations := range []int{0, 1, 2, 10} {
			check(t, c.Name, c.Graph, iterations)
		}
	}
}

// Degrees from 0 to thousands, with cliques, so that labels gather in different
// numbers.
func TestRandom(t *testing.T) {
	r := trial.Rand(t)
	for _, directed := range []bool{false, true} {
		var list graph.ArcList
		n := uint32(0)
		for n < 4000 {
			size := 1 + r.Uint32N(60)
			for range 4 * size {
				list.List = append(list.List, graph.Arc{U: n + r.Uint32N(size), V: n + r.Uint32N(size)})
			}
			list.List = append(list.List, graph.Arc{U: r.Uint32N(n + size), V: n})
			n += size
		}
		for range 5000 {
			list.List = append(list.List, graph.Arc{U: r.Uint32N(3), V: r.Uint32N(n)})
		}
		g := trial.Build(int(n), list, directed)
		for _, iterations := range []int{1, 3, 10} {
			check(t, "cliques", g, iterations)
		}
	}
}

// Two vertices swap their labels for ever; a triangle agrees after two
// iterations, and the third finds nothing to change.
func TestNumberOfIterations(t *testing.T) {
	pair := trial.Build(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}}}, false)
	triangle := trial.Build(3, graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 0}}}, false)
	for _, c := range []struct {
		g                *graph.Graph
		iterations, want int
	}{{pair, 7, 7}, {pair, 0, 0}, {triangle, 7, 3}} {
		job := &pregel.Job{Graph: c.g, Engine: cpu.New(cpu.Options{})}
		answer, err := (&cdlp.CDLP{Iterations: c.iterations}).Run(t.Context(), job)
		if err != nil || answer.Stop.Reason != pregel.Halted || answer.Stop.Supersteps != c.want {
			t.Errorf("%d vertices, %d iterations: %v, error %v, want %d", c.g.N(), c.iterations, answer.Stop, err, c.want)
		}
	}
}

// A run stopped after k iterations has the labels of k iterations.
func TestStoppedEarly(t *testing.T) {
	g := trial.Random(trial.Rand(t), 3000, 9000, 0, true)
	trial.Early(t, g, &cdlp.CDLP{Iterations: 8}, func(t *testing.T, a *pregel.Answer) {
		if !slices.Equal(a.Table.Columns[0].Vertices, reference(g, a.Stop.Supersteps)) {
			t.Fatalf("%v: not the labels of that many iterations", a.Stop)
		}
	})
}

func TestCertifyFindsErrors(t *testing.T) {
	g := trial.Random(trial.Rand(t), 40, 200, 0, false)
	for v := range uint32(40) {
		a := &cdlp.CDLP{Iterations: 4}
		labels := reference(g, 4)
		labels[v]++
		table := &pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "label", Vertices: labels}}}
		if a.Certify(t.Context(), g, table) == nil {
			t.Errorf("a wrong label of vertex %d was certified", v)
		}
	}
}
