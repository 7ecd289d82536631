package pagerank_test

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel/pregeltest"
	"gopregel/programs/internal/trial"
	"gopregel/programs/pagerank"
)

// TestDevice runs on graphs of every shape and larger random ones, to the
// tolerance and for a number of iterations, in both precisions.
func TestDevice(t *testing.T) {
	trial.Device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	cases := pregeltest.Graphs(seed)
	for _, size := range [][2]int{{3000, 5000}, {60_000, 900_000}, {200_000, 250_000}} {
		cases = append(cases, pregeltest.Case{Name: "random directed", Graph: trial.Random(r, size[0], size[1], 0, true)},
			pregeltest.Case{Name: "random undirected", Graph: trial.Random(r, size[0], size[1], 0, false)})
	}
	for _, c := range cases {
		trial.OnDevice(t, c.Name, c.Graph, &pagerank.PageRank{Damping: 0.85, Iterations: 7, Precision: pagerank.Float64}, 1e-9)
		trial.OnDevice(t, c.Name, c.Graph, &pagerank.PageRank{Damping: 0.85, Iterations: 7, Precision: pagerank.Float32}, 1e-4)
		trial.OnDevice(t, c.Name, c.Graph, &pagerank.PageRank{Damping: 0.5, Tolerance: 1e-10, Precision: pagerank.Float64}, 1e-6)
	}
}
