package mst

import (
	"cmp"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/phase"
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

// Two ascending lists become one, over several slabs: of two edges with the same ends the
// lighter is left, and what comes after the first list is not taken.
func TestMerge(t *testing.T) {
	r := trial.Rand(t)
	for range 30 {
		n := r.IntN(3 * slabLength)
		var lists [2][]edge
		var want []edge
		last := edge{}
		for u := range uint32(n) {
			e, which := edge{u / 4, n32(u), 0}, r.IntN(4)
			for i := range lists {
				if e.weight = r.Uint32(); which == i || which == 2 {
					lists[i] = append(lists[i], e)
				}
			}
			if which != 1 && which != 3 {
				last = e
			}
		}
		for i, list := range lists {
			for _, e := range list {
				if i == 0 || key(e.u, e.v) <= key(last.u, last.v) && len(lists[0]) > 0 {
					want = append(want, e)
				}
			}
		}
		slices.SortFunc(want, func(a, b edge) int {
			return cmp.Or(cmp.Compare(key(a.u, a.v), key(b.u, b.v)), cmp.Compare(a.weight, b.weight))
		})
		want = slices.CompactFunc(want, func(a, b edge) bool { return a.u == b.u && a.v == b.v })
		var f finder
		f.begin(0, nil)
		rest := f.merge(lists[0], lists[1])
		f.end()
		runs, _, sum := inRow([]finder{f})
		var got []edge
		for _, r := range runs {
			got = append(got, r.edges...)
		}
		if sum != len(want) || !slices.Equal(got, want) || len(rest) > len(lists[1]) || !slices.Equal(rest, lists[1][len(lists[1])-len(rest):]) {
			t.Fatalf("%d and %d edges become %d, and %d are left, want %d", len(lists[0]), len(lists[1]), len(got), len(rest), len(want))
		}
	}
}

// n32 spreads numbers, in their order.
func n32(u uint32) uint32 { return 3*u + 1 }

// Trees are named in the order of their roots, over several pieces, and nothing is lightest
// at them.
func TestRename(t *testing.T) {
	r := trial.Rand(t)
	const n = 5*treesLength + 1
	g := trial.Random(r, 10, 10, 0, false)
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 3})}
	s := &span{Run: phase.New(t.Context(), j), job: j, parent: make([]uint32, n)}
	roots, want := make([]uint32, n), make([]uint32, n)
	next := uint32(0)
	for x := range s.parent {
		if s.parent[x] = uint32(x); x > 0 && r.IntN(3) > 0 {
			s.parent[x] = r.Uint32N(uint32(x))
		}
		if roots[x] = roots[s.parent[x]]; s.parent[x] == uint32(x) {
			roots[x], want[x] = uint32(x), next
			next++
		}
		want[x] = want[roots[x]]
	}
	to := make([]uint32, n)
	left, ok := s.rename(to)
	if !ok || left != int(next) || !slices.Equal(to, want) {
		t.Fatalf("%d trees, want %d; or other names", left, next)
	}
	for x, k := range s.lightest {
		if k != none {
			t.Fatalf("at tree %d of %d %x is lightest", x, left, k)
		}
	}
}
