//go:build cuda || emulate

package sssp

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// Distances and the least parents by the user's numbers are those of the CPU on the graph as it was, whoever
// brings them, and whichever kernels have found them.
func TestDeviceBrings(t *testing.T) {
	trial.Device(t)
	r := trial.Rand(t)
	crowd := func(kind graph.WeightKind, least, most, m int) *graph.Graph {
		return builtOf(t, 600, skewedColumns(r, 600, m, kind, least, most), r.IntN(2) == 0)
	}
	strip := func(least, most int) *graph.Graph {
		spec := graphgen.Spec{Kind: "grid", Rows: 40, Cols: 45}
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return g.WithWeights(func(u, v uint32) int32 { return int32(least) + int32((u^v)*2654435761>>1)%int32(most-least+1) })
	}
	woven := func() *graph.Graph { // a grid, of which some have neighbours two steps along or two rows on: more than are looked at together
		const rows, length = 40, 45
		c := graph.Columns{}
		for v := range uint32(rows * length) {
			for i, u := range []uint32{v + 1, v + length, v + 2, v + 2*length} {
				if u < rows*length && (i < 2 || r.IntN(80) == 0) {
					c.U, c.V, c.Weights.Int = append(c.U, v), append(c.V, u), append(c.Weights.Int, 1) // many ties
				}
			}
		}
		return builtOf(t, rows*length, c, false)
	}
	cases := []struct {
		name  string
		graph *graph.Graph
		order string
		delta float64
	}{
		{"weights 1 to 3", crowd(graph.Int32, 1, 3, 20_000), "degree", 0},
		{"weights 1 to 255, locality", crowd(graph.Int32, 1, 255, 20_000), "locality", 0},
		{"weights from 0", crowd(graph.Int32, 0, 3, 20_000), "degree", 0},
		{"no weights but 0", crowd(graph.Int32, 0, 0, 5000), "degree", 0},
		{"a width", crowd(graph.Int32, 1, 30, 20_000), "degree", 7},
		{"one vertex, with a loop", builtOf(t, 1, skewedColumns(r, 1, 2, graph.Int32, 1, math.MaxInt32), true), "degree", 0},
		{"no hubs", crowd(graph.Int32, 1, 30, 700), "degree", 0},
		{"no hubs, weights from 0", crowd(graph.Int32, 0, 1, 900), "locality", 0},
		{"weights of 1", crowd(graph.Int32, 1, 1, 20_000), "degree", 0},
		{"floats", crowd(graph.Float32, 1, 30, 20_000), "degree", 0},
		{"great weights", crowd(graph.Int32, 1<<28+1, 1<<30, 20_000), "degree", 0},
		{"grid", strip(1, 3), "tiles", 0},
		{"woven", woven(), "tiles", 0},
		{"grid, weights from 0", strip(0, 3), "tiles", 0},
		{"grid, distances beyond 32 bits", strip(1<<27, 1<<28), "tiles", 0},
	}
	if testing.Short() {
		r.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		cases = cases[:5]
	}
	for _, c := range cases {
		for _, parents := range []bool{true, false} {
			trial.BringsItself(t, fmt.Sprintf("%s, parents %v", c.name, parents), c.graph, c.order, &SSSP{Source: pregel.ID(c.graph.IDs().Text(r.Uint32N(uint32(c.graph.N())))),
				Method: DeltaStepping, Delta: c.delta, Parents: &parents}, 0)
		}
	}
}

// asked is an algorithm that asks for its answer in the user's order, and does nothing else.
type asked struct{ bring *pregel.Bringing }

func (a *asked) Run(_ context.Context, j *pregel.Job) (*pregel.Answer, error) {
	a.bring = j.Bringing()
	return &pregel.Answer{Ordered: true}, nil
}

func (*asked) Renumbered(context.Context, *pregel.Job, *pregel.Answer) error { return nil }

// So they are whatever sweeps are bounded by, and however often the device comes back.
func TestDeviceBringsSweeps(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	for _, most := range []int{2, 40, 255, 300} {
		g := builtOf(t, 500, skewedColumns(r, 500, 6000, graph.Int32, 1, most), r.IntN(2) == 0)
		order := pregel.Orders[r.IntN(len(pregel.Orders))]
		for i, probe := range probes {
			p, bring := askedOf(t, e, g, order)
			from := r.Uint32N(500)
			want := onHost(t, g, from)
			d := &device[int64]{source: bring.Place[from], far: pregel.NoInt, most: float64(most), adapt: true, delta: 1, probe: probe, bring: bring}
			got, err := onDevice(t.Context(), e, &pregel.Job{Graph: p.Graph, Engine: e}, d)
			if err != nil || !got.ordered || d.pull == nil || !slices.Equal(got.Distance, want.Distance) || !slices.Equal(got.Parent, want.Parent) {
				t.Errorf("weights up to %d, probe %d: error %v, swept %v, brought %v; distances are the CPU's: %v, parents: %v", most, i, err, d.pull != nil, got.ordered,
					slices.Equal(got.Distance, want.Distance), slices.Equal(got.Parent, want.Parent))
			}
		}
	}
}

// A run whose state is looked at has its answer from the host.
func TestDeviceBringsWatched(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	g := builtOf(t, 600, skewedColumns(r, 600, 9000, graph.Int32, 1, 90), false)
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	a := &SSSP{Source: pregel.ID(g.IDs().Text(r.Uint32N(600))), Method: DeltaStepping}
	want, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(t.Context(), a, &pregel.Job{Engine: e, Barrier: func(func() (pregel.State, error)) error { return nil }})
	if err != nil || got.Ordered || !reflect.DeepEqual(got.Table, want.Table) {
		t.Errorf("error %v; brought by the device: %v, want the CPU's answer, by the host", err, got.Ordered)
	}
}

// A run of sweeps that ends early has distances in the user's order that are too long at the most, and no parents.
func TestDeviceBringsStopped(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	g := builtOf(t, 500, skewedColumns(r, 500, 4000, graph.Int32, 1, 255), true)
	hub := hubOf(g)
	want := onHost(t, g, hub)
	for most := 1; most < 4; most++ {
		p, bring := askedOf(t, e, g, "degree")
		d := &device[int64]{source: bring.Place[hub], far: pregel.NoInt, most: 255, adapt: true, delta: 9, probe: &probe{probes[1].defines, 0, 0}, bring: bring}
		got, err := onDevice(t.Context(), e, &pregel.Job{Graph: p.Graph, Engine: e, MaxSupersteps: most}, d)
		if err != nil || got.Stop.Reason == pregel.Halted || !got.ordered || got.Distance[hub] != 0 {
			t.Fatalf("%v, error %v, brought %v", got.Stop, err, got.ordered)
		}
		for v, x := range got.Distance {
			if x < want.Distance[v] || got.Parent[v] != graph.None {
				t.Fatalf("vertex %d: distance %d, want at least %d; parent %d", v, x, want.Distance[v], got.Parent[v])
			}
		}
	}
}

// A run that is cancelled before it begins has reached the source alone, by the user's numbers.
func TestDeviceBringsCancelled(t *testing.T) {
	e := trial.Device(t)
	r := trial.Rand(t)
	g := builtOf(t, 300, skewedColumns(r, 300, 4000, graph.Int32, 1, 255), true)
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	from := r.Uint32N(300)
	got, err := p.Run(ctx, &SSSP{Source: pregel.ID(g.IDs().Text(from)), Method: DeltaStepping}, &pregel.Job{Engine: e})
	if err != nil || got.Stop.Reason == pregel.Halted {
		t.Fatalf("error %v, %v", err, got.Stop)
	}
	for v, d := range got.Table.Columns[0].Ints {
		if (d == 0) != (uint32(v) == from) || d != 0 && d != pregel.NoInt || got.Table.Columns[1].Vertices[v] != graph.None {
			t.Fatalf("from %d: vertex %d has distance %d and parent %d", from, v, d, got.Table.Columns[1].Vertices[v])
		}
	}
}

func onHost(t *testing.T, g *graph.Graph, from uint32) Paths[int64] {
	t.Helper()
	paths, err := find[int64](t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})}, &SSSP{Method: DeltaStepping}, from, pregel.NoInt)
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// askedOf prepares a graph, and returns what is asked for an answer on it.
func askedOf(t *testing.T, e *cuda.Engine, g *graph.Graph, order string) (*pregel.Prepared, *pregel.Bringing) {
	t.Helper()
	p, err := pregel.Prepare(t.Context(), g, order, 2)
	if err != nil {
		t.Fatal(err)
	}
	var a asked
	if _, err := p.Run(t.Context(), &a, &pregel.Job{Engine: e}); err != nil {
		t.Fatal(err)
	}
	return p, a.bring
}

// Distances that do not fit in 32 bits are found anew in 64, and brought as those that just fit.
func TestDeviceBringsBetween32And64Bits(t *testing.T) {
	e := trial.Device(t)
	const step = 1 << 26
	forms := map[int]bool{}
	for _, last := range []int32{step - 3, step - 2, step - 1, step, step + 1} {
		g := chain(t, step, last)
		want := onHost(t, g, 0)
		for i, probe := range probes {
			if testing.Short() && i != 1 {
				continue
			}
			for _, alone := range []bool{false, true} {
				what := fmt.Sprintf("last step %d, probe %d, alone %v", last, i, alone)
				p, bring := askedOf(t, e, g, pregel.Orders[i%len(pregel.Orders)])
				d := &device[int64]{source: bring.Place[0], far: pregel.NoInt, most: step + 2, adapt: true, delta: 1, probe: probe, bring: bring, alone: alone}
				got, err := onDevice(t.Context(), e, &pregel.Job{Graph: p.Graph, Engine: e}, d)
				if err != nil || !got.ordered || !slices.Equal(got.Distance, want.Distance) || !alone && !slices.Equal(got.Parent, want.Parent) {
					t.Fatalf("%s: error %v, brought %v, in form %d: distances %v and parents %v, want %v and %v", what, err, got.ordered, d.kind,
						got.Distance, got.Parent, want.Distance, want.Parent)
				}
				forms[d.kind] = true
			}
		}
	}
	if !forms[narrow] || !forms[wide] {
		t.Errorf("forms %v, want distances of 32 bits and of 64", forms)
	}
}
