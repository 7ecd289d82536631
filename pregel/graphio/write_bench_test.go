package graphio_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
)

// benchGraph is undirected, with 2^18 vertices, 2^22 edges and weights.
var benchGraph = sync.OnceValue(func() *graph.Graph {
	const n, m = 1 << 18, 1 << 22
	r := rand.New(rand.NewPCG(1, 2))
	c := graph.Columns{U: make([]uint32, m), V: make([]uint32, m), Weights: graph.Weights{Int: make([]int32, m)}}
	for i := range m {
		c.U[i], c.V[i], c.Weights.Int[i] = r.Uint32N(n), r.Uint32N(r.Uint32N(n)+1), r.Int32N(255)+1
	}
	g, err := graph.Build(context.Background(), graph.RangeIDs(1, n), c, graph.Options{Loops: graph.DropLoops})
	if err != nil {
		panic(err)
	}
	return g
})

func BenchmarkWrite(b *testing.B) {
	for _, name := range []string{"g.txt", "g.csv", "g.wel", "g.mtx", "g.gr", "g.graph", "g.e", "g.txt.gz", "g.txt.zst", "g.wsg", "g.pgr"} {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), name)
			g := benchGraph()
			for b.Loop() {
				if err := graphio.Write(b.Context(), path, g, graphio.WriteOptions{AllowLoss: true}); err != nil {
					b.Fatal(err)
				}
			}
			if info, err := os.Stat(path); err == nil {
				b.SetBytes(info.Size())
			}
		})
	}
}
