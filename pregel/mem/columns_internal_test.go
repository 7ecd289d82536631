package mem

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Columns of every length, that begin anywhere, with and without vectors, are what plain
// loops make of them.
func TestColumns(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	defer func(before bool) { vectors = before }(vectors)
	for _, by := range []bool{false, hasVectors} {
		vectors = by
		r := rand.New(rand.NewPCG(seed, 1))
		for n := range 100 {
			for _, none := range []int{0, 1, 2, 10} { // of ten are not known
				columnsOf(t, r, n, none)
			}
		}
	}
}

func columnsOf(t *testing.T, r *rand.Rand, n, none int) {
	t.Helper()
	skip, far := r.IntN(4), r.Int64()-r.Int64()
	pairs, firsts, seconds := make([]uint32, skip+2*n)[skip:], make([]uint32, skip+n), make([]uint32, skip+n)
	wide := make([]int64, skip+n)
	for i := range pairs {
		if pairs[i] = r.Uint32() >> r.IntN(32); i%2 == 0 && r.IntN(10) < none {
			pairs[i] = math.MaxUint32
		}
	}
	var want struct {
		firsts, seconds []uint32
		wide            []int64
		known           int
		most            uint32
	}
	for i := range n {
		x := pairs[2*i]
		want.firsts, want.seconds, want.wide = append(want.firsts, x), append(want.seconds, pairs[2*i+1]), append(want.wide, int64(x))
		if x == math.MaxUint32 {
			want.wide[i] = far
			continue
		}
		want.known++
		want.most = max(want.most, x)
	}
	tells := func(what string) func(known int, most uint32) {
		return func(known int, most uint32) {
			if known != want.known || most != want.most {
				t.Errorf("%s of %d: %d known, the greatest %d, want %d and %d", what, n, known, most, want.known, want.most)
			}
		}
	}
	tells("Unzip")(Unzip(firsts[skip:], seconds[skip:], pairs))
	tells("Extent")(Extent(firsts[skip:]))
	tells("Widen")(Widen(wide[skip:], firsts[skip:], far))
	splits(t, skip, pairs, far, func(lows []uint32, to []int64, known int, most uint32) {
		if tells("Split")(known, most); !slices.Equal(lows, want.seconds) || !slices.Equal(to, want.wide) {
			t.Errorf("%d words: %v %v, want %v %v", n, to, lows, want.wide, want.seconds)
		}
	})
	if !slices.Equal(firsts[skip:], want.firsts) || !slices.Equal(seconds[skip:], want.seconds) || !slices.Equal(wide[skip:], want.wide) {
		t.Errorf("%d numbers: %v %v %v, want %v", n, firsts[skip:], seconds[skip:], wide[skip:], want)
	}
	if rest := [...]bool{slices.Max(append(firsts[:skip:skip], 0)) == 0, slices.Max(append(seconds[:skip:skip], 0)) == 0, slices.Max(append(wide[:skip:skip], 0)) == 0}; rest != [...]bool{true, true, true} {
		t.Errorf("%d numbers: something was written before the lists", n)
	}
}

// splits splits words made of pairs, which begin at a place of a list, into another list and
// into itself.
func splits(t *testing.T, skip int, pairs []uint32, far int64, tell func([]uint32, []int64, int, uint32)) {
	t.Helper()
	n := len(pairs) / 2
	words, lows, to := make([]uint64, skip+n), make([]uint32, skip+n), make([]int64, skip+n)
	for i := range n {
		words[skip+i] = uint64(pairs[2*i])<<32 | uint64(pairs[2*i+1])
	}
	known, most := Split(to[skip:], lows[skip:], words[skip:], far)
	tell(lows[skip:], to[skip:], known, most)
	clear(lows)
	itself := View[int64](Bytes(words))
	known, most = Split(itself[skip:], lows[skip:], words[skip:], far)
	tell(lows[skip:], itself[skip:], known, most)
	if slices.Max(append(lows[:skip:skip], 0)) != 0 || slices.Max(append(to[:skip:skip], 0)) != 0 || slices.Max(append(words[:skip:skip], 0)) != 0 {
		t.Error("something was written before the lists")
	}
}

func TestFill(t *testing.T) {
	type pair struct{ a, b uint32 }
	for _, n := range []int{0, 1, fillFirst - 1, fillFirst, fillFirst + 1, 3*fillFirst + 7, 1<<16 + 1} {
		for skip := range 3 {
			fills(t, n, skip, pair{1, 2})
			fills(t, n, skip, uint32(0x1234567))
			fills(t, n, skip, -1.5)
			fills(t, n, skip, int16(-7))
			fills(t, n, skip, [3]uint32{1, 2, 3})
			fills(t, n, skip, &t)
		}
	}
}

// fills fills n numbers of a list, but for so many before those and one behind.
func fills[T comparable](t *testing.T, n, skip int, x T) {
	t.Helper()
	var none T
	list := make([]T, skip+n+1)
	Fill(list[skip:][:n], x)
	for i, y := range list {
		if filled := i >= skip && i < skip+n; filled && y != x || !filled && y != none {
			t.Fatalf("%T, %d from %d on: number %d is %v", x, n, skip, i, y)
		}
	}
}
