package mst

import (
	"cmp"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
)

// Edges to vertices and of a list come in the order of their ends: whether there are one
// or many, and where some vertices are the lesser ends of more than a short run.
func TestDealAscends(t *testing.T) {
	r := trial.Rand(t)
	for _, n := range []int{2, 300, 5000, 100_000} {
		for _, hubs := range []int{n, max(n/100, 1)} {
			near, weight := make([]uint32, n), make([]uint32, n)
			var list, want []edge
			end := func() uint32 { return r.Uint32N(uint32([2]int{n, hubs}[r.IntN(2)])) }
			for v := range near {
				near[v], weight[v] = graph.None, r.Uint32()
				if u := end(); u != uint32(v) && r.IntN(3) > 0 {
					near[v] = u
					want = append(want, edge{min(u, uint32(v)), max(u, uint32(v)), weight[v]})
				}
				if u := end(); u < uint32(v) {
					list = append(list, edge{u, uint32(v), r.Uint32()})
				}
			}
			want = append(want, list...)
			compare := func(a, b edge) int { return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v)) }
			slices.SortStableFunc(want, compare)
			s := &span{job: &pregel.Job{Engine: cpu.New(cpu.Options{Workers: 3})}, n: n}
			d := s.deal(near, weight, list)
			got := make([]edge, d.total)
			d.ascending(func(at int, run []edge) { copy(got[at:], run) })
			sum := func(edges []edge) (sum uint64) { // parallel ones may stand in another order
				for _, e := range edges {
					sum += uint64(e.weight)
				}
				return sum
			}
			if !slices.EqualFunc(got, want, func(a, b edge) bool { return compare(a, b) == 0 }) || sum(got) != sum(want) {
				t.Fatalf("%d vertices to %d: %d edges, want %d; or others", n, hubs, len(got), len(want))
			}
		}
	}
}

func TestMajority(t *testing.T) {
	for _, c := range []struct {
		list []uint32
		want uint32
	}{
		{nil, graph.None}, {[]uint32{7}, 7}, {[]uint32{1, 2}, graph.None}, {[]uint32{1, 2, 1}, 1}, {[]uint32{2, 1, 1}, 1},
		{[]uint32{1, 1, 2, 2}, graph.None}, {[]uint32{3, 1, 3, 2, 3}, 3}, {[]uint32{1, 1, 2, 2, 3}, graph.None}, {[]uint32{1, 2, 3, 0, 0, 0, 0}, 0},
	} {
		if got := majority(c.list); got != c.want {
			t.Errorf("%v: %d, want %d", c.list, got, c.want)
		}
	}
}

// Roots are named in their order, over several pieces.
func TestNames(t *testing.T) {
	r := trial.Rand(t)
	s := &span{job: &pregel.Job{Engine: cpu.New(cpu.Options{Workers: 3})}, parent: make([]uint32, 5*treesLength+1)}
	for x := range s.parent {
		if s.parent[x] = uint32(x); r.IntN(3) > 0 {
			s.parent[x] = r.Uint32N(uint32(x + 1))
		}
	}
	name, roots := s.names()
	next := 0
	for x, p := range s.parent {
		if p == uint32(x) {
			if name[x] != uint32(next) {
				t.Fatalf("root %d is named %d, want %d", x, name[x], next)
			}
			next++
		}
	}
	if roots != next {
		t.Fatalf("%d roots, want %d", roots, next)
	}
}
