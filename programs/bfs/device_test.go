package bfs_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/bfs"
	"gopregel/programs/internal/trial"
)

// TestDevice runs on graphs of every shape, and larger random ones, from
// random sources, and compares with the CPU, the certificate and a queue.
func TestDevice(t *testing.T) {
	trial.Device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	cases, sources := trial.Graphs(seed), 4
	if testing.Short() {
		sources = 1
	} else {
		for _, size := range [][2]int{{3000, 5000}, {60_000, 900_000}, {200_000, 250_000}} {
			cases = append(cases, pregeltest.Case{Name: "random directed", Graph: trial.Random(r, size[0], size[1], 0, true)},
				pregeltest.Case{Name: "random undirected", Graph: trial.Random(r, size[0], size[1], 0, false)})
		}
	}
	cases = append(append(cases, trial.Shapes(t, r, true)...), trial.Shapes(t, r, false)...)
	for _, c := range cases {
		for range min(c.Graph.N(), sources) {
			source := r.Uint32N(uint32(c.Graph.N()))
			answer := trial.OnDevice(t, c.Name, c.Graph, &bfs.BFS{Source: pregel.ID(c.Graph.IDs().Text(source))}, 0)
			depth, parent := reference(c.Graph, source)
			columns := answer.Table.Columns
			if !slices.Equal(columns[0].Counts, depth) || !slices.Equal(columns[1].Vertices, parent) {
				t.Fatalf("%s, from vertex %d: not what the queue gives", c.Name, source)
			}
		}
	}
}
