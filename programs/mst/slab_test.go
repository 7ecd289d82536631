package mst_test

import (
	"testing"

	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/internal/trial"
)

// More edges in a batch than a worker has room for at once, in one range and in
// several: none is lost.
func TestLargeBatches(t *testing.T) {
	r := trial.Rand(t)
	for _, weights := range race.Some(1<<30, 1, 0) {
		check(t, "many trees", trial.Random(r, 120_000, 300_000, weights, false))
	}
}

// Vertices with few arcs and with more follow each other: their edges come in order all
// the same, and of parallel ones the lightest.
func TestShortAndLongLists(t *testing.T) {
	r := trial.Rand(t)
	for _, weights := range race.Some(1<<30, 3, 0) {
		check(t, "mixed", trial.Random(r, 20_000, 160_000, weights, false))
		check(t, "parallel", trial.Random(r, 100, 800, weights, false))
	}
}
