package peer

import (
	"slices"
	"testing"

	"gopregel/pregel/graph"
)

// The 10 000th number from the seed 5489 is the C++ standard's (rand.predef).
func TestTwister(t *testing.T) {
	random, x := newTwister(5489), uint64(0)
	for range 10_000 {
		x = random.next()
	}
	if x != 9981545732273789042 {
		t.Errorf("the 10 000th number: %d, want 9981545732273789042", x)
	}
}

// What the suite's own SourcePicker printed, for a path of 1000 vertices, and for one of which
// every tenth vertex alone has an arc, and the last but one.
func TestSources(t *testing.T) {
	path, holes := graph.ArcList{}, graph.ArcList{}
	for u := range uint32(999) {
		path.List = append(path.List, graph.Arc{U: u, V: u + 1})
		if u%10 == 0 || u == 998 {
			holes.List = append(holes.List, graph.Arc{U: u, V: u + 1})
		}
	}
	for _, c := range []struct {
		arcs     graph.ArcList
		directed bool
		want     []uint32
	}{
		{path, false, []uint32{359, 95, 272, 782, 148, 788, 550, 270}},
		{holes, true, []uint32{550, 270, 550, 770, 470, 330, 510, 270}},
		{graph.ArcList{}, true, nil},
	} {
		g, err := graph.FromArcs(1000, c.arcs, graph.Options{Directed: c.directed})
		if err != nil {
			t.Fatal(err)
		}
		if got := Sources(g, 8); !slices.Equal(got, c.want) {
			t.Errorf("%d arcs: %v, want %v", g.Arcs(), got, c.want)
		}
	}
}
