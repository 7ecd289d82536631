package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/runtime/cpu"
)

// A frontier of more vertices than a place in two bytes can tell, which is thrown in rounds:
// parents, the least of several, are what a slow interpreter finds.
func TestBinsOfLongFrontiers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	g := layers(t, r, 70_000)
	p := landing[pair]{pair{graph.None, graph.None}, []uint32{0}, func(s, u uint32) pair { return pair{s, u} }}
	want := pregeltest.Reference[pair, uint32](g, p, nil, 1<<20)
	for workers := 1; workers < 4; workers++ {
		e := cpu.New(cpu.Options{Workers: workers, Direction: pregel.Push})
		e.Bin(true)
		got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, p)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Values, want.Values) {
			t.Errorf("%d workers: the values are not those of the reference", workers)
		}
	}
}

// layers is a vertex with arcs to n others, each of which has five to any of n more.
func layers(t *testing.T, r *rand.Rand, n uint32) *graph.Graph {
	var arcs []graph.Arc
	for v := range n {
		arcs = append(arcs, graph.Arc{U: 0, V: 1 + v})
		for range 5 {
			arcs = append(arcs, graph.Arc{U: 1 + v, V: 1 + n + r.Uint32N(n)})
		}
	}
	g, err := graph.FromArcs(int(2*n+1), graph.ArcList{List: arcs}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
