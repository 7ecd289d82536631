package mst_test

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	kernel "gopregel/kernels/reference"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/trial"
	"gopregel/programs/mst"
	"gopregel/runtime/cpu"
)

// agree checks that the device gives the CPU's table, run after run.
func agree(t *testing.T, name string, g *graph.Graph) *pregel.Answer {
	t.Helper()
	if !testing.Short() {
		trial.OnDevice(t, name, g, mst.New(), 0)
	}
	return trial.OnDevice(t, name, g, mst.New(), 0)
}

// agreeWithReference checks against the kernel's reference too.
func agreeWithReference(t *testing.T, name string, g *graph.Graph) {
	t.Helper()
	got := rows(agree(t, name, g))
	want := map[edge]bool{}
	for _, e := range (&kernel.Forest{Graph: g, Share: 0.125}).Run() {
		want[edge{e.U, e.V, e.Weight}] = true
	}
	for _, e := range got {
		if !want[e] {
			t.Fatalf("%s: edge %v is not of the reference's forest", name, e)
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%s: %d edges, the reference has %d", name, len(got), len(want))
	}
}

func weigh(r *rand.Rand, g *graph.Graph, kinds int) *graph.Graph {
	seed := r.Uint64()
	return g.WithWeights(func(u, v uint32) int32 {
		x := graph.SplitMix64(seed ^ uint64(min(u, v))<<32 ^ uint64(max(u, v)))
		return int32(x%uint64(kinds)) - int32(kinds/2)
	})
}

func generate(t *testing.T, kind string, params map[string]string, directed bool) *graph.Graph {
	t.Helper()
	spec, err := graphgen.Parse(kind, params)
	if err != nil {
		t.Fatal(err)
	}
	g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestDeviceShapes(t *testing.T) {
	trial.Device(t)
	for _, c := range trial.Graphs(trial.Rand(t).Uint64()) {
		agreeWithReference(t, c.Name, c.Graph)
	}
}

// Shapes of all kinds, a hub of a million arcs among them.
func TestDeviceAgainstReference(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	for _, c := range append(trial.Shapes(t, r, true), trial.Shapes(t, r, false)...) {
		agreeWithReference(t, c.Name, c.Graph)
	}
}

// Larger graphs: whole launches, lists read by a lane, a warp and in pieces,
// chains as long as the graph; weights all different, few, equal, none.
func TestDevice(t *testing.T) {
	trial.Device(t)
	if testing.Short() {
		t.Log("a short test: only those of TestDeviceShapes")
		return
	}
	r := trial.Rand(t)
	for _, directed := range []bool{false, true} {
		for _, weights := range []int{1 << 30, 255, 1, 0} {
			for _, m := range []int{30000, 120000, 800000} {
				agree(t, "random", trial.Random(r, 100000, m, weights, directed))
			}
			agree(t, "few vertices", trial.Random(r, 300, 200000, weights, directed))
		}
		for _, kinds := range []int{1 << 30, 255, 2} {
			agree(t, "kronecker", weigh(r, generate(t, "kronecker", map[string]string{"scale": "16"}, directed), kinds))
			agree(t, "grid", weigh(r, generate(t, "grid", map[string]string{"rows": "700", "cols": "500"}, directed), kinds))
		}
		const n = 300000
		center := r.Uint32N(n)
		for _, step := range []int32{1, -1, 0} {
			path, hub := graph.ArcList{Weighted: true}, graph.ArcList{Weighted: true}
			for v := range uint32(n - 1) {
				path.List = append(path.List, graph.Arc{U: v, V: v + 1, W: step * int32(v)})
				hub.List = append(hub.List, graph.Arc{U: center, V: v, W: step * int32(v%1000)})
			}
			agree(t, "chain", trial.Build(n, path, directed))
			agree(t, "hub", trial.Build(n, hub, directed))
		}
	}
}

// Wide offsets change nothing.
func TestDeviceWide(t *testing.T) {
	e := trial.Device(t)
	e.Wide = true
	defer func() { e.Wide = false }()
	r := trial.Rand(t)
	n, m := 100_000, 800_000
	if testing.Short() {
		n, m = 1000, 3000
	}
	for _, directed := range []bool{false, true} {
		agree(t, "random", trial.Random(r, n, m, 100, directed))
		agree(t, "few vertices", trial.Random(r, 300, m/4, 100, directed))
	}
}

// All kinds of float32 but NaN, both zeros among them.
func TestDeviceFloatOrder(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	values := []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32,
		math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), 0.5, -0.5}
	times := 20
	if testing.Short() {
		times = 2
	}
	for i := range times {
		c := graph.Columns{}
		for range 200 {
			c.U, c.V = append(c.U, r.Uint32N(60)), append(c.V, r.Uint32N(60))
			c.Weights.Float = append(c.Weights.Float, values[r.IntN(len(values))])
		}
		g, err := graph.Build(t.Context(), graph.RangeIDs(0, 60), c, graph.Options{Directed: i%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		want, err := mst.Span(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
		if err != nil {
			t.Fatal(err)
		}
		got, err := mst.Span(t.Context(), &pregel.Job{Graph: g, Engine: e})
		if err != nil {
			t.Fatal(err)
		}
		got.Stop = want.Stop
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got  %v\nwant %v", got, want)
		}
	}
}

// A run stopped early gives edges of the forest only.
func TestDeviceStoppedEarly(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	n := 20_000
	if testing.Short() {
		n = 500
	}
	undirected := trial.Random(r, n, 5*n/2, 1000, false)
	for _, g := range []*graph.Graph{undirected, prepared(t, undirected, "degree"), trial.Random(r, n, 5*n/2, 1000, true)} {
		want := map[edge]bool{}
		for _, e := range (&kernel.Forest{Graph: g, Share: 0.125}).Run() {
			want[edge{e.U, e.V, e.Weight}] = true
		}
		for k := 1; ; k++ {
			job := &pregel.Job{Graph: g, Engine: e, MaxSupersteps: k}
			a, err := mst.New().Run(t.Context(), job)
			if err != nil || job.Supersteps() > k {
				t.Fatalf("limit %d: %v after %d supersteps", k, err, job.Supersteps())
			}
			got := rows(a)
			for _, e := range got {
				if !want[e] {
					t.Fatalf("limit %d: edge %v is not of the forest", k, e)
				}
			}
			if a.Stop.Reason == pregel.Halted {
				if len(got) != len(want) || k < 3 {
					t.Fatalf("%d edges after %d supersteps, want %d", len(got), k, len(want))
				}
				break
			}
			if a.Stop.Reason != pregel.MaxSupersteps || len(got) == 0 {
				t.Fatalf("limit %d: %v, %d edges", k, a.Stop, len(got))
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		a, err := mst.New().Run(ctx, &pregel.Job{Graph: g, Engine: e})
		if err != nil || a.Stop.Reason != pregel.Cancelled || len(rows(a)) != 0 {
			t.Fatalf("cancelled: %+v, error %v", a, err)
		}
	}
}
