package mem_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/mem"
)

// Of rows of every length, looked at from any number on, the first number that is in the set
// is found, and of no other row anything.
func TestSeekRows(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range 2000 {
		set := make([]uint64, 1+r.IntN(20))
		for range r.IntN([]int{2, 20, 300}[i%3]) {
			k := r.IntN(64 * len(set))
			set[k/64] |= 1 << (k % 64)
		}
		at, bounds := rowsOf(r, 64*len(set), []int{2, 6, 40}[r.IntN(3)], 70)
		at = at[:bounds[len(bounds)-1]] // nothing follows the last row
		for k := range len(bounds) - 1 {
			slices.Sort(at[bounds[k]:bounds[k+1]])
		}
		from := uint64(r.IntN(2))
		run := r.Uint64()
		for k := range 64 {
			if k+1 >= len(bounds) || bounds[k]+from > bounds[k+1] {
				run &^= 1 << k
			}
		}
		seeksRows(t, set, at, bounds, from, run, mem.WideOffsets(bounds))
		seeksRows(t, set, at, bounds, from, run, narrow(mem.WideOffsets(bounds)))
	}
}

func seeksRows(t *testing.T, set []uint64, at []uint32, bounds []uint64, from, run uint64, o mem.Offsets) {
	t.Helper()
	var found, want [64]uint32
	hit, done := o.SeekRows(0, len(bounds)-1, &found, set, at, from, run)
	if done != inAssembly {
		t.Fatalf("done: %v", done)
	}
	wanted := uint64(0)
	for rest := run; done && rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		for _, u := range at[bounds[k]+from : bounds[k+1]] {
			if set[u/64]>>(u%64)&1 != 0 {
				want[k], wanted = u, wanted|1<<k
				break
			}
		}
	}
	for k := range found {
		if hit>>k&1 == 0 {
			found[k] = 0 // of no meaning
		}
	}
	if hit != wanted || found != want {
		t.Fatalf("rows %v of %v, run %x from %d: hit %x, %v, want %x, %v", bounds, at, run, from, hit, found, wanted, want)
	}
}

// What is out of bounds is not done.
func TestSeekRowsOutOfBounds(t *testing.T) {
	set, at := []uint64{0, 1}, []uint32{1, 2, 3, 4, 5, 6, 7, 8}
	for name, c := range map[string]struct {
		at        []uint32
		bounds    []uint64
		from, run uint64
	}{
		"a number in fours":   {[]uint32{1, 2, 128, 4}, []uint64{0, 4}, 0, 1},
		"a number in eights":  {[]uint32{1, 2, 3, 4, 5, 6, 128, 7, 8, 9, 10, 11}, []uint64{0, 12}, 0, 1},
		"a number at the end": {[]uint32{1, 1 << 31}, []uint64{0, 2}, 0, 1},
		"the end of a row":    {at, []uint64{0, 9}, 0, 1},
		"a bound far beyond":  {at, []uint64{0, 1 << 62}, 0, 1},
		"a set number first":  {[]uint32{64, 64, 64, 64, 64}, []uint64{0, 6}, 0, 1},
		"a row backwards":     {at, []uint64{5, 3}, 0, 1},
		"a row passed by":     {at, []uint64{5, 5}, 1, 1},
		"a start that wraps":  {at, []uint64{1<<64 - 1, 8}, 0, 1},
		"a row of no bounds":  {at, []uint64{0, 8}, 0, 2},
		"no bounds":           {at, nil, 0, 1},
	} {
		var found [64]uint32
		if hit, done := mem.SeekRows(&found, set, c.at, c.bounds, c.from, c.run); done || hit != 0 {
			t.Errorf("%s: hit %x, done %v", name, hit, done)
		}
		short, _ := narrow(mem.WideOffsets(c.bounds)).Lists()
		if hit, done := mem.SeekRows(&found, set, c.at, short, c.from, c.run); done || hit != 0 {
			t.Errorf("%s, narrow: hit %x, done %v", name, hit, done)
		}
	}
}
