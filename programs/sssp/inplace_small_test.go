package sssp

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// A graph is small up to so many vertices and so many arcs, whatever it has of the other.
func TestSmall(t *testing.T) {
	of := func(n, arcs int) *graph.Graph {
		list := make([]graph.Arc, arcs)
		for i := range list {
			list[i].W = 1
		}
		g, err := graph.FromArcs(n, graph.ArcList{List: list, Weighted: true}, graph.Options{Directed: true, Duplicates: graph.KeepDuplicates})
		if err != nil {
			t.Fatal(err)
		}
		if g.N() != n || g.Arcs() != uint64(arcs) {
			t.Fatalf("%d vertices and %d arcs, want %d and %d", g.N(), g.Arcs(), n, arcs)
		}
		return g
	}
	for _, c := range []struct {
		n, arcs int
		want    bool
	}{{1, 0, true}, {aloneVertices, 9, true}, {aloneVertices + 1, 9, false}, {9, aloneArcs, true}, {9, aloneArcs + 1, false}} {
		g := of(c.n, c.arcs)
		if got := new(SSSP).small(g); got != c.want {
			t.Errorf("%d vertices and %d arcs: small %v, want %v", c.n, c.arcs, got, c.want)
		}
		if Shared(new(SSSP)).small(g) {
			t.Errorf("%d vertices and %d arcs are small where buckets are to be shared", c.n, c.arcs)
		}
	}
}

// On a small graph one worker does everything, by the supersteps that it takes if there is no
// other; several who share buckets swap labels.
func TestSmallIsOfOneWorker(t *testing.T) {
	const n = 1 << 13
	r := rand.New(rand.NewPCG(17, 1))
	list := make([]graph.Arc, 8*n)
	for i := range list {
		list[i] = graph.Arc{U: r.Uint32N(n), V: r.Uint32N(n), W: 1 + r.Int32N(3)}
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list, Weighted: true}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, parents := range []bool{false, true} {
		a := &SSSP{Source: pregel.ID(g.IDs().Text(5)), Method: DeltaStepping, Parents: &parents}
		want, _ := ranBy(t, g, a, 1)
		for _, workers := range []int{2, 8} {
			if steps, atomics := ranBy(t, g, a, workers); steps != want || atomics > 0 {
				t.Errorf("parents %v, %d workers: %d supersteps with %d atomics, by one worker %d", parents, workers, steps, atomics, want)
			}
			if _, atomics := ranBy(t, g, Shared(a), workers); atomics == 0 {
				t.Errorf("parents %v: %d workers share buckets without atomics", parents, workers)
			}
		}
	}
}

// ranBy runs a, and returns how many supersteps and atomics there were.
func ranBy(t *testing.T, g *graph.Graph, a *SSSP, workers int) (steps int, atomics uint64) {
	t.Helper()
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers})}
	j.Detail = func(s *pregel.StepRecord) { atomics += *s.Detail.Atomics }
	answer, err := a.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	return answer.Stop.Supersteps, atomics
}

// The record says why a bucket is one worker's, or all workers'.
func TestWhyAlone(t *testing.T) {
	g, err := graph.FromArcs(3, graph.ArcList{List: []graph.Arc{{U: 0, V: 1, W: 1}}, Weighted: true}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		workers      int
		small, alone bool
		pending      uint64
		want         pregel.Choice
	}{
		{1, true, true, 9, pregel.Choice{Rule: onlyWorker, Have: 9, Limit: 77}},
		{2, true, true, 1 << 20, pregel.Choice{Rule: aloneSmall, Have: 3, Limit: aloneVertices}},
		{2, false, true, aloneBelow - 1, pregel.Choice{Rule: aloneFew, Have: aloneBelow - 1, Limit: aloneBelow}},
		{2, false, true, aloneBelow, pregel.Choice{Rule: aloneFaster, Have: aloneBelow, Limit: pacedBelow}},
		{2, false, false, aloneBelow, pregel.Choice{Rule: sharedFaster, Have: aloneBelow, Limit: pacedBelow}},
		{2, false, false, pacedBelow, pregel.Choice{Rule: sharedByMany, Have: pacedBelow, Limit: pacedBelow}},
	} {
		r := &relaxing[uint32]{g: g, current: 77, pending: c.pending, each: usualArcs, small: c.small}
		if r.choose(c.workers, c.alone); r.Chosen() != c.want {
			t.Errorf("%+v: chosen %+v", c, r.Chosen())
		}
	}
}
