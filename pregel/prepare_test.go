package pregel_test

import (
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// Restore takes what Prepare has made, and nothing else.
func TestRestore(t *testing.T) {
	t.Parallel()
	path := func(n uint32) *graph.Graph {
		var list graph.ArcList
		for v := range n - 1 {
			list.List = append(list.List, graph.Arc{U: v, V: v + 1})
		}
		g, err := graph.FromArcs(int(n), list, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	g := path(5)
	made, err := pregel.Prepare(t.Context(), g, "degree", 1)
	if err != nil {
		t.Fatal(err)
	}
	again, err := pregel.Restore(g, made.Graph)
	if err != nil {
		t.Fatal(err)
	}
	if again.User() != g || again.Graph != made.Graph || !slices.Equal(again.Graph.IDs().Order(), []uint32{1, 2, 3, 0, 4}) {
		t.Errorf("%+v", again)
	}
	for name, wrong := range map[string][2]*graph.Graph{
		"of another graph": {path(6), made.Graph}, "not renumbered": {g, g}, "renumbered twice": {made.Graph, made.Graph},
	} {
		if _, err := pregel.Restore(wrong[0], wrong[1]); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
