//go:build cuda || emulate

package cuda_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

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

// A run ends by the clock between launches, which come back to the host in time,
// however many supersteps may be done at once.
func TestTimeLimit(t *testing.T) {
	e := open(t, cuda.Options{})
	g := line(t, 100)
	for _, batch := range []int{1, 1 << 20} {
		j := &pregel.Job{Graph: g, Engine: e, Batch: batch, Bounds: pregel.Bounds{Time: 300 * time.Millisecond}}
		answer, err := counter().Run(t.Context(), j)
		if err != nil || answer.Stop.Reason != pregel.TimeLimit {
			t.Fatalf("batch %d: %+v, %v", batch, answer, err)
		}
		if answer.Stop.Supersteps >= 1<<20 {
			t.Errorf("batch %d: it has come to its end: %v", batch, answer.Stop)
		}
		for v, x := range answer.Table.Columns[0].Counts {
			if int(x) != answer.Stop.Supersteps {
				t.Fatalf("batch %d: vertex %d has counted %d supersteps of %d", batch, v, x, answer.Stop.Supersteps)
			}
		}
	}
}

// spoiling has a NaN at vertex 7 from superstep 2 on.
const spoiling = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = true; return Value{v.id, 1.0f}; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return x.level; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = v.superstep < 5;
  return Value{x.own, v.id == 7 && v.superstep >= 2 ? __int_as_float(0x7fc00000) : 1.0f};
}
`

// A NaN on the device is found at the barrier where it first stands.
func TestNaNOnDevice(t *testing.T) {
	e := open(t, cuda.Options{})
	p := &cuda.KernelProgram{Name: "spoiling.cu", Source: spoiling, Value: "own: uint32, level: float32", Message: "float32", Combine: "max", Edge: "copy", Silent: true}
	j := &pregel.Job{Graph: line(t, 100), Engine: e, Batch: 64}
	if _, err := p.Run(t.Context(), j); err != nil {
		t.Fatal(err)
	}
	j = &pregel.Job{Graph: j.Graph, Engine: e, Batch: 64, Bounds: pregel.Bounds{NaN: true}}
	_, err := p.Run(t.Context(), j)
	if !errors.Is(err, pregel.ErrNaN) || err.Error() != "program spoiling.cu, superstep 2, vertex 7: its value is not a number (NaN): its field level" {
		t.Errorf("%v", err)
	}
}
