package cpu

import (
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// In how many shares a frontier of 1000 vertices that functions push goes.
func TestCallShares(t *testing.T) {
	functions := pregel.Traits{PullOnly: true, Alone: true}
	silent, ordered, named, both := functions, functions, functions, functions
	silent.Silent, ordered.Ordered, named.PullOnly, both.Alone = true, true, false, false
	for _, c := range []struct {
		traits  pregel.Traits
		workers int
		arcs    uint64
		forced  int // shares that a test asks for
		busy    bool
		want    int
	}{
		{functions, 2, 5000, 0, false, 2},
		{functions, 2, sharedCalls - 1000, 0, false, 2},
		{functions, 2, sharedCalls - 999, 0, false, 0}, // too much to be kept
		{functions, 8, 500, 0, false, 5},
		{functions, 8, 50_000, 0, false, 8},
		{functions, 1, 5000, 0, false, 1},
		{functions, 2, 5000, 0, true, 0}, // who looks out for work would keep others from it
		{functions, 2, 5000, 3, true, 3},
		{functions, 2, 5000, 1, false, 1},
		{silent, 2, 5000, 3, false, 0},
		{ordered, 2, 5000, 3, false, 0},
		{named, 2, 5000, 3, false, 0},
		{both, 2, 5000, 3, false, 0},
	} {
		e := &Engine{Options: Options{Workers: c.workers}, shares: c.forced}
		r := &edgeRun{engine: e, traits: c.traits, front: &frontier{count: 1000, arcs: c.arcs}, pool: &pool{team: &team{lingers: !c.busy}}}
		if got := r.callShares(); got != c.want {
			t.Errorf("%+v: %d shares", c, got)
		}
	}
}

// Parts of a frontier send along as many arcs as others, as far as rows and words of 64 vertices let them.
func TestSharesByArcs(t *testing.T) {
	var arcs []graph.Arc
	for v := range uint32(1000) {
		arcs = append(arcs, graph.Arc{U: 128, V: v})
		arcs = append(arcs, graph.Arc{U: v, V: 0})
	}
	g, err := graph.FromArcs(1000, graph.ArcList{List: arcs}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	list := []uint32{1, 2, 3, 128, 129, 200, 300, 400, 500, 600, 700, 999}
	c, s := g.Out(), &shares{}
	for _, w := range []struct {
		list   []uint32
		parts  int
		bounds []uint32
		sizes  []int
	}{
		{list, 1, []uint32{0, 1000}, []int{12}},
		{list, 2, []uint32{0, 128, 1000}, []int{3, 9}},         // the second begins in the word of the hub
		{list, 3, []uint32{0, 128, 128, 1000}, []int{3, 0, 9}}, // likewise the third
		{list[4:], 2, []uint32{0, 448, 1000}, []int{4, 4}},     // 129 200 300 400 | 500 600 700 999
		{list[4:], 4, []uint32{0, 256, 448, 640, 1000}, []int{2, 2, 2, 2}},
		{list[:1], 3, []uint32{0, 0, 0, 1000}, []int{0, 0, 1}},
		{list[:3], 2, []uint32{0, 0, 1000}, []int{0, 3}},
	} {
		sum := uint64(0)
		for _, u := range w.list {
			sum += c.Degree(u)
		}
		s.byArcs(w.list, &c, sum, w.parts)
		s.cut(w.list, 1000)
		var sizes []int
		for _, part := range s.front {
			sizes = append(sizes, len(part))
		}
		if !slices.Equal(s.bounds, w.bounds) || !slices.Equal(sizes, w.sizes) {
			t.Errorf("%v in %d: bounds %v, sizes %v, want %v, %v", w.list, w.parts, s.bounds, sizes, w.bounds, w.sizes)
		}
		if !slices.Equal(slices.Concat(s.front...), w.list) {
			t.Errorf("%v in %d: %v", w.list, w.parts, s.front)
		}
	}
}
