package wcc_test

import (
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

// The summary of a run that was stopped counts the labels it has come to.
func TestSummaryOfStopped(t *testing.T) {
	var arcs graph.ArcList // a star, which has most vertices, and a path
	for v := uint32(1); v < 1000; v++ {
		arcs.List = append(arcs.List, graph.Arc{U: 0, V: v})
	}
	for v := uint32(1000); v < 1099; v++ {
		arcs.List = append(arcs.List, graph.Arc{U: v, V: v + 1})
	}
	g, err := graph.FromArcs(1100, arcs, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, steps := range []int{1, 3, 20} {
		a := &wcc.WCC{Method: wcc.Propagate}
		answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), MaxSupersteps: steps})
		if err != nil || answer.Stop.Reason != pregel.MaxSupersteps {
			t.Fatalf("%v, error %v", answer, err)
		}
		labels := slices.Compact(slices.Sorted(slices.Values(answer.Table.Columns[0].Vertices)))
		if found := answer.Summary[0]; found.Value != len(labels) {
			t.Errorf("%d supersteps: the summary has %s %v, the answer %d labels", steps, found.Name, found.Value, len(labels))
		}
	}
}
