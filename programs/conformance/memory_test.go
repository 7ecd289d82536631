package conformance_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/programs/bfs"
	"gopregel/programs/internal/trial"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// What is made of a prepared graph for speed keeps no run from the memory that
// suffices for the graph as it was: neither one's own forms, nor those that
// others have left.
func TestDevicePreparedInLittleMemory(t *testing.T) {
	trial.Device(t)
	r, e := trial.Rand(t), engine(t)
	for _, directed := range []bool{false, true} {
		g := hubs(t, r, 1600, 12_000, directed)
		p, err := pregel.Prepare(t.Context(), g, "degree", 2)
		if err != nil {
			t.Fatal(err)
		}
		for memory := uint64(200_000); memory < 900_000; memory += 30_000 + r.Uint64N(60_000) {
			fits := map[string]bool{}
			for _, name := range onDevices {
				limit(t, e, memory)
				fits[name] = ran(t, e, g, name)
				limit(t, e, memory)
				if fits[name] && !ran(t, e, p.Graph, name) {
					t.Errorf("%s, directed %v: %d bytes suffice for the graph, not for the prepared one", name, directed, memory)
				}
			}
			limit(t, e, memory)
			r.Shuffle(len(onDevices), func(i, j int) { onDevices[i], onDevices[j] = onDevices[j], onDevices[i] })
			for _, name := range onDevices {
				if done := ran(t, e, p.Graph, name); fits[name] && !done {
					t.Errorf("%s, directed %v: %d bytes suffice, but not in the order %v", name, directed, memory, onDevices)
				}
			}
		}
	}
}

var onDevices = []string{"bfs", "pagerank", "mst", "scc", "sssp", "wcc"}

// hubs makes a graph of random arcs of weights 1 to 255, the first vertices
// having most.
func hubs(t *testing.T, r *rand.Rand, n, m int, directed bool) *graph.Graph {
	t.Helper()
	var c graph.Columns
	for range m {
		c.U, c.V = append(c.U, r.Uint32N(r.Uint32N(uint32(n))+1)), append(c.V, r.Uint32N(uint32(n)))
		c.Weights.Int = append(c.Weights.Int, r.Int32N(255)+1)
	}
	for v := range uint32(1500) {
		c.U, c.V, c.Weights.Int = append(c.U, 0), append(c.V, v), append(c.Weights.Int, 300)
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), c, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// engine opens the device once: hundreds of contexts would fill it.
func engine(t *testing.T) *cuda.Engine {
	t.Helper()
	cache := os.Getenv("GOPREGEL_KERNELS")
	if cache == "" {
		cache = t.TempDir()
	}
	e, err := cuda.Open(cuda.Options{Cache: cache, Host: cpu.New(cpu.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// limit makes an engine that holds no graph but a tiny one, which goes with the
// next run, and may take some bytes.
func limit(t *testing.T, e *cuda.Engine, memory uint64) {
	t.Helper()
	tiny, err := graph.Build(t.Context(), graph.RangeIDs(0, 2), graph.Columns{U: []uint32{0}, V: []uint32{1}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e.Memory = 0
	if !ran(t, e, tiny, "wcc") {
		t.Fatal("two vertices found no room")
	}
	e.Memory = memory
}

// ran tells whether a program has had the memory to run to its end.
func ran(t *testing.T, e *cuda.Engine, g *graph.Graph, name string) bool {
	t.Helper()
	var a pregel.Algorithm
	for _, entry := range programs.All() {
		if entry.Name == name {
			a = entry.New()
		}
	}
	switch a := a.(type) {
	case *bfs.BFS:
		a.Source = pregel.ID(g.IDs().Text(1))
	case *sssp.SSSP:
		a.Source = pregel.ID(g.IDs().Text(1))
	}
	_, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 20})
	var full *driver.OutOfMemory
	if err != nil && !errors.As(err, &full) {
		t.Fatal(err)
	}
	return err == nil
}
