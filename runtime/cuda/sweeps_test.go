//go:build cuda || emulate

package cuda_test

import (
	"bytes"
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
	{0, time.Second, []string{"PUSH_MOST=0", "WIDE_ROW=4", "HUGE_ROW=16", "LEAN=0", "HUB_SWEEPS=0", "SWEEP_LOOKS=2", "THIN_LOOKS=4", "WIDE_LANES=8"}},
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
					if testing.Short() && name != "lengths" && r.IntN(4) > 0 { // of few nothing may be swept, of lengths something is
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
			if s.Superstep != i || s.Awake == 0 || !s.Relaxed || s.Direction == pregel.Push && s.Arcs == 0 || i > 0 && records[i-1].Next != s.Awake {
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
			got, want, times := interrupted(t, r, g, e, name, p)
			if !bytes.Equal(packed(name, got), packed(name, want)) {
				t.Errorf("%s: interrupted %d times its values are others", name, times)
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
