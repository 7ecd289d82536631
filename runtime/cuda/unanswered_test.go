//go:build cuda || emulate

package cuda_test

import (
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
)

// wild walks along a path and, three arcs on, writes to where no memory is.
const wild = `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id == 0; return 0; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return x + 1; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  if (v.superstep == 3) *(volatile u32 *)(((u64)v.id + 1) << 44) = m;
  awake = x == 0 && v.id > 0;
  return m;
}
`

// walker is the program of wild.
type walker struct{}

func (walker) Spec() pregel.Spec[uint32]                   { return pregel.Spec[uint32]{Combine: pregel.Max[uint32]()} }
func (walker) Init(v pregel.Vertex[uint32]) (uint32, bool) { return 0, v.ID == 0 }
func (walker) Emit(v pregel.Vertex[uint32]) uint32         { return v.Value + 1 }
func (walker) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return m, v.Value == 0 && v.ID > 0
}
func (walker) Twin() pregel.Twin { return pregel.Twin{Name: "wild.cu", Source: wild} }

// leavesZeros checks that a run whose device is lost leaves zeros for values, not what memory had
// before.
func leavesZeros(t *testing.T, e *cuda.Engine) {
	t.Helper()
	const n = 5000
	g, used := line(t, n), mem.Take[uint32](n)
	mem.Fill(used, 7)
	mem.Give(used)
	r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, walker{})
	if err == nil || len(r.Values) != n || slices.Max(r.Values) != 0 {
		t.Fatalf("error %v; %d values, up to %d", err, len(r.Values), slices.Max(r.Values))
	}
}
