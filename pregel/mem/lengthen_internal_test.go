package mem

import (
	"math/rand/v2"
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
