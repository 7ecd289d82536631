package mem_test

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gopregel/pregel/mem"
	"gopregel/pregel/pregeltest/race"
)

// Rows of every length, four each among them, are to the last bit what a plain loop makes
// of them.
func TestSumRows(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range 300 {
		list := make([]float64, 2+r.IntN(50))
		for k := range list[:len(list)-1] {
			list[k] = r.NormFloat64()
		}
		others := []int{0, 0, 1, 3, 12, 70}[r.IntN(6)] // in 70
		if i%3 == 0 {
			others = 70
		}
		at, bounds := rowsOf(r, len(list), []int{1, 5, 20, 70}[i%4], others)
		sumsRows(t, list, at, bounds)
		singles := make([]float32, len(list))
		for k, x := range list {
			singles[k] = float32(x)
		}
		sumsRows(t, singles, at, bounds)
	}
}

// rowsOf are rows of four indices of a list, of which as many in 70 as others have fewer
// than most instead, and bounds of them that begin anywhere.
func rowsOf(r *rand.Rand, list, most, others int) (at []uint32, bounds []uint64) {
	bounds = []uint64{uint64(r.IntN(3))}
	for range 1 + r.IntN(300) {
		length := uint64(4)
		if r.IntN(70) < others {
			length = uint64(r.IntN(most))
		}
		bounds = append(bounds, bounds[len(bounds)-1]+length)
	}
	for range bounds[len(bounds)-1] + 4 {
		at = append(at, r.Uint32N(uint32(list)))
	}
	return at, bounds
}

func sumsRows[T float32 | float64](t *testing.T, list []T, at []uint32, bounds []uint64) {
	t.Helper()
	sums := make([]T, len(bounds)-1)
	want, wide := plainSums(list, at, bounds), mem.WideOffsets(bounds)
	for _, rows := range []mem.Offsets{wide, narrow(wide)} {
		clear(sums)
		if done := mem.SumRows(sums, list, at, rows); done != inAssembly {
			t.Fatalf("done: %v on %s", done, runtime.GOARCH)
		} else if !done {
			return
		}
		for i := range sums {
			if string(mem.Bytes(sums[i:i+1])) != string(mem.Bytes(want[i:i+1])) {
				t.Fatalf("row %d of %d: %v, want %v", i, bounds[i+1]-bounds[i], sums[i], want[i])
			}
		}
	}
}

// inAssembly tells whether SumRows does anything here.
const inAssembly = runtime.GOARCH == "amd64" && !race.On

func plainSums[T float32 | float64](list []T, at []uint32, bounds []uint64) (sums []T) {
	for i, lo := range bounds[:len(bounds)-1] {
		row, sum := at[lo:bounds[i+1]], T(0)
		if len(row) >= mem.SumLanes {
			var lanes [4]T
			n := (len(row) - 1) / 4 * 4
			for k, u := range row[:n] {
				lanes[k%4] += list[u]
			}
			sum, row = (lanes[0]+lanes[1])+(lanes[2]+lanes[3]), row[n:]
		}
		for _, u := range row {
			sum += list[u]
		}
		sums = append(sums, sum)
	}
	return sums
}

// What is not within the lists is not read.
func TestSumRowsRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		list := make([]float32, 2+r.IntN(50))
		at, bounds := rowsOf(r, len(list), 2+r.IntN(40), []int{0, 2, 70}[r.IntN(3)])
		last := len(bounds) - 1
		refuses(t, "fewer than four behind", list, at[:len(at)-1], bounds)
		refuses(t, "no list", list[:0], at, bounds)
		if bounds[last] > bounds[0] {
			wrong := slices.Clone(at)
			wrong[bounds[0]+r.Uint64N(bounds[last]-bounds[0])] = uint32(len(list)) << r.IntN(20)
			refuses(t, "an index beyond the list", list, wrong, bounds)
			descending := slices.Clone(bounds)
			descending[r.IntN(last)] = bounds[last] + 1 + r.Uint64N(1<<40)
			refuses(t, "a bound above the last", list, at, descending)
		}
		if n := uint64(last) / 16; n > 0 && bounds[last]-bounds[0] == uint64(4*last) {
			short := slices.Clone(bounds)
			short[last] -= 5 + r.Uint64N(4*n)
			refuses(t, "rows of four beyond the last bound", list, at, short)
		}
	}
	refuses(t, "no rows", []float32{0}, []uint32{0, 0, 0, 0}, nil)
	if mem.SumRows(make([]int32, 1), []int32{0}, []uint32{0, 0, 0, 0, 0}, mem.WideOffsets([]uint64{0, 1})) {
		t.Fatal("sums of integers were made")
	}
}

func refuses(t *testing.T, what string, list []float32, at []uint32, bounds []uint64) {
	t.Helper()
	wide := mem.WideOffsets(bounds)
	for _, rows := range []mem.Offsets{wide, narrow(wide)} {
		if mem.SumRows(make([]float32, max(len(bounds)-1, 0)), list, at, rows) {
			t.Fatalf("%s: sums were made", what)
		}
	}
}
