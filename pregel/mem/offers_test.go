package mem_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/mem"
)

// What is collected is what a plain loop finds, in its order, whatever the lengths of rows
// and wherever they begin, for numbers of all types and weights of both; who lacks room goes
// on where they stopped.
func TestCollect(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 21))
	for i := range 200 {
		most := []int{3, 9, 40, 3000}[i%4]
		collects(t, r, most, uint32(math.MaxUint32), 1, ints)
		collects(t, r, most, uint64(math.MaxUint64), 1<<32, ints)
		collects(t, r, most, uint64(math.MaxUint64), 1, ints)
		collects(t, r, most, int64(math.MaxInt64), 1, ints)
		collects(t, r, most, math.Inf(1), 1, floats)
		collects(t, r, most, math.Inf(1), 1, ints)
		collects(t, r, most, math.Inf(1), 0.5, ints)
		collects(t, r, most, float32(math.Inf(1)), 1, floats)
		collects(t, r, most, uint32(math.MaxUint32), 1, func(*rand.Rand, int) []int32 { return nil })
	}
}

func ints(r *rand.Rand, n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(r.Uint32() >> 1 >> r.IntN(31))
	}
	return list
}

func floats(r *rand.Rand, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = float32(r.Float64())
	}
	return list
}

// collects tries rows of fewer than so many arcs, on a list of which a part is far.
func collects[T mem.Word, W int32 | float32](t *testing.T, r *rand.Rand, most int, far, unit T, weighted func(*rand.Rand, int) []W) {
	t.Helper()
	list := make([]T, 1+r.IntN(300))
	for i := range list {
		if list[i] = far; r.IntN(3) > 0 {
			list[i] = T(r.Uint32()>>1) * unit
		}
	}
	var rows []mem.Row[T]
	var at []uint32
	for range 1 + r.IntN(20) {
		from := len(at) + r.IntN(2)*r.IntN(5)
		for range from + r.IntN(most) - len(at) {
			at = append(at, r.Uint32N(uint32(len(list))))
		}
		rows = append(rows, mem.Row[T]{From: uint64(min(from, len(at))), To: uint64(len(at)), Base: T(r.Uint32()>>1>>r.IntN(31)) * unit})
	}
	weights := weighted(r, len(at))
	wantAt, wantSums := plainOffers(list, at, weights, unit, rows)
	asked := slices.Clone(rows)
	mem.PrefetchRows(at, weights, asked)
	mem.PrefetchRows(at, weights, append(asked, mem.Row[T]{From: 1 << 40, To: 3}, mem.Row[T]{To: math.MaxUint64})) // none harms
	var gotAt []uint32
	var gotSums []T
	var o mem.Offers[T]
	for left := slices.Clone(rows); len(left) > 0; {
		left = mem.Collect(&o, list, at, weights, unit, left)
		if r.IntN(2) > 0 || o.Found > len(o.At)-8 {
			gotAt, gotSums = append(gotAt, o.At[:o.Found]...), append(gotSums, o.Sums[:o.Found]...)
			o.Found = 0
		}
	}
	gotAt, gotSums = append(gotAt, o.At[:o.Found]...), append(gotSums, o.Sums[:o.Found]...)
	mem.Own(list, gotAt)
	if !slices.Equal(gotAt, wantAt) || !slices.Equal(gotSums, wantSums) || !slices.Equal(asked, rows) {
		t.Fatalf("%T, rows %v of %v with %v, list %v: found %v %v, want %v %v", far, rows, at, weights, list, gotAt, gotSums, wantAt, wantSums)
	}
}

func plainOffers[T mem.Word, W int32 | float32](list []T, at []uint32, weights []W, unit T, rows []mem.Row[T]) (to []uint32, sums []T) {
	for _, row := range rows {
		for i := row.From; i < row.To; i++ {
			sum := row.Base + unit
			if weights != nil {
				sum = row.Base + T(weights[i])*unit
			}
			if sum < list[at[i]] {
				to, sums = append(to, at[i]), append(sums, sum)
			}
		}
	}
	return to, sums
}

// Arcs that lead beyond the list, and rows beyond the arcs, are found out at the row that has
// them: rows before it are done.
func TestCollectBeyond(t *testing.T) {
	for _, wrong := range []mem.Row[uint32]{{From: 3, To: 21}, {From: 9, To: 17}, {From: 21, To: 22}, {From: 4, To: 3}} {
		for _, index := range []uint32{16, 1 << 31, math.MaxUint32} {
			at, list := make([]uint32, 20), make([]uint32, 16)
			for i := range list {
				list[i] = 100
			}
			at[12] = index // in the second of the wrong rows
			rows := []mem.Row[uint32]{{From: 13, To: 20, Base: 5}, wrong, {From: 13, To: 20}}
			if n := beyond(list, at, rows); n != 2 {
				t.Errorf("row %v, index %d: panicked with %d rows left, want 2", wrong, index, n)
			}
		}
	}
}

// beyond collects, and returns how many rows were left when it panicked.
func beyond(list, at []uint32, rows []mem.Row[uint32]) (left int) {
	var o mem.Offers[uint32]
	defer func() { _ = recover() }()
	for len(rows) > 0 {
		left = len(rows)
		rows = mem.Collect(&o, list, at, make([]int32, len(at)), 1, rows)
	}
	return 0
}
