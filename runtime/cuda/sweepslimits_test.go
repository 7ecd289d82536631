//go:build cuda || emulate

package cuda_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// An infinite offer makes no number of an arc of weight 0, whatever others make of it.
func TestSweepsOfInfinity(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	inf := float32(math.Inf(1))
	p := &relaxing[float32, float32]{name: "endless", spec: pregel.Spec[float32]{Combine: pregel.Max[float32](), Edge: pregel.TimesWeight[float32]()},
		init: func(v pregel.Vertex[float32]) (float32, bool) {
			switch {
			case v.ID == 3:
				return inf, true
			case v.ID%2 == 0:
				return 5, true
			}
			return -inf, false
		},
		apply: most[float32], emit: same[float32],
		twin: `__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = v.id == 3 || v.id % 2 == 0; return v.id == 3 ? -IDENTITY : awake ? 5 : IDENTITY; }
` + strings.ReplaceAll(lower, "m < x", "m > x")}
	for _, probe := range sweepProbes {
		e := open(t, cuda.Options{Schedule: pregel.Relaxed})
		e.Tiles(64)
		e.Sweeps(probe.few, probe.limit, probe.defines...)
		agrees(t, "infinite offers", crowded(t, r, 300, 2000, true, graph.Float32, "degree", func() float64 { return 0 }), e, p)
		if !e.Compiled("step_sweeps") {
			t.Error("nothing was swept")
		}
	}
}

// What a kernel does wrong is told, as it is of other forms.
func TestSweepsBroken(t *testing.T) {
	device(t)
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	g := crowded(t, r, 300, 2000, false, graph.Int32, "degree", func() float64 { return 1 })
	p := sweptPrograms(none)["lengths"].(*relaxing[uint32, uint32])
	p.twin += "\n__device__ u32 nothing() { return nowhere; }\n"
	e := open(t, cuda.Options{Schedule: pregel.Relaxed})
	e.Tiles(64)
	e.Sweeps(0, time.Second)
	if _, err := p.run(&pregel.Job{Graph: g, Engine: e}); err == nil || !strings.Contains(err.Error(), "lengths.cu") {
		t.Errorf("%v, want an error in lengths.cu", err)
	}
}

// halting is a program that is asked after each round, and ends after some.
type halting struct {
	relaxing[uint32, uint32]
	most, asked int
}

func (p *halting) Barrier(s *pregel.Step) {
	if p.asked++; p.asked > p.most { // it is before the first round, too
		s.Halt()
	}
}

// A program is asked after each round, and first values may be given.
func TestSweepsAsk(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	g := crowded(t, r, 600, 4000, false, graph.Int32, "degree", func() float64 { return float64(1 + r.IntN(9)) })
	lengths := sweptPrograms(none)["lengths"].(*relaxing[uint32, uint32])
	for _, most := range []int{1, 2, 3} {
		e := open(t, cuda.Options{Schedule: pregel.Relaxed})
		e.Tiles(64)
		e.Sweeps(0, time.Second)
		p := &halting{relaxing: *lengths, most: most}
		records := 0
		result, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e, Observe: func(pregel.StepRecord) { records++ }}, p)
		if err != nil || p.asked != most+1 || records != most || result.Stop.Supersteps != most || !e.Compiled("step_sweeps") {
			t.Errorf("after %d rounds: asked %d times, %d records, %v, %v", most, p.asked, records, result.Stop, err)
		}
	}
}

// First values may be given.
func TestSweepsGiven(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	g := crowded(t, r, 600, 4000, true, graph.Int32, "degree", func() float64 { return float64(1 + r.IntN(9)) })
	p := sweptPrograms(none)["lengths"].(*relaxing[uint32, uint32])
	p.init = func(v pregel.Vertex[uint32]) (uint32, bool) { return v.Value, v.Value != graph.None }
	p.twin = "__device__ Value init(Vertex v, Value given, const Params &p, bool &awake) { awake = given != NONE; return given; }\n" + lower
	given := make([]uint32, g.N())
	for v := range given {
		if given[v] = graph.None; r.IntN(50) == 0 {
			given[v] = r.Uint32N(100)
		}
	}
	e := open(t, cuda.Options{Schedule: pregel.Relaxed})
	e.Tiles(64)
	e.Sweeps(0, time.Second)
	var results [2]pregel.Result[uint32]
	for i, on := range []pregel.Engine{e, cpu.New(cpu.Options{Schedule: pregel.BSP})} {
		var err error
		if results[i], err = pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: on}, p, pregel.WithValues(slices.Clone(given))); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(results[0].Values, results[1].Values) || !e.Compiled("step_sweeps") {
		t.Error("other values than the CPU's")
	}
}

// Where sweeps do not pay, or cannot be bounded, a relaxed run has tiles.
func TestSweepsWhere(t *testing.T) {
	device(t)
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	weight := func() float64 { return float64(1 + r.IntN(255)) }
	skewed := crowded(t, r, 500, 4000, false, graph.Int32, "degree", weight)
	list := sweptPrograms(shrinking)
	for _, c := range []struct {
		name, program string
		g             *graph.Graph
		few           bool // vertices: all are in one tile
		without       []string
		want          bool
		direction     pregel.Direction
	}{
		{"weights", "lengths", skewed, false, nil, true, pregel.Auto},
		{"no weights count", "hops", skewed, false, nil, true, pregel.Auto},
		{"directed", "widest", crowded(t, r, 500, 4000, true, graph.Int32, "degree", weight), false, nil, true, pregel.Auto},
		{"both directions", "either", crowded(t, r, 500, 4000, true, graph.Int32, "degree", weight), false, nil, false, pregel.Auto},
		{"who has said nothing would count", "quiet", skewed, false, nil, false, pregel.Auto},
		{"one tile", "lengths", skewed, true, nil, false, pregel.Auto},
		{"not to be sorted", "lengths", skewed, false, []string{"arcs sorted by weight"}, false, pregel.Auto},
		{"not to be sorted, nor does it need it", "hops", skewed, false, []string{"arcs sorted by weight"}, true, pregel.Auto},
		{"products", "likeliest", crowded(t, r, 500, 4000, false, graph.Float32, "degree", func() float64 { return 1 / weight() }), false, nil, true, pregel.Auto},
		{"negative weights of whole numbers", "widest", crowded(t, r, 500, 4000, false, graph.Int32, "degree", func() float64 { return weight() - 3 }), false, nil, true, pregel.Auto},
		{"weights near the limit", "shortest", crowded(t, r, 500, 4000, true, graph.Int32, "degree", func() float64 { return math.MaxInt32 - float64(r.IntN(9)) }), false, nil, true, pregel.Auto},
		{"infinite weights", "widest", crowded(t, r, 500, 4000, false, graph.Float32, "degree", func() float64 { return 1 / float64(r.IntN(4)) }), false, nil, false, pregel.Auto},
		{"held to pushing", "lengths", skewed, false, nil, false, pregel.Push},
	} {
		e := open(t, cuda.Options{Schedule: pregel.Relaxed, Direction: c.direction})
		e.Sweeps(0, time.Second)
		if e.Tiles(64); c.few {
			e.Tiles(1024)
		}
		if err := e.LeaveOut(c.without...); err != nil {
			t.Fatal(err)
		}
		agrees(t, c.name, c.g, e, list[c.program])
		if got := e.Compiled("step_sweeps"); got != c.want {
			t.Errorf("%s: swept %v, want %v", c.name, got, c.want)
		}
	}
}

// With less and less room a run ends as ever, or tells of it.
func TestSweepsShort(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	g := crowded(t, r, 4000, 60_000, false, graph.Int32, "degree", func() float64 { return float64(1 + r.IntN(255)) })
	p := sweptPrograms(none)["lengths"]
	ends := map[bool]int{}
	for memory := uint64(3_500_000); memory > 1_000_000; memory -= 300_000 {
		e := open(t, cuda.Options{Schedule: pregel.Relaxed, Memory: memory})
		e.Tiles(64)
		e.Sweeps(0, time.Second)
		_, err := p.run(&pregel.Job{Graph: g, Engine: e})
		var full *driver.OutOfMemory
		if err != nil && !errors.As(err, &full) {
			t.Fatalf("%d bytes: %v", memory, err)
		}
		if ends[err == nil]++; err == nil {
			agrees(t, fmt.Sprintf("%d bytes", memory), g, e, p)
		}
	}
	if ends[true] == 0 || ends[false] == 0 {
		t.Errorf("with room: %v", ends)
	}
}

// What a run by sweeps holds is what was planned, its lists by weight included.
func TestSweepsPlanned(t *testing.T) {
	r := rand.New(rand.NewPCG(seeded(t), 6))
	seen := map[string]bool{}
	for _, directed := range []bool{false, true} {
		for _, kind := range []graph.WeightKind{graph.Unweighted, graph.Int32} {
			for _, inArcs := range []bool{false, true} {
				order := pregel.Orders[r.IntN(len(pregel.Orders))]
				g := crowded(t, r, 5000, 40_000, directed, kind, order, func() float64 { return float64(r.IntN(300)) })
				against := directed && inArcs && r.IntN(2) == 0
				p := sweptPrograms(none)["lengths"].(*relaxing[uint32, uint32])
				if against {
					p.spec.Along = pregel.InEdges
				}
				s := cuda.Shape{Vertices: uint64(g.N()), Arcs: g.Arcs(), Weighted: kind != graph.Unweighted, Directed: directed, InArcs: inArcs, Value: 4, Message: 4,
					Order: order, Relaxed: true, Weighs: true, Against: against}
				e := open(t, cuda.Options{Schedule: pregel.Relaxed})
				e.Tiles(64)
				e.Sweeps(0, time.Second)
				agrees(t, "lengths", g, e, p)
				need := cuda.Plan(s)
				room := need.Total
				for _, o := range need.Optional {
					room += o.Most
				}
				if used := e.Used(); used > room || !e.Compiled("step_sweeps") {
					t.Errorf("directed %v, weights %v: %d bytes used, %d planned", directed, kind, used, room)
				}
				compareOptional(t, fmt.Sprintf("directed %v, weights %v", directed, kind), e.Made(), s, seen)
			}
		}
	}
	if len(seen) < 3 {
		t.Errorf("planned were %v", seen)
	}
}

// From 2^20 vertices on a 128th is few; of fewer none are.
func TestFewOf(t *testing.T) {
	for vertices, want := range map[uint32]uint32{0: 0, 1<<20 - 1: 0, 1 << 20: 1 << 13, math.MaxUint32: 1<<25 - 1} {
		if got := cuda.FewOf(vertices); got != want {
			t.Errorf("of %d vertices: %d, want %d", vertices, got, want)
		}
	}
}
