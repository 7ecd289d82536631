//go:build cuda || emulate

package cuda_test

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/runtime/cuda"
)

// What a program has tallied is told to the host where there is room for it, else copied:
// the same sums, up to the last byte of room.
func TestTold(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	e := open(t, cuda.Options{})
	for _, along := range []pregel.Along{pregel.OutEdges, pregel.BothEdges} {
		directed := along == pregel.BothEdges
		g := random(t, r, 700, 9000, directed)
		for _, spare := range []int{-cuda.ToldNeeds(1), -1, 0, 1000} {
			e.ToldRoom(cuda.ToldNeeds(1) + spare)
			columned(t, e, g, &census[int32]{combine: pregel.Sum[int32](), along: along})
			if told := e.Told(); told != (spare >= 0) {
				t.Errorf("%d bytes more than needed: told %v", spare, told)
			}
		}
	}
}

// A superstep that ends and tells nothing is an error, and no endless wait.
func TestToldNothing(t *testing.T) {
	if err := open(t, cuda.Options{}).ToldNothing(); err == nil {
		t.Error("found nothing wrong")
	}
}
