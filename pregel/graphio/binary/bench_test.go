package binary_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio/binary"
)

// benchGraph has 2^20 vertices and 2^24 arcs with weights, targets skewed as
// in real graphs.
var benchGraph = sync.OnceValue(func() *graph.Graph {
	const n, m = 1 << 20, 1 << 24
	r := rand.New(rand.NewPCG(1, 2))
	c := graph.Columns{U: make([]uint32, m), V: make([]uint32, m), Weights: graph.Weights{Int: make([]int32, m)}}
	for i := range m {
		c.U[i], c.V[i], c.Weights.Int[i] = r.Uint32N(n), r.Uint32N(r.Uint32N(n)+1), r.Int32N(255)+1
	}
	g, err := graph.Build(context.Background(), graph.RangeIDs(0, n), c, graph.Options{Directed: true})
	if err != nil {
		panic(err)
	}
	return g
})

func BenchmarkWrite(b *testing.B) {
	g := benchGraph()
	path := filepath.Join(b.TempDir(), "g.pgr")
	for b.Loop() {
		if err := binary.Write(b.Context(), path, g, binary.WriteOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	info, err := binary.Describe(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size)
}

func BenchmarkEncode(b *testing.B) {
	g := benchGraph()
	var size int64
	for b.Loop() {
		o := binary.WriteOptions{Progress: func(done, _ int64) { size = done }}
		if err := binary.Encode(b.Context(), io.Discard, g, o); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(size)
}

func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "g.pgr")
	if err := binary.Write(b.Context(), path, benchGraph(), binary.WriteOptions{}); err != nil {
		b.Fatal(err)
	}
	info, err := binary.Describe(path)
	if err != nil {
		b.Fatal(err)
	}
	for name, v := range map[string]binary.Verification{"never": binary.VerifyNever, "auto": binary.VerifyAuto, "always": binary.VerifyAlways} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("verify=%s/workers=%d", name, workers), func(b *testing.B) {
				b.SetBytes(info.Size)
				for b.Loop() {
					g, err := binary.Read(b.Context(), path, binary.ReadOptions{Verify: v, Workers: workers})
					if err != nil {
						b.Fatal(err)
					}
					g.Close()
				}
			})
		}
	}
}

func BenchmarkGAPBS(b *testing.B) {
	path := filepath.Join(b.TempDir(), "g.wsg")
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := binary.WriteGAPBS(b.Context(), path, benchGraph(), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := binary.ReadGAPBS(b.Context(), path, 0); err != nil {
				b.Fatal(err)
			}
		}
	})
}
