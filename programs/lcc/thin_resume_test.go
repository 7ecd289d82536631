package lcc_test

import (
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/internal/trial"
	"gopregel/programs/lcc"
	"gopregel/runtime/cpu"
)

// A thin graph is gone on with between pieces: what those before have found stays.
func TestThinResumed(t *testing.T) {
	resumed(t, 2, graph.ArcList{})
}

// So is one that turns out not to be simple.
func TestRepeatedResumed(t *testing.T) {
	resumed(t, 2, graph.ArcList{List: []graph.Arc{{U: 7, V: 7}}})
}

// The same for even graphs.
func TestEvenResumed(t *testing.T) {
	resumed(t, 12, graph.ArcList{})
	resumed(t, 12, graph.ArcList{List: []graph.Arc{{U: 7, V: 8}}})
}

// And for graphs with hubs, loops and parallel edges, of whose neighbours lists are made by rank.
func TestRankedResumed(t *testing.T) {
	const n = 3000
	r := trial.Rand(t)
	list := graph.ArcList{List: []graph.Arc{{U: 0, V: 0}, {U: 0, V: 1}, {U: 0, V: 1}}}
	for range 20 * n { // vertices of low numbers have most
		list.List = append(list.List, graph.Arc{U: r.Uint32N(1 + r.Uint32N(n)), V: r.Uint32N(n)})
	}
	for _, directed := range []bool{false, true} {
		interrupted(t, trial.Build(n, list, directed))
	}
}

// resumed interrupts the count on a strip in which each vertex is joined to the k next ones, and on
// those of a list.
func resumed(t *testing.T, k uint32, list graph.ArcList) {
	t.Helper()
	n := 60_000 / k
	for v := range n - k {
		for i := range k {
			list.List = append(list.List, graph.Arc{U: v, V: v + i + 1})
		}
	}
	interrupted(t, trial.Build(int(n), list, false))
}

// interrupted holds a count that is interrupted to one that is not.
func interrupted(t *testing.T, g *graph.Graph) {
	t.Helper()
	job := func() (pregel.Algorithm, *pregel.Job) {
		return lcc.New(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}
	}
	a, j := job()
	want, err := a.Run(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	ended := 0
	for range race.Times(40) { // one in eleven is not interrupted
		got, times, err := pregeltest.Interrupted(t.Context(), trial.Rand(t), 2, job)
		if err != nil {
			t.Fatal(err)
		}
		if ended += times; !slices.Equal(got.Table.Columns[0].Floats, want.Table.Columns[0].Floats) {
			t.Fatalf("another answer after %d interruptions", times)
		}
	}
	if ended == 0 {
		t.Error("nothing was interrupted")
	}
}
