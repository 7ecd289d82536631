//go:build cuda || emulate

package cuda_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// A relaxing program is one that keeps the law of pregel.Relaxer, with its twin.
type relaxing[V any, M pregel.Number] struct {
	name  string
	spec  pregel.Spec[M]
	init  func(v pregel.Vertex[V]) (V, bool)
	emit  func(v pregel.Vertex[V]) M
	apply func(v pregel.Vertex[V], m M) (V, bool)
	twin  string
}

func (p *relaxing[V, M]) Name() string                      { return p.name }
func (p *relaxing[V, M]) Spec() pregel.Spec[M]              { return p.spec }
func (p *relaxing[V, M]) Init(v pregel.Vertex[V]) (V, bool) { return p.init(v) }
func (p *relaxing[V, M]) Emit(v pregel.Vertex[V]) M         { return p.emit(v) }
func (*relaxing[V, M]) Relaxes() bool                       { return true }
func (p *relaxing[V, M]) Twin() pregel.Twin                 { return pregel.Twin{Name: p.name + ".cu", Source: p.twin} }
func (p *relaxing[V, M]) run(j *pregel.Job) ([]byte, error) {
	return valuesOf(pregel.RunEdge(context.Background(), j, p))
}
func (p *relaxing[V, M]) Apply(v pregel.Vertex[V], m M, _ bool) (V, bool) { return p.apply(v, m) }

// An ordered one has priorities.
type ordered[V any, M pregel.Number] struct {
	relaxing[V, M]
	priority func(V) uint64
}

func (p *ordered[V, M]) Priority(x V) uint64 { return p.priority(x) }
func (p *ordered[V, M]) run(j *pregel.Job) ([]byte, error) {
	return valuesOf(pregel.RunEdge(context.Background(), j, p))
}

func valuesOf[V any](r pregel.Result[V], err error) ([]byte, error) {
	if err == nil && r.Stop.Reason != pregel.Halted {
		err = fmt.Errorf("stopped: %v", r.Stop.Reason)
	}
	return mem.Raw(r.Values), err
}

// lower is the twin of programs that take the least.
const lower = `
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = m < x;
  return awake ? m : x;
}
__device__ Message emit(Vertex v, Value x, const Params &p) { return x; }
`

func least[T pregel.Number](v pregel.Vertex[T], m T) (T, bool) { return min(v.Value, m), m < v.Value }
func most[T pregel.Number](v pregel.Vertex[T], m T) (T, bool)  { return max(v.Value, m), m > v.Value }
func same[T pregel.Number](v pregel.Vertex[T]) T               { return v.Value }

// from is Init of programs that begin at some vertices.
func from[T any](at, others T) func(v pregel.Vertex[T]) (T, bool) {
	return func(v pregel.Vertex[T]) (T, bool) {
		if v.ID%701 == 3 {
			return at, true
		}
		return others, false
	}
}

const fromTwin = "__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id %% 701 == 3; return awake ? %s : %s; }\n"

// A pair has a value that no single load reads.
type pair struct {
	Depth uint32
	By    uint64
}

// relaxingPrograms are of all kinds that the template tells apart.
func relaxingPrograms(weighted bool) map[string]interface {
	run(j *pregel.Job) ([]byte, error)
} {
	hops := relaxing[uint32, uint32]{name: "hops", spec: pregel.Spec[uint32]{Combine: pregel.Min[uint32]()}, init: from[uint32](0, math.MaxUint32), apply: least[uint32],
		emit: func(v pregel.Vertex[uint32]) uint32 { return v.Value + 1 },
		twin: fmt.Sprintf(fromTwin, "0", "NONE") + strings.Replace(lower, "return x; }\n", "return x + 1; }\n", 1)}
	shortest := relaxing[int64, int64]{name: "shortest", spec: pregel.Spec[int64]{Combine: pregel.Min[int64](), Edge: pregel.PlusWeight[int64]()},
		init: from[int64](0, math.MaxInt64), apply: least[int64], emit: same[int64], twin: fmt.Sprintf(fromTwin, "0", "IDENTITY") + lower}
	either := shortest // its weights are those of two sides
	either.name, either.spec.Along = "either", pregel.BothEdges
	reals := relaxing[float64, float64]{name: "reals", spec: pregel.Spec[float64]{Combine: pregel.Min[float64](), Edge: pregel.PlusWeight[float64]()},
		init: from(0, math.Inf(1)), apply: least[float64], emit: same[float64], twin: fmt.Sprintf(fromTwin, "0", "IDENTITY") + lower}
	widest := relaxing[float32, float32]{name: "widest", spec: pregel.Spec[float32]{Combine: pregel.Max[float32](), Edge: pregel.MinWeight[float32]()},
		init: from(float32(math.Inf(1)), 0), apply: most[float32], emit: same[float32],
		twin: fmt.Sprintf(fromTwin, "__int_as_float(0x7f800000)", "0") + strings.ReplaceAll(lower, "m < x", "m > x")}
	// What was never awake says nothing, though its value would.
	quiet := relaxing[uint32, uint32]{name: "quiet", spec: pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.MinWeight[uint32]()}, apply: least[uint32], emit: same[uint32],
		init: func(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID*7919%2000 + 1000, v.ID%7 == 3 },
		twin: "__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id % 7 == 3; return v.id * 7919 % 2000 + 1000; }\n" + lower}
	senders := relaxing[uint32, uint32]{name: "senders", spec: pregel.Spec[uint32]{Combine: pregel.Max[uint32](), Edge: pregel.SourceID[uint32]()},
		init: func(v pregel.Vertex[uint32]) (uint32, bool) { return 0, v.ID%5 == 1 }, emit: same[uint32],
		apply: func(v pregel.Vertex[uint32], m uint32) (uint32, bool) { return max(v.Value, m), v.Value == 0 && m > 0 },
		twin: `__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id % 5 == 1; return 0; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return x; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) { awake = x == 0 && m > 0; return m > x ? m : x; }
`}
	labels := relaxing[uint32, uint32]{name: "labels", spec: pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Along: pregel.BothEdges}, apply: least[uint32], emit: same[uint32],
		init: func(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true },
		twin: "__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = true; return v.id; }\n" + lower}
	reach := relaxing[uint64, uint64]{name: "reach", spec: pregel.Spec[uint64]{Combine: pregel.Or[uint64](), Along: pregel.InEdges}, emit: same[uint64],
		init: func(v pregel.Vertex[uint64]) (uint64, bool) {
			if v.ID%97 == 5 {
				return 1 << (v.ID % 64), true
			}
			return 0, false
		},
		apply: func(v pregel.Vertex[uint64], m uint64) (uint64, bool) { return v.Value | m, v.Value|m != v.Value },
		twin: `__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id % 97 == 5; return awake ? 1ull << v.id % 64 : 0; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return x; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) { awake = (x | m) != x; return x | m; }
`}
	pairs := relaxing[pair, uint64]{name: "pairs", spec: pregel.Spec[uint64]{Combine: pregel.Min[uint64]()},
		init: from(pair{0, math.MaxUint64}, pair{math.MaxUint32, math.MaxUint64}),
		emit: func(v pregel.Vertex[pair]) uint64 { return uint64(v.Value.Depth+1)<<32 | uint64(v.ID) },
		apply: func(v pregel.Vertex[pair], m uint64) (pair, bool) {
			if d := uint32(m >> 32); d < v.Value.Depth {
				return pair{d, m}, true
			}
			if v.Value.Depth > 0 && m < v.Value.By {
				return pair{v.Value.Depth, m}, false
			}
			return v.Value, false
		},
		twin: fmt.Sprintf(fromTwin, "Value{0, ~0ull}", "Value{NONE, ~0ull}") + `
__device__ Message emit(Vertex v, Value x, const Params &p) { return (u64)(x.depth + 1) << 32 | v.id; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  u32 d = (u32)(m >> 32);
  awake = d < x.depth;
  if (awake) return Value{d, m};
  return x.depth > 0 && m < x.by ? Value{x.depth, m} : x;
}
`}
	nearest := ordered[int64, int64]{relaxing: shortest, priority: func(x int64) uint64 { return uint64(x) / 8 }}
	nearest.name, nearest.twin = "nearest", shortest.twin+"__device__ u64 priority(Value x, const Params &p) { return (u64)x / 8; }\n"
	widestFirst := ordered[pair, uint64]{relaxing: pairs, priority: func(x pair) uint64 { return uint64(x.Depth) / 3 }}
	widestFirst.name, widestFirst.twin = "pairs in order", pairs.twin+"__device__ u64 priority(Value x, const Params &p) { return x.depth / 3; }\n"
	list := map[string]interface {
		run(j *pregel.Job) ([]byte, error)
	}{"hops": &hops, "shortest": &shortest, "either": &either, "reals": &reals, "widest": &widest, "quiet": &quiet, "senders": &senders, "labels": &labels, "reach": &reach,
		"pairs": &pairs, "nearest": &nearest, "pairs in order": &widestFirst}
	return list
}

// relaxedGraph makes a random graph that is a ribbon, as a road is, with a few
// long ways, and hubs.
func relaxedGraph(t *testing.T, r *rand.Rand, n int, directed bool, weights graph.WeightKind) *graph.Graph {
	t.Helper()
	var l graph.Columns
	add := func(u, v int) {
		l.U, l.V = append(l.U, uint32(u)), append(l.V, uint32(v))
		switch weights {
		case graph.Int32:
			l.Weights.Int = append(l.Weights.Int, r.Int32N(40))
		case graph.Float32:
			l.Weights.Float = append(l.Weights.Float, float32(r.IntN(40)))
		}
	}
	for u := range n {
		for range r.IntN(4) {
			add(u, (u+r.IntN(30)+15*n-15)%n)
		}
	}
	for range n/100 + 1 {
		add(r.IntN(n), r.IntN(n))
	}
	hub := r.IntN(n)
	for range r.IntN(200) {
		add(hub, (hub+r.IntN(40))%n)
		add(r.IntN(n), hub)
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), l, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestRelaxed compares programs in place, tile by tile, with the CPU's supersteps.
func TestRelaxed(t *testing.T) {
	device(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	host := cpu.New(cpu.Options{Workers: 1, Schedule: pregel.BSP})
	for _, size := range []int{64, 1024} {
		for _, kind := range layoutKindsRelaxed {
			e := open(t, cuda.Options{Schedule: pregel.Relaxed, Wide: r.IntN(2) == 0})
			e.Tiles(size)
			if r.IntN(2) == 0 {
				e.TileBlocks(2 + r.IntN(3)) // so that tiles wait for others
			}
			for _, directed := range []bool{false, true} {
				n := 1 + r.IntN(12*size)
				if directed == (r.IntN(2) == 0) {
					n = 6*size + r.IntN(6*size)
				}
				g := relaxedGraph(t, r, n, directed, kind)
				for name, p := range relaxingPrograms(kind != graph.Unweighted) {
					if testing.Short() && r.IntN(4) > 0 {
						continue
					}
					want, err := p.run(&pregel.Job{Graph: g, Engine: host})
					if err != nil {
						t.Fatal(err)
					}
					got, err := p.run(&pregel.Job{Graph: g, Engine: e})
					if err != nil {
						t.Fatalf("%s, tiles of %d, %d vertices, directed %v: %v", name, size, n, directed, err)
					}
					if !bytes.Equal(got, want) {
						t.Errorf("%s, tiles of %d, %d vertices, directed %v, weights %v: other values", name, size, n, directed, kind)
					}
				}
			}
			e.Close()
		}
	}
}

var layoutKindsRelaxed = []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32}
