//go:build cuda || emulate

package cuda_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// agrees compares a program in place on the device with supersteps on the CPU.
func agrees(t *testing.T, what string, g *graph.Graph, e *cuda.Engine, p interface {
	run(j *pregel.Job) ([]byte, error)
}) {
	t.Helper()
	want, err := p.run(&pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1, Schedule: pregel.BSP})})
	if err != nil {
		t.Fatalf("%s, on the CPU: %v", what, err)
	}
	got, err := p.run(&pregel.Job{Graph: g, Engine: e})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: other values than the CPU", what)
	}
}

// A priority of 2^64-1 is one, too: it is the greatest, and is due last.
func TestRelaxedGreatestPriority(t *testing.T) {
	e := open(t, cuda.Options{Schedule: pregel.Relaxed})
	e.Tiles(64)
	p := relaxingPrograms(false)["labels"].(*relaxing[uint32, uint32])
	for _, greatest := range []uint64{math.MaxUint64 - 1, math.MaxUint64} {
		q := &ordered[uint32, uint32]{relaxing: *p, priority: func(x uint32) uint64 {
			if x >= 50 {
				return greatest
			}
			return uint64(x)
		}}
		c := "~0ull - 1"
		if greatest == math.MaxUint64 {
			c = "~0ull"
		}
		q.twin += "__device__ u64 priority(Value x, const Params &p) { return x >= 50 ? " + c + " : x; }\n"
		g := build(t, 400, []graph.Arc{{U: 0, V: 1}, {U: 60, V: 61}, {U: 100, V: 300}}, false)
		agrees(t, fmt.Sprintf("priority %x", greatest), g, e, q)
	}
}

// A pair of 8 bytes has the alignment of 4: written in two stores on a GPU, and read
// by a load of 8.
type shortPair struct{ Depth, By uint32 }

func TestRelaxedShortPairs(t *testing.T) {
	e := open(t, cuda.Options{Schedule: pregel.Relaxed})
	e.Tiles(64)
	p := &relaxing[shortPair, uint64]{name: "short pairs", spec: pregel.Spec[uint64]{Combine: pregel.Min[uint64]()},
		init: from(shortPair{0, math.MaxUint32}, shortPair{math.MaxUint32, math.MaxUint32}),
		emit: func(v pregel.Vertex[shortPair]) uint64 { return uint64(v.Value.Depth+1)<<32 | uint64(v.ID*7919%1000) },
		apply: func(v pregel.Vertex[shortPair], m uint64) (shortPair, bool) {
			d, by := uint32(m>>32), uint32(m)
			if d < v.Value.Depth {
				return shortPair{d, by}, true
			}
			if d == v.Value.Depth && by < v.Value.By {
				return shortPair{d, by}, false
			}
			return v.Value, false
		},
		twin: `
__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id % 701 == 3; Value x; x.depth = awake ? 0 : NONE; x.by = NONE; return x; }
__device__ Message emit(Vertex v, Value x, const Params &p) { return (u64)(x.depth + 1) << 32 | v.id * 7919 % 1000; }
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  u32 d = (u32)(m >> 32), by = (u32)m;
  awake = d < x.depth;
  if (awake || d == x.depth && by < x.by) x.depth = d, x.by = by;
  return x;
}
`}
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for range 6 {
		g := random(t, r, 2000+r.IntN(2000), 12000, r.IntN(2) == 0)
		agrees(t, "short pairs", g, e, p)
	}
}

// No vertices, one, and a path that takes more rounds than there are records.
func TestRelaxedSizes(t *testing.T) {
	e := open(t, cuda.Options{Schedule: pregel.Relaxed})
	e.Tiles(64)
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	long := 6000
	if testing.Short() {
		long = 100 // compute-sanitizer takes minutes otherwise
	}
	for _, n := range []int{0, 1, 63, 64, 65, long} {
		var list []graph.Arc
		order := r.Perm(n)
		for i := range max(n-1, 0) {
			list = append(list, graph.Arc{U: uint32(order[i]), V: uint32(order[i+1])})
		}
		g := build(t, n, list, true)
		for _, name := range []string{"labels", "hops", "reach"} {
			p := relaxingPrograms(false)[name]
			agrees(t, fmt.Sprintf("%s, %d vertices", name, n), g, e, p)
		}
	}
}

// mesh is a graph for tiles: a grid of side² vertices, directed with arcs both ways.
func mesh(t *testing.T, side int, w int32, directed bool) *graph.Graph {
	t.Helper()
	var l graph.Columns
	add := func(u, v int) {
		l.U, l.V = append(l.U, uint32(u)), append(l.V, uint32(v))
		if w > 0 {
			l.Weights.Int = append(l.Weights.Int, w)
		}
	}
	for u := range side * side {
		for _, d := range []int{1, side} {
			if u+d < side*side {
				add(u, u+d)
				if directed {
					add(u+d, u)
				}
			}
		}
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, side*side), l, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	p, err := pregel.Prepare(t.Context(), g, "tiles", 1)
	if err != nil {
		t.Fatal(err)
	}
	return p.Graph
}

// Where there is no room for tiles, but for the other form, a run has that.
func TestRelaxedFallsBack(t *testing.T) {
	const n = 100
	for _, c := range []struct {
		name string
		g    *graph.Graph
		a    pregel.Algorithm
	}{
		{"bfs", mesh(t, n, 0, false), &bfs.BFS{Source: "5"}},
		{"scc", mesh(t, n, 0, true), scc.New()},
		{"sssp", mesh(t, n, 3, false), &sssp.SSSP{Source: "5", Method: sssp.DeltaStepping}},
		{"sssp to 64 bits", mesh(t, n, 1<<28, false), &sssp.SSSP{Source: "5", Method: sssp.DeltaStepping}},
	} {
		plain := open(t, cuda.Options{Schedule: pregel.BSP})
		run := func(e *cuda.Engine) error {
			_, err := c.a.Run(context.Background(), &pregel.Job{Graph: c.g, Engine: e})
			return err
		}
		if err := run(plain); err != nil {
			t.Fatal(c.name, err)
		}
		need := plain.Used()
		in := open(t, cuda.Options{})
		if !in.InTiles(c.g) {
			t.Fatal(c.name, "not for tiles")
		}
		if err := run(in); err != nil {
			t.Fatal(c.name, err)
		}
		t.Logf("%s: %d bytes without tiles, %d with them", c.name, need, in.Used())
		tight := open(t, cuda.Options{Memory: need + need/20})
		err := run(tight)
		var full *driver.OutOfMemory
		if errors.As(err, &full) {
			t.Errorf("%s: %v (a second run: %v)", c.name, err, run(tight))
		} else if err != nil {
			t.Fatal(c.name, err)
		}
	}
}

// Where a sum does not fit 32 bits, what is done again in 64 needs no room beside
// that of the first time.
func TestRelaxedSecondBegin(t *testing.T) {
	g := mesh(t, 100, 1<<28, false)
	a := &sssp.SSSP{Source: "5", Method: sssp.DeltaStepping}
	for _, memory := range []uint64{900_000, 1_000_000, 1_100_000} { // without tiles 608700 do
		e := open(t, cuda.Options{Memory: memory})
		for i := range 3 {
			records := 0
			_, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, Observe: func(pregel.StepRecord) { records++ }})
			if err != nil {
				t.Errorf("run %d with %d bytes, after %d records: %v", i, memory, records, err)
			}
		}
	}
}

// One vertex that very many have an arc to is not for a thread to look through.
func TestRelaxedHubs(t *testing.T) {
	e := open(t, cuda.Options{})
	const side = 300
	for _, directed := range []bool{false, true} {
		for _, share := range []int{20, 10, 5} {
			var l graph.Columns
			add := func(u, v int) { l.U, l.V = append(l.U, uint32(u)), append(l.V, uint32(v)) }
			for u := range side * side {
				for _, d := range []int{1, side} {
					if u+d < side*side {
						add(u, u+d)
						if directed {
							add(u+d, u)
						}
					}
				}
				if u%share == 0 {
					add(u, side*side/2)
				}
			}
			g, err := graph.Build(t.Context(), graph.RangeIDs(0, side*side), l, graph.Options{Directed: directed})
			if err != nil {
				t.Fatal(err)
			}
			p, err := pregel.Prepare(t.Context(), g, "tiles", 1)
			if err != nil {
				t.Fatal(err)
			}
			in := e.InTiles(p.Graph)
			if in || !e.InTiles(mesh(t, 40, 0, directed)) {
				t.Errorf("directed %v, a hub of %d arcs: in tiles %v", directed, side*side/share, in)
			}
		}
	}
}

// What a run in place along both directions holds is no more than was planned.
func TestRelaxedPlanBothWays(t *testing.T) {
	g := random(t, rand.New(rand.NewPCG(1, 2)), 20_000, 200_000, true)
	need := cuda.Plan(cuda.Shape{Vertices: 20_000, Arcs: g.Arcs(), Directed: true, InArcs: true, Value: 4, Message: 4, Relaxed: true, Both: true})
	e := open(t, cuda.Options{Schedule: pregel.Relaxed})
	if _, err := relaxingPrograms(false)["labels"].run(&pregel.Job{Graph: g, Engine: e}); err != nil {
		t.Fatal(err)
	}
	if used := e.Used(); used > need.Total {
		t.Errorf("%d bytes used, %d planned", used, need.Total)
	}
}

// Programs along the other directions, with weights.
func TestRelaxedDirections(t *testing.T) {
	e := open(t, cuda.Options{Schedule: pregel.Relaxed})
	e.Tiles(64)
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for _, along := range []pregel.Along{pregel.InEdges, pregel.BothEdges} {
		for _, kind := range []graph.WeightKind{graph.Int32, graph.Float32} {
			g := relaxedGraph(t, r, 900, true, kind)
			list := relaxingPrograms(true)
			list["shortest"].(*relaxing[int64, int64]).spec.Along = along
			list["reals"].(*relaxing[float64, float64]).spec.Along = along
			list["widest"].(*relaxing[float32, float32]).spec.Along = along
			list["quiet"].(*relaxing[uint32, uint32]).spec.Along = along
			list["senders"].(*relaxing[uint32, uint32]).spec.Along = along
			list["nearest"].(*ordered[int64, int64]).spec.Along = along
			for _, name := range []string{"shortest", "reals", "widest", "quiet", "senders", "nearest"} {
				agrees(t, fmt.Sprintf("%s, along %v, weights %v", name, along, kind), g, e, list[name])
			}
		}
	}
}

// What never ends is bounded, and can be cancelled, also within a tile: here a
// cycle of negative weight.
func TestRelaxedNegativeCycle(t *testing.T) {
	l := graph.Columns{U: []uint32{3, 4, 5, 5}, V: []uint32{4, 5, 3, 6}}
	l.Weights.Int = []int32{1, -3, 1, 1}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, 100), l, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	p := relaxingPrograms(true)["shortest"].(*relaxing[int64, int64])
	for _, e := range []pregel.Engine{cpu.New(cpu.Options{Workers: 1, Schedule: pregel.Relaxed}), open(t, cuda.Options{Schedule: pregel.BSP}), open(t, cuda.Options{Schedule: pregel.Relaxed})} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute) // with the compiler
		begin := time.Now()
		r, err := pregel.RunEdge(ctx, &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 10}, p)
		cancel()
		if err != nil || r.Stop.Reason != pregel.MaxSupersteps {
			t.Errorf("%s: %v after %v: %v, want max_supersteps", e.Name(), r.Stop.Reason, time.Since(begin).Round(time.Second), err)
		}
	}
}
