package mem

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Lists of every length, that begin anywhere, come out as numbers of eight bytes, with
// and without vectors, and nothing around them is written.
func TestLengthen(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	defer func(before bool) { vectors = before }(vectors)
	for _, by := range []bool{false, hasVectors} {
		vectors = by
		for n := range 200 {
			from, room := make([]uint32, n+r.IntN(4)), make([]uint64, n+8)
			for i := range from {
				from[i] = r.Uint32()
			}
			from = from[len(from)-n:]
			for i := range room {
				room[i] = 1 << 63
			}
			to := Lengthen(room[3:], from)
			if len(to) != n {
				t.Fatalf("%d numbers, want %d", len(to), n)
			}
			for i, x := range room {
				if inside := i >= 3 && i < 3+n; inside && x != uint64(from[i-3]) || !inside && x != 1<<63 {
					t.Fatalf("%d numbers: number %d is %#x", n, i-3, x)
				}
			}
		}
	}
}

// Differences of rows come out likewise, by numbers of either kind.
func TestDifferences(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	defer func(before bool) { vectors = before }(vectors)
	for _, by := range []bool{false, hasVectors} {
		vectors = by
		for n := range 200 {
			from := r.IntN(4)
			wide, narrow, want := make([]uint64, from+n+1), make([]uint32, from+n+1), make([]uint32, n)
			wide[from] = r.Uint64N(1 << 40)
			for i := range n {
				want[i] = r.Uint32() >> r.IntN(32)
				wide[from+i+1] = wide[from+i] + uint64(want[i])
			}
			for i, x := range wide {
				narrow[i] = uint32(x)
			}
			sameDifferences(t, wide[from:], want)
			sameDifferences(t, narrow[from:], want)
		}
	}
}

func sameDifferences[B uint32 | uint64](t *testing.T, bounds []B, want []uint32) {
	t.Helper()
	room := make([]uint32, len(want)+2)
	last := &room[len(want)+1]
	*last = 7
	if got := Differences(room[1:], bounds); !slices.Equal(got, want) || room[0] != 0 || *last != 7 {
		t.Fatalf("vectors %v: lengths of %d rows: %d, want %d, between 0 and 7: %d, %d", vectors, len(want), got, want, room[0], *last)
	}
}
