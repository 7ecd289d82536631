package mst_test

import (
	"testing"

	"gopregel/programs/internal/trial"
)

// More edges in a batch than a worker has room for at once, in one range and in
// several: none is lost.
func TestLargeBatches(t *testing.T) {
	r := trial.Rand(t)
	for _, weights := range []int{1 << 30, 1, 0} {
		check(t, "many trees", trial.Random(r, 120_000, 300_000, weights, false))
	}
}
