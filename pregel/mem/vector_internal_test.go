package mem

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every loop gives, with vectors and without, the bits of a plain one: for numbers of all
// kinds, lists of every length that begin anywhere, and bounds of every kind.
func TestVectors(t *testing.T) {
	if hasVectors {
		t.Run("vectors", everyVector)
	}
	t.Run("plain", func(t *testing.T) {
		defer func(before bool) { vectors = before }(vectors)
		vectors = false
		everyVector(t)
	})
}

func everyVector(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for n := range 71 {
		for range 20 {
			odd := r.IntN(2) == 0
			vectorsOf[float32](t, r, n, odd)
			vectorsOf[float64](t, r, n, odd)
		}
	}
}

func vectorsOf[T float32 | float64](t *testing.T, r *rand.Rand, n int, odd bool) {
	a, b, bounds := numbers[T](r, n, odd), numbers[T](r, n, odd), someBounds(r, n)
	rows := WideOffsets(bounds)
	if r.IntN(2) == 0 {
		rows = narrowed(r, bounds)
	}
	base, factor := float64(numbers[T](r, 1, odd)[0]), r.NormFloat64()
	var change, empty, none lanes
	affine, shares := make([]T, n), make([]T, n)
	for i := range n {
		affine[i] = T(base + float64(factor*float64(a[i])))
		change[i%4] += math.Abs(float64(affine[i]) - float64(b[i]))
		share := T(0)
		if d := uint32(bounds[i+1] - bounds[i]); d > 0 {
			share = 1 / T(d)
		}
		shares[i] = a[i] * share
		if bounds[i+1] == bounds[i] {
			empty[i%4] += float64(a[i])
			none[i%4] += float64(affine[i])
		}
	}
	got := guarded(b...)
	sameNumbers(t, "change", guarded(Affine(got, a, base, factor)), []float64{change.sum()})
	sameNumbers(t, "affine", got, affine)
	got = guarded(b...)
	both, emptied := AffineEmpty(got, a, rows, base, factor)
	sameNumbers(t, "change and sum of empty", guarded(both, emptied), []float64{change.sum(), none.sum()})
	sameNumbers(t, "affine with empty", got, affine)
	sameNumbers(t, "sum of empty", guarded(SumEmpty(a, rows)), []float64{empty.sum()})
	got = guarded(make([]T, n)...)
	done := Shares(got, a, rows)
	if want := sharesDone[T](bounds); vectors && done != want || !vectors && done != 0 {
		t.Fatalf("%d of %d shares done, vectors: %v", done, n, vectors)
	}
	copy(got[done:], shares[done:])
	sameNumbers(t, "shares", got, shares)
}

// sharesDone is up to where vectors make shares.
func sharesDone[T float32 | float64](bounds []uint64) int {
	n := len(bounds) - 1
	if Size[T]() == 8 {
		return n &^ 3
	}
	for i := range n &^ 7 {
		if uint32(bounds[i+1]-bounds[i]) >= 1<<31 {
			return i &^ 7
		}
	}
	return n &^ 7
}

// numbers begin anywhere. odd: any bits are among them.
func numbers[T float32 | float64](r *rand.Rand, n int, odd bool) []T {
	list := make([]T, n+3)[r.IntN(4):][:n]
	strange := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 5e-324, math.MaxFloat64, 1e-42}
	for i := range list {
		list[i] = T(r.NormFloat64() / 1e5)
		if odd && r.IntN(4) == 0 {
			list[i] = T(strange[r.IntN(len(strange))])
		}
	}
	return list
}

// someBounds ascend by little, and now and then by anything, or not at all.
func someBounds(r *rand.Rand, n int) []uint64 {
	bounds := make([]uint64, n+4)[r.IntN(4):][:n+1]
	bounds[0] = r.Uint64() >> r.IntN(64)
	for i := range n {
		by := r.Uint64N(5)
		if r.IntN(10) == 0 {
			by = r.Uint64() >> r.IntN(64)
		} else if r.IntN(10) == 0 {
			by = []uint64{1 << 32, 254 + r.Uint64N(4)}[r.IntN(2)]
		}
		bounds[i+1] = bounds[i] + by
	}
	return bounds
}

// narrowed makes bounds modulo 2^32 of those that are given, and returns copies that begin anywhere.
func narrowed(r *rand.Rand, bounds []uint64) Offsets {
	list := make([]uint32, len(bounds)+3)[r.IntN(4):][:len(bounds)]
	for i := range bounds {
		list[i] = uint32(bounds[i])
		bounds[i] = uint64(list[i])
	}
	return NarrowOffsets(list)
}

// guarded are numbers that begin anywhere, with more behind them that nobody may change.
func guarded[T float32 | float64](list ...T) []T {
	all := append(make([]T, len(list)%3, len(list)+10), list...)
	return append(all, 7, 7, 7, 7)[len(list)%3:][:len(list)]
}

// sameNumbers compares the bits of what is guarded, but for those of NaN.
func sameNumbers[T float32 | float64](t *testing.T, what string, got, want []T) {
	t.Helper()
	for i := range want {
		if g, w := float64(got[i]), float64(want[i]); math.Float64bits(g) != math.Float64bits(w) && (g == g || w == w) {
			t.Fatalf("%s of %d numbers: number %d is %v, want %v", what, len(want), i, g, w)
		}
	}
	for i, x := range got[len(got):][:4] {
		if x != 7 {
			t.Fatalf("%s of %d numbers: number %d behind them is %v", what, len(want), i, x)
		}
	}
}
