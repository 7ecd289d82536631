package bfs_test

import (
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

// The summary has how many were reached, and how deep: 0 from a vertex that reaches
// nobody.
func TestSummary(t *testing.T) {
	arcs := graph.ArcList{List: []graph.Arc{{U: 0, V: 1}, {U: 1, V: 2}, {U: 3, V: 3}}}
	g, err := graph.FromArcs(5, arcs, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for source, want := range map[pregel.ID][2]int{"0": {3, 2}, "1": {2, 1}, "2": {1, 0}, "3": {1, 0}} {
		a, err := (&bfs.BFS{Source: source}).Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
		if err != nil {
			t.Fatal(err)
		}
		if facts := []pregel.Fact{{Name: "reached", Value: want[0]}, {Name: "greatest depth", Value: want[1]}}; !reflect.DeepEqual(a.Summary, facts) {
			t.Errorf("from %s: %v, want %v", source, a.Summary, facts)
		}
	}
}
