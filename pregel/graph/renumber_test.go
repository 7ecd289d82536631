package graph

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/pregeltest/race"
)

// named is an arc by the user's ids.
type named struct {
	u, v string
	w    float64
}

func arcsOf(g *Graph, c CSR, back bool) []named {
	var list []named
	for u := range uint32(g.N()) {
		for i := c.Offsets.At(u); i < c.Offsets.At(u+1); i++ {
			a := named{g.IDs().Text(u), g.IDs().Text(c.Targets[i]), c.Weights.At(i)}
			if back {
				a.u, a.v = a.v, a.u
			}
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b named) int {
		return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v), cmp.Compare(a.w, b.w))
	})
	return list
}

// someGraph has loops, parallel arcs, isolated vertices, a hub.
func someGraph(t *testing.T, r *rand.Rand) *Graph {
	t.Helper()
	n := 1 + r.IntN(300)
	var list Columns
	kind := WeightKind(r.IntN(3))
	for range r.IntN(2000) {
		u, w := r.Uint32N(uint32(n)), int32(r.IntN(9)-4)
		if r.IntN(4) == 0 {
			u = 0
		}
		list.U, list.V = append(list.U, u), append(list.V, r.Uint32N(uint32(n)))
		switch kind {
		case Int32:
			list.Weights.Int = append(list.Weights.Int, w)
		case Float32:
			list.Weights.Float = append(list.Weights.Float, float32(w)/2)
		}
	}
	ids := RangeIDs(uint64(r.IntN(5)), n)
	switch r.IntN(3) {
	case 0:
		numbers := make([]uint64, n)
		for i := range numbers {
			numbers[i] = uint64(i)*7 + 3
		}
		ids, _ = NumberIDs(numbers)
	case 1:
		names := make([]string, n)
		for i := range names {
			names[i] = string([]byte{byte('a' + i/26/26), byte('a' + i/26%26), byte('a' + i%26)})
		}
		var err error
		if ids, err = NameIDs(names); err != nil {
			t.Fatal(err)
		}
	}
	g, err := Build(t.Context(), ids, list, Options{Directed: r.IntN(2) == 0})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestRenumbered(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	times := 200
	if race.On {
		times = 25
	}
	for range times {
		g := someGraph(t, r)
		want := arcsOf(g, g.Out(), false)
		h := g
		for range 2 { // the second time of a renumbered graph
			order := make([]uint32, g.N())
			for i, v := range r.Perm(g.N()) {
				order[i] = uint32(v)
			}
			before := h
			var err error
			if h, err = h.Renumbered(t.Context(), order, 1+r.IntN(4)); err != nil {
				t.Fatal(err)
			}
			if err := h.Check(); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(arcsOf(h, h.Out(), false), want) || !slices.Equal(arcsOf(h, h.In(), true), want) {
				t.Fatalf("the arcs differ: directed %v, n %d", g.Directed(), g.N())
			}
			for v := range uint32(g.N()) {
				if h.IDs().Text(v) != before.IDs().Text(order[v]) {
					t.Fatalf("vertex %d is %s, want %s", v, h.IDs().Text(v), before.IDs().Text(order[v]))
				}
				if back, err := h.IDs().Parse(h.IDs().Text(v)); err != nil || back != v {
					t.Fatalf("id %s is of vertex %d (%v), want %d", h.IDs().Text(v), back, err, v)
				}
			}
		}
	}
}

// Weights of parallel arcs stay in order.
func TestRenumberedParallelArcs(t *testing.T) {
	g, err := FromArcs(3, ArcList{List: []Arc{{U: 0, V: 1, W: 5}, {U: 0, V: 1, W: 2}, {U: 0, V: 2, W: 9}}, Weighted: true}, Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	h, err := g.Renumbered(t.Context(), []uint32{2, 1, 0}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := h.Out(); !slices.Equal(got.Targets, []uint32{0, 1, 1}) || !slices.Equal(got.Weights.Int, []int32{9, 2, 5}) {
		t.Fatalf("%v %v", got.Targets, got.Weights.Int)
	}
}

func TestRenumberedRefuses(t *testing.T) {
	g, err := FromArcs(3, ArcList{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for want, order := range map[string][]uint32{
		"graph: an order of 2 vertices for a graph of 3":        {0, 1},
		"graph: vertex 3 in the order of a graph of 3":          {0, 1, 3},
		"graph: vertex 1 stands twice in the order":             {0, 1, 1},
		"graph: vertex 4294967295 in the order of a graph of 3": {0, 1, None},
	} {
		if _, err := g.Renumbered(t.Context(), order, 1); err == nil || err.Error() != want {
			t.Errorf("%v: %v, want %q", order, err, want)
		}
	}
}

func TestByDegree(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for range 50 {
		g := someGraph(t, r)
		degree := func(v uint32) uint64 {
			if g.Directed() {
				return g.Out().Degree(v) + g.In().Degree(v)
			}
			return g.Out().Degree(v)
		}
		want := make([]uint32, g.N())
		for v := range want {
			want[v] = uint32(v)
		}
		slices.SortStableFunc(want, func(a, b uint32) int { return cmp.Compare(degree(b), degree(a)) })
		if !slices.Equal(g.ByDegree(2), want) {
			t.Fatal("not by degree")
		}
	}
}

// A path and a grid whose vertices are shuffled become narrow again.
func TestByLocality(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	const side = 30
	for name, limit := range map[string]int{"path": 1, "grid": 2 * side} {
		shuffled := r.Perm(side * side)
		list := ArcList{}
		for v := range side * side {
			if v+1 < side*side && (name == "path" || (v+1)%side != 0) {
				list.List = append(list.List, Arc{U: uint32(shuffled[v]), V: uint32(shuffled[v+1])})
			}
			if name == "grid" && v+side < side*side {
				list.List = append(list.List, Arc{U: uint32(shuffled[v]), V: uint32(shuffled[v+side])})
			}
		}
		for _, directed := range []bool{false, true} {
			g, err := FromArcs(side*side, list, Options{Directed: directed})
			if err != nil {
				t.Fatal(err)
			}
			h, err := g.Renumbered(t.Context(), g.ByLocality(2), 2)
			if err != nil {
				t.Fatal(err)
			}
			widest := 0
			for u := range uint32(h.N()) {
				for _, v := range h.Out().Neighbors(u) {
					widest = max(widest, int(max(u, v)-min(u, v)))
				}
			}
			if widest > limit {
				t.Errorf("%s, directed %v: neighbours up to %d apart, want at most %d", name, directed, widest, limit)
			}
		}
	}
	for range 50 {
		g := someGraph(t, r)
		if _, err := g.Renumbered(t.Context(), g.ByLocality(1), 1); err != nil {
			t.Fatal(err)
		}
	}
}
