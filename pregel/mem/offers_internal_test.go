//go:build amd64 && !race

package mem

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// With a processor's gathers and without, what is collected is what the plain loop finds:
// where many sums are as long as what there is, and the lower half decides; and rows that
// begin with the first arcs of all, or end with the last.
func TestCollectEitherWay(t *testing.T) {
	defer func(was bool) { gathers = was }(gathers)
	r := rand.New(rand.NewPCG(rand.Uint64(), 3))
	for range 400 {
		picks(t, r, func(d, key uint32) uint32 { return d }, 1)
		picks(t, r, func(d, key uint32) uint64 { return uint64(d)<<32 | uint64(key) }, 1<<32)
		picks(t, r, func(d, key uint32) uint64 { return uint64(d)<<31 | uint64(key)>>1 }, 1<<31)
	}
}

// picks makes labels by of, in which a weight counts unit.
func picks[T uint32 | uint64](t *testing.T, r *rand.Rand, of func(d, key uint32) T, unit T) {
	t.Helper()
	key := func() uint32 { return []uint32{0, 3, 1 << 31, 1<<32 - 1}[r.IntN(4)] }
	list := make([]T, 1+r.IntN(40))
	for i := range list {
		if list[i] = ^T(0); r.IntN(8) > 0 {
			list[i] = of(r.Uint32N(8), key())
		}
	}
	at, weights := make([]uint32, r.IntN(120)), []int32{}
	for i := range at {
		at[i] = r.Uint32N(uint32(len(list)))
		weights = append(weights, r.Int32N(6))
	}
	var rows []Row[T]
	for range 1 + r.IntN(12) {
		from := r.IntN(len(at) + 1)
		rows = append(rows, Row[T]{uint64(from), uint64(from + r.IntN(len(at)-from+1)), of(r.Uint32N(4), key())})
	}
	var want Offers[T]
	for _, row := range rows {
		collectPlain(&want, list, at[row.From:row.To], weights[row.From:row.To], unit, row.Base)
	}
	for _, gathers = range []bool{false, hasVectors} {
		var got Offers[T]
		for left := slices.Clone(rows); len(left) > 0; {
			left = Collect(&got, list, at, weights, unit, left)
		}
		n := want.Found
		if got.Found != n || !slices.Equal(got.At[:n], want.At[:n]) || !slices.Equal(got.Sums[:n], want.Sums[:n]) {
			t.Fatalf("gathers %v, unit %d, rows %v of %v with %v, list %v: found %v %v, want %v %v", gathers, unit, rows, at, weights, list,
				got.At[:got.Found], got.Sums[:got.Found], want.At[:n], want.Sums[:n])
		}
	}
}
