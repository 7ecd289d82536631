//go:build cuda || emulate

package cuda_test

import (
	"bytes"
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
	"gopregel/pregel/pregeltest"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// A sweepProbe is how sweeps are run by a test: few vertices, the time of a launch, and how kernels are compiled.
type sweepProbe struct {
	few     uint32
	limit   time.Duration
	defines []string
}

// sweepProbes are sweeps alone, with lists of few arcs for warps and blocks; a launch for each round, with pushes
// behind lean sweeps; pushes of those few whom sweeps leave; and what users get.
var sweepProbes = []sweepProbe{
	{0, time.Second, []string{"PUSH_MOST=0", "WIDE_ROW=4", "HUGE_ROW=16", "LEAN=0", "HUB_SWEEPS=0", "WIDE_LANES=8"}},
	{0, 0, []string{"PUSH_MOST=6", "WIDE_ROW=16", "HUGE_ROW=64", "LEAN=1000000", "LEAN_SWEEPS=1", "THIN_LOOKS=1", "WIDE_LANES=32", "WIDE_LOADS=1"}},
	{20, time.Second, []string{"PUSH_MOST=6"}},
	{0, time.Second, nil},
}

// crowded makes a random graph with hubs and weights that weight draws, and brings it into an order.
func crowded(t *testing.T, r *rand.Rand, n, m int, directed bool, weights graph.WeightKind, order string, weight func() float64) *graph.Graph {
	t.Helper()
	var l graph.Columns
	end := func() uint32 { x := r.Float64(); return uint32(float64(n) * x * x * x * x) }
	for range m {
		u, v := end(), r.Uint32N(uint32(n))
		if r.IntN(2) == 0 {
			u, v = v, u
		}
		l.U, l.V = append(l.U, u), append(l.V, v)
		switch w := weight(); weights {
		case graph.Int32:
			l.Weights.Int = append(l.Weights.Int, int32(w))
		case graph.Float32:
			l.Weights.Float = append(l.Weights.Float, float32(w))
		}
	}
	for u := range n / 20 { // a path, so that a few are far away
		l.U, l.V = append(l.U, uint32(n-1-u)), append(l.V, uint32(n-2-u))
		l.Weights.Int, l.Weights.Float = lastAgain(l.Weights.Int), lastAgain(l.Weights.Float)
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), l, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	p, err := pregel.Prepare(t.Context(), g, order, 2)
	if err != nil {
		t.Fatal(err)
	}
	return p.Graph
}

func lastAgain[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return append(list, list[len(list)-1])
}

// What multiplies, and whether weights are below 1 or above.
type products int

const (
	none products = iota
	shrinking
	growing
)

// sweptPrograms are those of relaxingPrograms and some that multiply.
func sweptPrograms(by products) map[string]interface {
	run(j *pregel.Job) ([]byte, error)
} {
	list := relaxingPrograms(true)
	lengths := relaxing[uint32, uint32]{name: "lengths", spec: pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.PlusWeight[uint32]()},
		init: from[uint32](0, math.MaxUint32), apply: least[uint32], emit: same[uint32], twin: fmt.Sprintf(fromTwin, "0", "NONE") + lower}
	list["lengths"] = &lengths
	greater := strings.ReplaceAll(lower, "m < x", "m > x")
	likeliest := relaxing[float32, float32]{name: "likeliest", spec: pregel.Spec[float32]{Combine: pregel.Max[float32](), Edge: pregel.TimesWeight[float32]()},
		init: from[float32](1, 0), apply: most[float32], emit: same[float32], twin: fmt.Sprintf(fromTwin, "1.0f", "0.0f") + greater}
	costs := relaxing[float64, float64]{name: "costs", spec: pregel.Spec[float64]{Combine: pregel.Min[float64](), Edge: pregel.TimesWeight[float64]()},
		init: from(1, math.Inf(1)), apply: least[float64], emit: same[float64], twin: fmt.Sprintf(fromTwin, "1", "IDENTITY") + lower}
	debts := likeliest // which are below 0: the lightest arcs make the most of them
	debts.name, debts.init, debts.twin = "debts", from(float32(-1), float32(math.Inf(-1))), fmt.Sprintf(fromTwin, "-1.0f", "IDENTITY")+greater
	switch by {
	case shrinking:
		list["likeliest"] = &likeliest
	case growing:
		list["costs"], list["debts"] = &costs, &debts
	}
	return list
}

// packed is values of a program but for what lies between a pair's fields, which nobody has set.
func packed(name string, values []byte) []byte {
	for at := 0; strings.HasPrefix(name, "pairs") && at < len(values); at += 16 {
		clear(values[at+4 : at+8])
	}
	return values
}

// TestSweeps compares programs in place, by pushes and sweeps, with the CPU's supersteps.
func TestSweeps(t *testing.T) {
	device(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	host := cpu.New(cpu.Options{Workers: 1, Schedule: pregel.BSP})
	for i, p := range sweepProbes {
		for _, kind := range layoutKindsRelaxed {
			e := open(t, cuda.Options{Schedule: pregel.Relaxed, Wide: r.IntN(2) == 0})
			e.Tiles(64)
			e.Sweeps(p.few, p.limit, p.defines...)
			for _, directed := range []bool{false, true} {
				by, weight := none, func() float64 { return float64(r.IntN(300)) }
				if kind == graph.Float32 && i%2 == 0 {
					by, weight = shrinking, func() float64 { return float64(1+r.IntN(64)) / 64 }
				} else if kind == graph.Float32 {
					by, weight = growing, func() float64 { return 1 + float64(r.IntN(64))/64 }
				}
				order := pregel.Orders[r.IntN(len(pregel.Orders))]
				n := 65 + r.IntN(3000)
				if testing.Short() {
					n = 65 + r.IntN(600) // compute-sanitizer takes minutes otherwise
				}
				g := crowded(t, r, n, n*(1+r.IntN(16)), directed, kind, order, weight)
				for name, program := range sweptPrograms(by) {
					if testing.Short() && r.IntN(4) > 0 {
						continue
					}
					want, err := program.run(&pregel.Job{Graph: g, Engine: host, MaxSupersteps: 1000})
					if err != nil {
						t.Fatal(name, err)
					}
					got, err := program.run(&pregel.Job{Graph: g, Engine: e, MaxSupersteps: 5000})
					if err != nil {
						t.Fatalf("probe %d, %s, %s, %d vertices, directed %v: %v", i, name, order, n, directed, err)
					}
					if !bytes.Equal(packed(name, got), packed(name, want)) {
						t.Errorf("probe %d, %s, %s, %d vertices, directed %v, weights %v: other values", i, name, order, n, directed, kind)
					}
				}
			}
			if !e.Compiled("step_sweeps") {
				t.Errorf("probe %d, weights %v: nothing was swept", i, kind)
			}
			e.Close()
		}
	}
}

// The records of a run tell of pushes and sweeps, and of each who was awake at its beginning.
func TestSweepRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	g := crowded(t, r, 3000, 40_000, false, graph.Int32, "degree", func() float64 { return float64(1 + r.IntN(255)) })
	for _, p := range sweepProbes {
		e := open(t, cuda.Options{Schedule: pregel.Relaxed})
		e.Tiles(64)
		e.Sweeps(p.few, p.limit, p.defines...)
		var records []pregel.StepRecord
		_, err := sweptPrograms(none)["lengths"].run(&pregel.Job{Graph: g, Engine: e, Observe: func(s pregel.StepRecord) { records = append(records, s) }})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range records {
			if s.Superstep != i || s.Awake == 0 || !s.Relaxed || i > 0 && records[i-1].Next != s.Awake && p.limit > 0 {
				t.Errorf("%v: record %d: %+v", p, i, s)
			}
		}
		last := len(records) - 1
		if last < 2 || records[last].Next != 0 || !slices.ContainsFunc(records, func(s pregel.StepRecord) bool { return s.Arcs > 0 }) {
			t.Errorf("%v: %d records, %+v", p, len(records), records)
		}
		if swept := slices.ContainsFunc(records, func(s pregel.StepRecord) bool { return s.Direction == pregel.Pull }); swept != (len(p.defines) > 0) {
			t.Errorf("%v: swept %v", p, swept)
		}
	}
}

// A run by sweeps goes on from any round, on the device or on the CPU.
func TestResumedSweeps(t *testing.T) {
	device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 9))
	total := 0
	for _, p := range sweepProbes[:3] {
		e := open(t, cuda.Options{Schedule: pregel.Relaxed})
		e.Tiles(64)
		e.Sweeps(p.few, p.limit, p.defines...)
		g := crowded(t, r, 2000, 9000, r.IntN(2) == 0, graph.Int32, "degree", func() float64 { return float64(r.IntN(255)) })
		for name, p := range sweptPrograms(none) {
			want, err := p.run(&pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Schedule: pregel.BSP})})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			var got []byte
			_, times, err := pregeltest.Interrupted(t.Context(), r, 2, func() (pregel.Algorithm, *pregel.Job) {
				j := &pregel.Job{Graph: g, Engine: e, Batch: 1}
				if r.IntN(3) == 0 {
					j.Engine = cpu.New(cpu.Options{Workers: 1 + r.IntN(3), Schedule: pregel.Relaxed})
				}
				return running(func(j *pregel.Job) (err error) {
					got, err = p.run(j)
					return err
				}), j
			})
			if err != nil || !bytes.Equal(packed(name, got), packed(name, want)) {
				t.Errorf("%s: interrupted %d times its values are others: %v", name, times, err)
			}
			total += times
		}
		if !e.Compiled("step_sweeps") {
			t.Error("nothing was swept")
		}
	}
	if total < 5 {
		t.Errorf("only %d interruptions", total)
	}
	t.Logf("%d interruptions", total)
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
	}{
		{"weights", "lengths", skewed, false, nil, true},
		{"no weights count", "hops", skewed, false, nil, true},
		{"directed", "widest", crowded(t, r, 500, 4000, true, graph.Int32, "degree", weight), false, nil, true},
		{"both directions", "either", crowded(t, r, 500, 4000, true, graph.Int32, "degree", weight), false, nil, false},
		{"who has said nothing would count", "quiet", skewed, false, nil, false},
		{"one tile", "lengths", skewed, true, nil, false},
		{"not to be sorted", "lengths", skewed, false, []string{"arcs sorted by weight"}, false},
		{"not to be sorted, nor does it need it", "hops", skewed, false, []string{"arcs sorted by weight"}, true},
		{"products of whole weights", "likeliest", crowded(t, r, 500, 4000, false, graph.Float32, "degree", func() float64 { return 1 / weight() }), false, nil, true},
		{"negative weights of whole numbers", "widest", crowded(t, r, 500, 4000, false, graph.Int32, "degree", func() float64 { return weight() - 3 }), false, nil, true},
		{"infinite weights", "widest", crowded(t, r, 500, 4000, false, graph.Float32, "degree", func() float64 { return 1 / float64(r.IntN(4)) }), false, nil, false},
	} {
		e := open(t, cuda.Options{Schedule: pregel.Relaxed})
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
				g := crowded(t, r, 5000, 40_000, directed, kind, "degree", func() float64 { return float64(r.IntN(300)) })
				s := cuda.Shape{Vertices: uint64(g.N()), Arcs: g.Arcs(), Weighted: kind != graph.Unweighted, Directed: directed, InArcs: inArcs, Value: 4, Message: 4,
					Order: "degree", Relaxed: true, Weighs: true}
				e := open(t, cuda.Options{Schedule: pregel.Relaxed})
				e.Tiles(64)
				e.Sweeps(0, time.Second)
				agrees(t, "lengths", g, e, sweptPrograms(none)["lengths"])
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
	if len(seen) != 3 {
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
