package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// However long, a list comes to ascend, and what served for it is empty again.
func TestAscend(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 5))
	for _, n := range []int{1, 64, 5000, 1 << 21} {
		f := newFrontier(n)
		for range 20 {
			want := map[uint32]bool{}
			for range r.IntN(min(n, 3000) + 1) {
				want[r.Uint32N(uint32(n))] = true
			}
			f.list, f.ascends = f.list[:0], false
			for v := range want {
				f.list = append(f.list, v)
			}
			f.ascend()
			if len(f.list) != len(want) || !slices.IsSorted(f.list) || !f.ascends {
				t.Fatalf("%d of %d vertices, sorted: %v", len(f.list), len(want), slices.IsSorted(f.list))
			}
			for _, v := range f.list {
				if !want[v] {
					t.Fatalf("vertex %d was not in the list", v)
				}
			}
		}
	}
}
