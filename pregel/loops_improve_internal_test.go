package pregel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Lengths are sent as one would by a loop, whatever the numbers: with a sign or without, up to the
// greatest of their type and beyond, on one worker or beside others, in order or not.
func TestLengthsSent(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for range 300 {
		lengthsSent[uint32](t, r)
		lengthsSent[int32](t, r)
		lengthsSent[uint64](t, r)
		lengthsSent[int64](t, r)
		lengthsSent[float64](t, r)
	}
}

func lengthsSent[T Number](t *testing.T, r *rand.Rand) {
	t.Helper()
	const n = 60
	id := Largest[T]()

	number := func() T {
		x := T(r.Uint64N(1000))
		switch r.IntN(7) {
		case 0, 1:
			return id - x
		case 2:
			return T(r.Uint64())
		case 3:
			return id
		case 4:
			return x / 900
		}
		return x
	}
	arcs := graph.ArcList{Weighted: true}
	least := int32(r.IntN(3) - 1)
	for range 400 {
		arcs.List = append(arcs.List, graph.Arc{U: r.Uint32N(n), V: r.Uint32N(n), W: least + r.Int32N(900)})
	}
	g, err := graph.FromArcs(n, arcs, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	boxes, s := make([]T, n), sending[T]{}
	for v := range boxes {
		boxes[v] = number()
	}
	for range r.IntN(relaxBatch + 1) {
		s.us[s.n], s.xs[s.n] = uint32(r.IntN(n)), number()
		s.n++
	}
	want := slices.Clone(boxes)
	for i, u := range s.us[:s.n] {
		lo := g.Out().Offsets.At(u)
		for k, v := range g.Out().Neighbors(u) {
			if x := s.xs[i]; x != id {
				want[v] = min(want[v], x+T(g.Out().Weights.Int[lo+uint64(k)]))
			}
		}
	}
	most := 899.0 + float64(least)
	if g.WeightRange().Negative < g.Arcs() {
		most = math.Inf(1)
	}
	var order *ranking[T]
	if r.IntN(2) == 0 {
		order = rankedBy[T](0, 0.01)
	}
	to := touch{touched: bitmap.New(n), parked: bitmap.New(n), near: 3, loose: r.IntN(2) == 0, w: &Worker{Alone: r.IntN(2) == 0}}
	s.find(g.Out(), to.w)
	minLoops[T]{}.improver(opPlus, id, order, most).improve(&s, boxes, g.Out(), &to)
	if !slices.EqualFunc(boxes, want, mem.Same[T]) {
		t.Fatalf("%T, loose %v, alone %v: boxes\n%v\nwant\n%v", id, to.loose, to.w.Alone, boxes, want)
	}
}
