package pagerank

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/mem"
)

// Ranks are widened where they stand, whatever their number and that of workers.
func TestWidenInPlace(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, pieces := range []int{0, 1, 2, 3, 4, 5, 7, 8} {
		for _, more := range []int{-1, 0, 1, 5, piece/2 + 1} {
			n := pieces*piece + more
			if n < 0 {
				continue
			}
			wide := make([]float64, n+1)
			narrow, want := mem.View[float32](mem.Bytes(wide))[:n], make([]float64, n)
			for i := range narrow {
				narrow[i] = r.Float32()
				want[i] = float64(narrow[i])
			}
			widen(wide[:n], narrow, 1+r.IntN(4))
			if !slices.Equal(wide[:n], want) {
				t.Errorf("%d ranks differ", n)
			}
		}
	}
}
