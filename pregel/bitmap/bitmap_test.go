package bitmap_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/parallel"
)

func TestAgainstMap(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, n := range []int{1, 63, 64, 65, 1000} {
		b, set := bitmap.New(n), map[uint32]bool{}
		for range 2000 {
			i := r.Uint32N(uint32(n))
			was := set[i]
			switch r.IntN(4) {
			case 0:
				b.Set(i)
				set[i] = true
			case 1:
				b.Clear(i)
				delete(set, i)
			case 2:
				if b.SetAtomic(i) == was {
					t.Fatalf("SetAtomic(%d) on a set that has it: %v", i, was)
				}
				set[i] = true
			case 3:
				if b.ClearAtomic(i) != was {
					t.Fatalf("ClearAtomic(%d) on a set that has it: %v", i, was)
				}
				delete(set, i)
			}
			if b.Has(i) != set[i] || b.HasAtomic(i) != set[i] {
				t.Fatalf("Has(%d) is %v", i, b.Has(i))
			}
		}
		list := b.AppendTo(nil)
		if len(list) != len(set) || b.Count() != len(set) || !slices.IsSorted(list) {
			t.Fatalf("n %d: %d members listed, %d counted, want %d", n, len(list), b.Count(), len(set))
		}
		b.Reset()
		if b.Count() != 0 {
			t.Fatal("Reset leaves members")
		}
	}
}

func TestEverySetIsTheFirstOnce(t *testing.T) {
	const n, workers = 5000, 4
	b := bitmap.New(n)
	firsts := make([]int, workers)
	parallel.Do(workers, func(w int) {
		for i := range uint32(n) {
			if b.SetAtomic(i) {
				firsts[w]++
			}
		}
	})
	if total := firsts[0] + firsts[1] + firsts[2] + firsts[3]; total != n || b.Count() != n {
		t.Fatalf("%d firsts and %d members of %d", total, b.Count(), n)
	}
}

func TestMask(t *testing.T) {
	for n := range uint32(200) {
		total := 0
		for i := range 4 {
			b := bitmap.Bitmap{bitmap.Mask(i, n)}
			for _, k := range b.AppendTo(nil) {
				if uint32(i*64)+k >= n {
					t.Fatalf("Mask(%d, %d) has %d", i, n, k)
				}
				total++
			}
		}
		if total != int(n) {
			t.Fatalf("masks of %d have %d bits", n, total)
		}
	}
}
