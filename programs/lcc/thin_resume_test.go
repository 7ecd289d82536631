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
	resumed(t, graph.ArcList{})
}

// So is one that turns out not to be simple.
func TestRepeatedResumed(t *testing.T) {
	resumed(t, graph.ArcList{List: []graph.Arc{{U: 7, V: 7}}})
}

func resumed(t *testing.T, list graph.ArcList) {
	const n = 30_000
	for v := range uint32(n - 2) {
		list.List = append(list.List, graph.Arc{U: v, V: v + 1}, graph.Arc{U: v, V: v + 2})
	}
	g := trial.Build(n, list, false)
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
