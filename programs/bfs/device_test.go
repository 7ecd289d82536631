package bfs_test

import (
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/bfs"
	"gopregel/programs/internal/trial"
)

// TestDevice runs on graphs of every shape, and larger random ones, from
// random sources.
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
		for range min(c.Graph.N(), 4) {
			source := pregel.ID(c.Graph.IDs().Text(r.Uint32N(uint32(c.Graph.N()))))
			trial.OnDevice(t, c.Name, c.Graph, &bfs.BFS{Source: source}, 0)
		}
	}
}
