package mst

import (
	"math"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
)

// What the first round collects on the way are all edges, at their lesser ends, whose weight
// and lesser end are within the limit; and it finds the lightest edges as it does without. That
// is so of short lists and of long ones, with loops lighter than all, parallel arcs, few weights
// and -0.
func TestLeastAndLight(t *testing.T) {
	r := trial.Rand(t)
	for _, m := range []int{3000, 20_000, 50_000} {
		const n = 500
		list := graph.ArcList{Weighted: true}
		for range m {
			list.List = append(list.List, graph.Arc{U: r.Uint32N(n), V: r.Uint32N(n), W: r.Int32N(100) - 30})
		}
		for v := range uint32(n) {
			list.List = append(list.List, graph.Arc{U: v, V: v, W: -40})
		}
		c := trial.Build(n, list, false).Out()
		floats := make([]float32, len(c.Targets))
		for i, x := range c.Weights.Int {
			floats[i] = float32(x)
			if x == 0 {
				floats[i] = float32(math.Copysign(0, -1))
			}
		}
		for kind, w := range []weights{weightsOf(c.Weights), {}, weightsOf(graph.Weights{Float: floats})} {
			want, wantWeight := make([]uint32, n), make([]uint32, n)
			w.least(&c, 0, n, want, wantWeight)
			for range 5 {
				limit := key(w.at(r.Uint64N(c.Arcs())), r.Uint32N(n))
				near, weight, f := make([]uint32, n), make([]uint32, n), &finder{}
				f.begin(0, nil)
				w.leastAndLight(&c, 0, n, near, weight, limit, f)
				f.end()
				if !slices.Equal(near, want) || !slices.Equal(weight, wantWeight) {
					t.Fatalf("%d arcs, weights %d: other lightest edges", m, kind)
				}
				var got []edge
				for _, run := range f.runs {
					got = append(got, run.edges...)
				}
				if light := lightOf(c, w, limit); !slices.Equal(got, light) {
					t.Fatalf("%d arcs, weights %d: %d edges within %x, want %d; or others", m, kind, len(got), limit, len(light))
				}
			}
		}
	}
}

func lightOf(c graph.CSR, w weights, limit uint64) (list []edge) {
	for u := range uint32(c.N()) {
		base := c.Offsets.At(u)
		for i, v := range c.Neighbors(u) {
			if x := w.at(base + uint64(i)); v > u && key(x, u) <= limit {
				list = append(list, edge{u, v, x})
			}
		}
	}
	return list
}

// A loop lighter than all is no edge, in a short list and in a long one.
func TestLoopsAreNotLeast(t *testing.T) {
	for _, degree := range []uint32{10, 2 * wholeArcs} {
		list := graph.ArcList{Weighted: true, List: []graph.Arc{{U: 0, V: 0, W: -9}}}
		for v := range degree {
			list.List = append(list.List, graph.Arc{U: 0, V: v + 1, W: int32(100 - v%7)})
		}
		c := trial.Build(int(degree)+1, list, false).Out()
		near, weight, f := make([]uint32, degree+1), make([]uint32, degree+1), &finder{}
		f.begin(0, nil)
		w := weightsOf(c.Weights)
		w.leastAndLight(&c, 0, degree+1, near, weight, math.MaxUint64-1, f)
		if near[0] != 7 || weight[0] != sign|94 {
			t.Errorf("%d neighbours: the lightest edge leads to %d and weighs %d", degree, near[0], weight[0]^sign)
		}
	}
}
