//go:build cuda || emulate

package sssp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
)

// probes are sweeps alone, with lists of few arcs for warps and blocks; pushes
// after sweeps, a launch for each round; what users get; and pushes of those few whom
// sweeps leave.
var probes = []*probe{
	{[]string{"PUSH_MOST=0", "WIDE_ROW=4", "HUGE_ROW=16", "LEAN=0", "HUB_SWEEPS=0", "SWEEP_LOOKS=2", "THIN_LOOKS=4", "HEADS_AT_ONCE=1", "WIDE_LANES=8"}, deviceLimit, 0},
	{[]string{"PUSH_MOST=6", "WIDE_ROW=16", "HUGE_ROW=64", "LEAN=1000000", "LEAN_SWEEPS=1", "THIN_LOOKS=1", "SWEEP_CACHED=1", "WIDE_LANES=32", "WIDE_LOADS=1"}, 0, 0},
	{nil, deviceLimit, 0},
	{[]string{"PUSH_MOST=6"}, deviceLimit, 20},
}

func reorder(t *testing.T, g *graph.Graph, r *rand.Rand) *graph.Graph {
	t.Helper()
	p, err := pregel.Prepare(t.Context(), g, pregel.Orders[r.IntN(len(pregel.Orders))], 2)
	if err != nil {
		t.Fatal(err)
	}
	return p.Graph
}

// checkSweeps finds the paths by sweeps, and compares with the CPU's and the
// certificate.
func checkSweeps(t *testing.T, name string, g *graph.Graph, from uint32, p *probe) {
	t.Helper()
	if g.Weighted() == graph.Float32 {
		checkForm(t, name, g, from, math.Inf(1), p)
	} else {
		checkForm[int64](t, name, g, from, pregel.NoInt, p)
	}
}

func checkForm[T int64 | float64](t *testing.T, name string, g *graph.Graph, from uint32, far T, p *probe) {
	t.Helper()
	name = fmt.Sprintf("%s, from %d, %v", name, from, p.defines)
	e, most := trial.Device(t), g.WeightRange().Most
	d := &device[T]{source: from, far: far, most: most, adapt: true, delta: width[T](0, most, g), probe: p}
	got, err := onDevice(t.Context(), e, &pregel.Job{Graph: g, Engine: e}, d)
	if err != nil || got.Stop.Reason != pregel.Halted || d.pull == nil {
		t.Fatalf("%s: %v, %v, sweeps %v", name, err, got.Stop, d.pull)
	}
	want, err := find(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}, &SSSP{Method: DeltaStepping}, from, far)
	if err != nil {
		t.Fatal(err)
	}
	for v := range got.Distance {
		if got.Distance[v] != want.Distance[v] || got.Parent[v] != want.Parent[v] {
			t.Fatalf("%s: vertex %d has %v, parent %d; on the CPU %v, %d", name, v, got.Distance[v], got.Parent[v], want.Distance[v], want.Parent[v])
		}
	}
	if err := certify.SSSP(t.Context(), g, from, got.Distance, got.Parent); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	d = &device[T]{source: from, far: far, most: most, adapt: true, delta: d.delta, probe: p, alone: true}
	alone, err := onDevice(t.Context(), e, &pregel.Job{Graph: g, Engine: e}, d)
	if err != nil || alone.Stop.Reason != pregel.Halted || d.pull == nil || alone.Parent != nil || !slices.Equal(alone.Distance, want.Distance) {
		t.Fatalf("%s: without parents %v, %v: other distances", name, err, alone.Stop)
	}
}

// skewedColumns are arcs whose ends are the more likely the lower their numbers,
// with weights from least to most; some are parallel, some loops.
func skewedColumns(r *rand.Rand, n, m int, kind graph.WeightKind, least, most int) graph.Columns {
	c := graph.Columns{}
	end := func() uint32 { return uint32(float64(n) * math.Pow(r.Float64(), 3)) }
	for range m {
		c.U, c.V = append(c.U, end()), append(c.V, end())
		if w := least + r.IntN(most-least+1); kind == graph.Int32 {
			c.Weights.Int = append(c.Weights.Int, int32(w))
		} else {
			c.Weights.Float = append(c.Weights.Float, float32(w)*0.37)
		}
	}
	return c
}

func builtOf(t *testing.T, n int, c graph.Columns, directed bool) *graph.Graph {
	t.Helper()
	g, err := graph.Build(t.Context(), graph.RangeIDs(10, n), c, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// Skewed graphs of all densities and kinds of weights, with many ties and with
// few, with and without weights of 0; arcs of weights up to 255 are packed.
func TestDeviceSweeps(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	sizes := [][2]int{{1, 3}, {65, 100}, {300, 3000}, {2000, 5000}, {1500, 20_000}}
	if testing.Short() {
		sizes = sizes[:3]
	}
	for _, size := range sizes {
		for _, kind := range []graph.WeightKind{graph.Int32, graph.Float32} {
			for _, most := range []int{1, 3, 255, 256, 1 << 29} {
				for _, directed := range []bool{false, true} {
					least := r.IntN(2)
					g := builtOf(t, size[0], skewedColumns(r, size[0], size[1], kind, least, most), directed)
					g = reorder(t, g, r)
					for _, p := range probes {
						checkSweeps(t, fmt.Sprintf("%v, weights %v of %d to %d, directed %v", size, kind, least, most, directed), g, r.Uint32N(uint32(g.N())), p)
					}
				}
			}
		}
	}
}

// The shapes of the contract suite and, in a long test, larger ones: long thin
// graphs, stars, isolated vertices.
func TestDeviceSweepsShapes(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	cases := trial.Shapes(t, r, r.IntN(2) == 0)
	for _, c := range trial.Graphs(r.Uint64()) {
		if c.Graph.N() == 0 {
			continue
		}
		least, seed := r.IntN(2), r.Uint64()
		c.Graph = c.Graph.WithWeights(func(u, v uint32) int32 {
			return int32(least) + int32(graph.SplitMix64(seed^uint64(u^v))%20)
		})
		cases = append(cases, c)
	}
	for _, c := range cases {
		g := reorder(t, c.Graph, r)
		p := probes[r.IntN(len(probes))]
		if g.N() > 2000 {
			p = probes[2] // the others have thousands of launches, or of sweeps
		}
		checkSweeps(t, c.Name, g, r.Uint32N(uint32(g.N())), p)
	}
}

// chain is one of 64 steps, the last of another length, each beside one that is longer by 1.
func chain(t *testing.T, step, last int32) *graph.Graph {
	t.Helper()
	c := graph.Columns{}
	for u, w := range append(slices.Repeat([]int32{step}, 63), last) {
		c.U, c.V = append(c.U, uint32(u), uint32(u)), append(c.V, uint32(u+1), uint32(u+1))
		c.Weights.Int = append(c.Weights.Int, w, w+1)
	}
	return builtOf(t, 65, c, true)
}

// hubOf is the vertex of most arcs: from it the first sweep reaches many, who have not been looked at then.
func hubOf(g *graph.Graph) (hub uint32) {
	for u := range uint32(g.N()) {
		if g.Out().Degree(u) > g.Out().Degree(hub) {
			hub = u
		}
	}
	return hub
}

// Distances up to the last that fits in 32 bits and one more, and far beyond.
func TestDeviceSweepsBetween32And64Bits(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	const step = 1 << 26
	for _, last := range []int32{step - 3, step - 2, step - 1, step, step + 1} {
		g := reorder(t, chain(t, step, last), r)
		from, err := g.IDs().Parse("10")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range probes {
			checkSweeps(t, fmt.Sprint(last), g, from, p)
		}
	}
}

// What sweeps leave is pushed where few may be left, and elsewhere what is long and thin;
// who has no nearer parent has one that is as far.
func TestDeviceSweepsLeave(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	skewed := reorder(t, builtOf(t, 1500, skewedColumns(r, 1500, 9000, graph.Float32, 0, 40), false), r)
	path := reorder(t, builtOf(t, 400, pathColumns(400), false), r)
	for _, c := range []struct {
		name          string
		graph         *graph.Graph
		probe         *probe
		left, orphans bool
	}{
		{"few may be left", skewed, &probe{[]string{"PUSH_MOST=6"}, deviceLimit, 100_000}, true, true},
		{"none may", skewed, &probe{[]string{"PUSH_MOST=6", "LEAN=0"}, deviceLimit, 0}, false, true},
		{"a path, lean sweeps", path, &probe{[]string{"PUSH_MOST=0", "HUB_SWEEPS=0", "LEAN_SWEEPS=3"}, deviceLimit, 0}, true, false},
	} {
		d := &device[float64]{source: hubOf(c.graph), far: math.Inf(1), most: 40, adapt: true, delta: 1, probe: c.probe}
		if _, err := onDevice(t.Context(), e, &pregel.Job{Graph: c.graph, Engine: e}, d); err != nil {
			t.Fatal(err)
		}
		if left, orphans := d.words[stateMarks] != noMarks, d.words[stateOrphans] > 0; left != c.left || orphans != c.orphans {
			t.Errorf("%s: left for pushes %v, want %v; without a nearer parent %v, want %v", c.name, left, c.left, orphans, c.orphans)
		}
		checkSweeps(t, c.name, c.graph, d.source, c.probe)
	}
}

// pathColumns is a path of n vertices, with weights of 0.5 and more.
func pathColumns(n int) (c graph.Columns) {
	for u := range n - 1 {
		c.U, c.V = append(c.U, uint32(u)), append(c.V, uint32(u+1))
		c.Weights.Float = append(c.Weights.Float, 0.5+float32(u%7))
	}
	return c
}

// Who asks for a width, an order or a method, and who has a graph as it was read,
// one without hubs or one without weights, gets what he got before.
func TestDeviceSweepsWhere(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	raw := builtOf(t, 300, skewedColumns(r, 300, 30_000, graph.Int32, 1, 9), false)
	thin := builtOf(t, 3000, skewedColumns(r, 3000, 100, graph.Int32, 1, 9), false)
	g := reorder(t, raw, r)
	for _, c := range []struct {
		name   string
		graph  *graph.Graph
		device device[int64]
		sweeps bool
	}{
		{"prepared", g, device[int64]{adapt: true, delta: 1}, true},
		{"as read", raw, device[int64]{adapt: true, delta: 1}, false},
		{"no hubs", reorder(t, thin, r), device[int64]{adapt: true, delta: 1}, false},
		{"no weights", g.WithoutWeights(), device[int64]{adapt: true, delta: 1}, false},
		{"bellman-ford", g, device[int64]{adapt: true}, false},
		{"a width", g, device[int64]{delta: 3}, false},
	} {
		c.device.far, c.device.most = pregel.NoInt, 9
		if _, err := onDevice(t.Context(), e, &pregel.Job{Graph: c.graph, Engine: e}, &c.device); err != nil || (c.device.pull != nil) != c.sweeps {
			t.Errorf("%s: error %v, sweeps %v, want %v", c.name, err, c.device.pull != nil, c.sweeps)
		}
	}
}

// A run of sweeps that ends early has distances that are too long at the most,
// and no parents.
func TestDeviceSweepsStopped(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	g := reorder(t, builtOf(t, 500, skewedColumns(r, 500, 4000, graph.Int32, 1, 255), true), r)
	hub := hubOf(g)
	want, err := find[int64](t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}, &SSSP{Method: DeltaStepping}, hub, pregel.NoInt)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for most := range 4 {
		ctx := t.Context()
		if most == 0 {
			ctx = cancelled
		}
		d := &device[int64]{source: hub, far: pregel.NoInt, most: 255, adapt: true, delta: 9, probe: &probe{probes[1].defines, 0, 0}}
		got, err := onDevice(ctx, e, &pregel.Job{Graph: g, Engine: e, MaxSupersteps: most}, d)
		if err != nil || got.Stop.Reason == pregel.Halted {
			t.Fatalf("%v, error %v", got.Stop, err)
		}
		for v, x := range got.Distance {
			if x < want.Distance[v] || got.Parent[v] != graph.None {
				t.Fatalf("vertex %d: distance %d, want at least %d; parent %d", v, x, want.Distance[v], got.Parent[v])
			}
		}
	}
}
