package graph

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortBits(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, size := range []int{0, 1, 2, radixFrom - 1, radixFrom, 1000, 70000} {
		for _, width := range []int{1, 7, 8, 9, 20, 32} {
			list := make([]uint32, size)
			for i := range list {
				list[i] = r.Uint32() >> (32 - width)
			}
			want := slices.Clone(list)
			slices.Sort(want)
			sortBits(list, make([]uint32, size), 0, width)
			if !slices.Equal(list, want) {
				t.Fatalf("%d numbers of %d bits are not sorted", size, width)
			}
		}
	}
}

// Pairs are sorted by target, then weight, also where targets repeat.
func TestSortWeighted(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	s := sorter{targetBits: 17}
	for _, size := range []int{0, 1, 5, radixFrom, 3000, 2000} {
		for _, different := range []uint32{1, 10, 1 << 17} {
			var targets []uint32
			var want [][2]int64
			w := Weights{Int: []int32{}}
			for range size {
				v, x := r.Uint32N(different), int32(r.Uint32())
				targets, w.Int = append(targets, v), append(w.Int, x)
				want = append(want, [2]int64{int64(v), int64(x)})
			}
			slices.SortFunc(want, func(a, b [2]int64) int { return slices.Compare(a[:], b[:]) })
			s.sort(targets, w)
			for i, p := range want {
				if int64(targets[i]) != p[0] || int64(w.Int[i]) != p[1] {
					t.Fatalf("size %d: place %d has (%d, %d), want %v", size, i, targets[i], w.Int[i], p)
				}
			}
		}
	}
}
