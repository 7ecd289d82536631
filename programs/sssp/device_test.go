//go:build cuda || emulate

package sssp_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	kernel "gopregel/kernels/reference"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/internal/trial"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

func source(g *graph.Graph, v uint32) pregel.ID { return pregel.ID(g.IDs().Text(v)) }

// everyForm are the forms of distances: 32 bits, 64 bits, float64.
var everyForm = []struct {
	kind graph.WeightKind
	most int
}{
	{graph.Unweighted, 0}, {graph.Int32, 0}, {graph.Int32, 3}, {graph.Int32, 255},
	{graph.Int32, math.MaxInt32}, {graph.Float32, 2}, {graph.Float32, 1000},
}

// Graphs of all densities, with many weights 0 and with few, from random
// sources; widths of windows that the user gives, and the device's own.
func TestDeviceRandom(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	sizes := [][2]int{{1, 3}, {65, 300}, {800, 1000}, {3000, 40_000}, {100_000, 150_000}, {30_000, 900_000}}
	if testing.Short() {
		sizes = sizes[:3]
	}
	for _, size := range sizes {
		for _, f := range everyForm {
			for _, directed := range []bool{false, true} {
				g := build(t, size[0], randomColumns(r, size[0], size[1], f.kind, 0, f.most), directed)
				name := fmt.Sprintf("%v, weights %v up to %d, directed %v", size, f.kind, f.most, directed)
				a := &sssp.SSSP{Source: source(g, r.Uint32N(uint32(g.N()))), Method: sssp.DeltaStepping}
				if r.IntN(3) == 0 {
					a.Parents = new(false)
				}
				if size[0] < 10_000 && r.IntN(2) == 0 {
					a.Delta = (1 + r.Float64()) * float64(f.most) / 4
				}
				trial.OnDevice(t, name, g, a, 0)
			}
		}
	}
}

// The shapes of the contract suite that have no negative weights, and those that
// have, with their weights replaced.
func TestDeviceShapes(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	for _, c := range trial.Graphs(r.Uint64()) {
		if c.Graph.N() == 0 {
			continue
		}
		g := c.Graph
		if g.Weighted() == graph.Float32 {
			g = g.WithoutWeights()
		} else if g.Weighted() == graph.Int32 {
			g = g.WithWeights(func(u, v uint32) int32 { return int32(graph.SplitMix64(uint64(u^v)) % 20) })
		}
		for _, method := range []string{sssp.DeltaStepping, sssp.BellmanFord} {
			a := &sssp.SSSP{Source: source(g, r.Uint32N(uint32(g.N()))), Method: method}
			trial.OnDevice(t, c.Name, g, a, 0)
			a.Parents = new(false)
			trial.OnDevice(t, c.Name+", distances alone", g, a, 0)
		}
	}
}

// Larger shapes, a hub of a million arcs among them, against the kernel's
// reference and plain relaxation too.
func TestDeviceAgainstReference(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	cases := append(trial.Shapes(t, r, true), trial.Shapes(t, r, false)...)
	for _, c := range trial.Graphs(r.Uint64()) {
		if c.Graph.N() > 0 && c.Graph.Weighted() == graph.Int32 {
			cases = append(cases, pregeltest.Case{Name: c.Name, Graph: c.Graph.WithWeights(func(u, v uint32) int32 { return int32(u^v) % 20 })})
		}
	}
	for _, c := range cases {
		from := r.Uint32N(uint32(c.Graph.N()))
		answer := trial.OnDevice(t, c.Name, c.Graph, &sssp.SSSP{Source: source(c.Graph, from), Method: sssp.DeltaStepping}, 0)
		got := answer.Table.Columns[0]
		if !slices.Equal(distances(got), reference(c.Graph, from)) {
			t.Fatalf("%s, from vertex %d: not what relaxation gives", c.Name, from)
		}
		nearFar := kernel.NearFar{Graph: c.Graph, Base: 1 + r.Int64N(40), Adapt: true}
		for v, d := range nearFar.Distances(from) {
			if x := got.Ints[v]; x != d && !(d == kernel.Far && got.Empty(v)) {
				t.Fatalf("%s, from vertex %d: distance %d of vertex %d, the kernel's reference has %d", c.Name, from, x, v, d)
			}
		}
	}
}

// Generated graphs: hubs, long thin ones, a star.
func TestDeviceGenerated(t *testing.T) {
	trial.Device(t)
	if testing.Short() {
		t.Log("a short test: only smaller graphs")
		return
	}
	r := trial.Rand(t)
	for _, s := range []graphgen.Spec{
		{Kind: "kronecker", Scale: 16, EdgeFactor: 16, Seed: r.Uint64()},
		{Kind: "uniform", Scale: 16, EdgeFactor: 8, Seed: r.Uint64()},
		{Kind: "grid", Rows: 300, Cols: 400},
		{Kind: "path", N: 5000},
		{Kind: "star", N: 1 << 20},
	} {
		for _, weights := range []graphgen.Weights{graphgen.NoWeights, graphgen.HashWeights} {
			g, err := graphgen.Generate(t.Context(), s, graphgen.Options{Weights: weights})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				a := &sssp.SSSP{Source: source(g, r.Uint32N(uint32(g.N()))), Method: sssp.DeltaStepping}
				trial.OnDevice(t, fmt.Sprintf("%+v", s), g, a, 0)
			}
		}
	}
}

// chain is a path of the given weights, with arcs beside it that are too long.
func chain(t *testing.T, weights []int32) *graph.Graph {
	c := graph.Columns{}
	for u, w := range weights {
		c.U, c.V = append(c.U, uint32(u), uint32(u)), append(c.V, uint32(u+1), uint32(u+1))
		c.Weights.Int = append(c.Weights.Int, w, w+1)
	}
	return build(t, len(weights)+1, c, true)
}

// Distances up to the last that fits in 32 bits and one more, and far beyond,
// by weights with which 32 bits are tried.
func TestDeviceBetween32And64Bits(t *testing.T) {
	trial.Device(t)
	const step = 1 << 26
	whole := slices.Repeat([]int32{step}, 63)
	for _, last := range []int32{step - 3, step - 2, step - 1, step, step + 1} {
		g := chain(t, append(slices.Clone(whole), last))
		answer := trial.OnDevice(t, fmt.Sprint(last), g, &sssp.SSSP{Source: source(g, 0), Method: sssp.DeltaStepping}, 0)
		if d := answer.Table.Columns[0].Ints[64]; d != 63*step+int64(last) {
			t.Errorf("distance %d, want %d", d, 63*step+int64(last))
		}
	}
	g := chain(t, slices.Repeat([]int32{math.MaxInt32 - 1}, 2000))
	for _, parents := range []bool{true, false} {
		trial.OnDevice(t, "beyond", g, &sssp.SSSP{Source: source(g, 0), Method: sssp.DeltaStepping, Parents: new(parents)}, 0)
	}
}

// A run that ends early has distances that are too long at the most, and no
// parents.
func TestDeviceStopped(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	g := build(t, 3000, randomColumns(r, 3000, 20_000, graph.Int32, 0, 255), true)
	a := &sssp.SSSP{Source: source(g, 7), Method: sssp.DeltaStepping}
	want := run(t, g, a, cpu.Options{}).Table.Columns[0].Ints
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	answer, err := a.Run(ctx, &pregel.Job{Graph: g, Engine: e})
	if err != nil || answer.Stop.Reason != pregel.Cancelled {
		t.Fatalf("%+v, error %v", answer, err)
	}
	for v, d := range answer.Table.Columns[0].Ints {
		if p := answer.Table.Columns[1].Vertices[v]; d < want[v] || p != graph.None {
			t.Fatalf("vertex %d: distance %d, want at least %d; parent %d", v, d, want[v], p)
		}
	}
}
