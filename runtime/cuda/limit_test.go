//go:build cuda || emulate

package cuda_test

import (
	"fmt"
	"testing"

	"gopregel/pregel"
	"gopregel/programs/bfs"
	"gopregel/runtime/cuda"
)

// counting never ends: every vertex counts its supersteps.
const counting = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = true; return 0; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return x; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) { awake = true; return x + 1; }
`

func counter() *cuda.KernelProgram {
	return &cuda.KernelProgram{Name: "counting.cu", Source: counting, Value: "uint32", Message: "uint32", Combine: "max", Edge: "copy", Silent: true}
}

// The limit is kept exactly, however many supersteps are done at a time.
func TestMaxSupersteps(t *testing.T) {
	e := open(t, cuda.Options{})
	n := 10_000
	if testing.Short() {
		n = 200
	}
	g := line(t, n)
	for _, batch := range []int{0, 7, 64, 1 << 20} {
		for _, limit := range []int{1, 2, 6, 7, 8, 63, 64, 65, 4095, 4096, 4097, 9998} {
			if batch < 64 && limit > 100 || limit >= n-1 {
				continue
			}
			what := fmt.Sprintf("batch %d, limit %d", batch, limit)
			j := &pregel.Job{Graph: g, Engine: e, Batch: batch, MaxSupersteps: limit}
			answer, err := counter().Run(t.Context(), j)
			if err != nil || answer.Stop.Reason != pregel.MaxSupersteps || answer.Stop.Supersteps != limit || j.Supersteps() != limit {
				t.Fatalf("%s: %+v, %v", what, answer, err)
			}
			for v, x := range answer.Table.Columns[0].Counts {
				if int(x) != limit {
					t.Fatalf("%s: vertex %d has counted %d supersteps", what, v, x)
				}
			}
			answer, err = (&bfs.BFS{Source: "0"}).Run(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: batch, MaxSupersteps: limit})
			if err != nil || answer.Stop.Reason != pregel.MaxSupersteps || answer.Stop.Supersteps != limit {
				t.Fatalf("%s: %+v, %v", what, answer, err)
			}
			for v, x := range answer.Table.Columns[0].Counts {
				if v <= limit && int(x) != v || v > limit && x != pregel.NoCount {
					t.Fatalf("%s: vertex %d has depth %d", what, v, x)
				}
			}
		}
	}
}
