package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// A frontier of more vertices than a place in two bytes can tell, and a hub behind those, which is
// thrown in rounds: values are what a slow interpreter finds, and all of it went through bins.
func TestBinsOfLongFrontiers(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := layers(t, rand.New(rand.NewPCG(seed, 3)), 70_000)
	goThroughBins(t, g, landing[pair]{pair{graph.None, graph.None}, []uint32{0}, func(s, u uint32) pair { return pair{s, u} }})
	goThroughBins(t, g, landing[uint32]{graph.None, []uint32{0}, func(s, _ uint32) uint32 { return s }})
}

func goThroughBins[V comparable](t *testing.T, g *graph.Graph, p landing[V]) {
	t.Helper()
	want := pregeltest.Reference[V, uint32](g, p, nil, 1<<20)
	for _, workers := range race.Workers(1, 2, 3) {
		e := cpu.New(cpu.Options{Workers: workers, Direction: pregel.Push})
		e.Bin(true)
		var awake, arcs uint64
		j := &pregel.Job{Graph: g, Engine: e, Detail: func(*pregel.StepRecord) {}, Observe: func(s pregel.StepRecord) {
			awake += s.Awake
			arcs += s.Arcs
			if d := s.Detail; d.Combined == nil || *d.Combined != s.Next || *d.Atomics != 0 {
				t.Errorf("%d workers, superstep %d: %d atomic operations; who got a message is told: %v", workers, s.Superstep, *d.Atomics, d.Combined != nil)
			}
		}}
		got, err := pregel.RunEdge(t.Context(), j, p)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Values, want.Values) {
			t.Errorf("%d workers: the values are not those of the reference", workers)
		}
		if reached, sent := settled(got.Values, p.rest), arcsOf(g, got.Values, p.rest); awake != reached || arcs != sent {
			t.Errorf("%d workers: %d were awake, %d arcs were pushed along; want %d, %d", workers, awake, arcs, reached, sent)
		}
	}
}

// Who goes through bins knows as much as who does not of what comes next: directions are chosen by
// the same numbers.
func TestBinsSteer(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	p := landing[pair]{pair{graph.None, graph.None}, []uint32{0}, func(s, u uint32) pair { return pair{s, u} }}
	for name, g := range landscapes(t, r) {
		if got, want := choices(t, g, p, true), choices(t, g, p, false); !slices.Equal(got, want) {
			t.Errorf("%s: in bins %v, without %v", name, got, want)
		}
	}
}

func choices(t *testing.T, g *graph.Graph, p landing[pair], bins bool) (list []pregel.Choice) {
	t.Helper()
	g.In() // so that all may be pulled
	e := cpu.New(cpu.Options{Workers: 2})
	e.Bin(bins)
	j := &pregel.Job{Graph: g, Engine: e, Detail: func(*pregel.StepRecord) {}, Observe: func(s pregel.StepRecord) { list = append(list, s.Detail.Why) }}
	if _, err := pregel.RunEdge(t.Context(), j, p); err != nil {
		t.Fatal(err)
	}
	return list
}

// layers is a vertex with arcs to n others, each of which has five to any of n more, and one of the
// last very many.
func layers(t *testing.T, r *rand.Rand, n uint32) *graph.Graph {
	var arcs []graph.Arc
	for v := range n {
		arcs = append(arcs, graph.Arc{U: 0, V: 1 + v})
		for range 5 {
			arcs = append(arcs, graph.Arc{U: 1 + v, V: 1 + n + r.Uint32N(n)})
		}
	}
	for range 200_000 {
		arcs = append(arcs, graph.Arc{U: n - 7, V: 1 + n + r.Uint32N(n)})
	}
	g, err := graph.FromArcs(int(2*n+1), graph.ArcList{List: arcs}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
