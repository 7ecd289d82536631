//go:build cuda || emulate

package cuda_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
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

// walker is the program of wild, in some superstep.
type walker struct{ at int }

func (walker) Spec() pregel.Spec[uint32]                   { return pregel.Spec[uint32]{Combine: pregel.Max[uint32]()} }
func (walker) Init(v pregel.Vertex[uint32]) (uint32, bool) { return 0, v.ID == 0 }
func (walker) Emit(v pregel.Vertex[uint32]) uint32         { return v.Value + 1 }
func (walker) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return m, v.Value == 0 && v.ID > 0
}
func (w walker) Twin() pregel.Twin {
	return pregel.Twin{Name: "wild.cu", Source: strings.Replace(wild, "superstep == 3", fmt.Sprint("superstep == ", w.at), 1)}
}

// leavesZeros checks that a run whose device is lost leaves zeros for values, not what memory had
// before, and those that were given as they were.
func leavesZeros(t *testing.T, e *cuda.Engine) {
	t.Helper()
	const n = 5000
	g, used := line(t, n), mem.Take[uint32](n)
	mem.Fill(used, 7)
	mem.Give(used)
	r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, walker{3})
	if err == nil || len(r.Values) != n || slices.Max(r.Values) != 0 {
		t.Fatalf("error %v; %d values, up to %d", err, len(r.Values), slices.Max(r.Values))
	}
	given := slices.Repeat([]uint32{9}, n)
	if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Bounds: pregel.Bounds{NaN: true}}, walker{0}, pregel.WithValues(given)); err == nil || slices.Min(given) != 9 || slices.Max(given) != 9 {
		t.Fatalf("error %v; given values are from %d to %d", err, slices.Min(given), slices.Max(given))
	}
}

// farness finds how many steps away the source is: a program whose first values a device may write
// late.
type farness struct{ source uint32 }

func (farness) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}

func (p farness) Init(v pregel.Vertex[float32]) (float32, bool) {
	if v.ID == p.source {
		return 0, true
	}
	return float32(math.Inf(1)), false
}
func (farness) Emit(v pregel.Vertex[float32]) uint32 { return v.ID }
func (farness) Settled(x float32) bool               { return !math.IsInf(float64(x), 1) }
func (farness) Apply(v pregel.Vertex[float32], _ uint32, _ bool) (float32, bool) {
	if !math.IsInf(float64(v.Value), 1) {
		return v.Value, false
	}
	return float32(v.Superstep + 1), true
}

func (p farness) Twin() pregel.Twin {
	return pregel.Twin{Name: "steps.cu", Params: struct{ Source uint32 }{p.source}, Source: `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) {
  awake = v.id == p.source;
  return awake ? 0.0f : __int_as_float(0x7f800000);
}
__device__ Message emit(Vertex v, Value x, const Params &p) { return v.id; }
__device__ bool settled(Value x) { return x != __int_as_float(0x7f800000); }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  if (settled(x)) return x;
  awake = true;
  return (float)(v.superstep + 1);
}
`}
}

// What the host's memory had before is no value: it is not taken for NaN at barriers to which none come,
// and what was given stays there.
func TestNoValuesAtBarriers(t *testing.T) {
	e := open(t, cuda.Options{})
	const n = 5000
	g := build(t, n, []graph.Arc{{U: 7, V: 8}, {U: 8, V: 9}, {U: 9, V: 4000}}, true)
	used := mem.Take[float32](n)
	mem.Fill(used, float32(math.NaN()))
	mem.Give(used)
	for _, given := range [][]float32{nil, slices.Repeat([]float32{3}, n)} {
		var opts []pregel.Option
		if given != nil {
			opts = append(opts, pregel.WithValues(given))
		}
		r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Bounds: pregel.Bounds{NaN: true}}, farness{7}, opts...)
		if err != nil || r.Values[4000] != 3 || !math.IsInf(float64(r.Values[10]), 1) {
			t.Fatalf("given %v: %v, %v and %v steps, want 3 and +Inf", given != nil, err, r.Values[4000], r.Values[10])
		}
	}
}
