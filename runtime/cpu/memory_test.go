package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/mem"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// A run in memory that it is given reaches what a run in its own does, with its values at the
// start, its offers behind them, and nothing outside; and none of that memory is anybody
// else's afterwards.
func TestWithMemory(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, spec := range []graphgen.Spec{
		{Kind: "grid", Rows: 120, Cols: 130}, // offers are made ahead, in a second array
		{Kind: "kronecker", Scale: 13, EdgeFactor: 8, Seed: seed},
	} {
		for _, steps := range []int{2, 7, 8} { // offers end in the one array, or the other
			for _, room := range race.Some(0, 8, 9, 16, 17, 25, 40) { // bytes a vertex
				inMemory(t, made(t, spec), steps, room)
			}
		}
	}
}

func inMemory(t *testing.T, g *graph.Graph, steps, room int) {
	t.Helper()
	const edge = 512
	f := flow{silent: true, local: true, failEmit: graph.None, failApply: graph.None, steps: steps}
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}
	want, err := pregel.RunEdge(t.Context(), job, &f)
	if err != nil {
		t.Fatal(err)
	}
	values := slices.Clone(want.Values)
	all := mem.Bytes(slices.Repeat([]uint64{0x5a5a5a5a5a5a5a5a}, (room*g.N()+3*edge)/8))
	given := all[edge : edge+room*g.N()+64]
	got, err := pregel.RunEdge(t.Context(), job, &f, pregel.WithMemory(given))
	at := fmt.Sprintf("%d vertices, %d supersteps, %d bytes a vertex", g.N(), steps, room)
	if err != nil || !slices.Equal(got.Values, values) {
		t.Fatalf("%s: %v, values differ: %v", at, err, !slices.Equal(got.Values, values))
	}
	if inside := room >= 8; inside != (&mem.Raw(got.Values)[0] == &given[0]) {
		t.Errorf("%s: values at the start: %v, want %v", at, !inside, inside)
	}
	written := func(b []byte) bool { return slices.ContainsFunc(b, func(b byte) bool { return b != 0x5a }) }
	if written(all[:edge]) || written(all[edge+len(given):]) {
		t.Errorf("%s: bytes outside were written", at)
	}
	if offers := room >= 16; offers != written(given[min(8*g.N(), len(given)):]) {
		t.Errorf("%s: offers behind the values: %v, want %v", at, !offers, offers)
	}
	before := slices.Clone(all)
	for range 8 { // what was given back is taken again
		clear(mem.Take[float64](g.N()))
		clear(mem.Take[float64](g.N() + 1))
	}
	if !slices.Equal(all, before) {
		t.Errorf("%s: memory of the caller was given away", at)
	}
}

// Memory given to a Seeder, in which anything may stand, and a column of too few bytes.
func TestWithMemoryOfSeeders(t *testing.T) {
	g := square(t, 60)
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}
	want, err := pregel.RunEdge(t.Context(), job, seeding{ending{wave{seeds: []uint32{7}, fails: graph.None}}})
	if err != nil {
		t.Fatal(err)
	}
	values := slices.Clone(want.Values)
	for _, n := range []int{1, g.N() - 1, g.N(), 3 * g.N()} {
		given := slices.Repeat([]hop{{1, 2}}, n)
		got, err := pregel.RunEdge(t.Context(), job, seeding{ending{wave{seeds: []uint32{7}, fails: graph.None}}}, pregel.WithMemory(mem.Raw(given)))
		if err != nil || !slices.Equal(got.Values, values) {
			t.Fatalf("%d values: %v, values differ: %v", n, err, !slices.Equal(got.Values, values))
		}
		if inside := n >= g.N(); inside != (&got.Values[0] == &given[0]) {
			t.Errorf("%d values: values at the start: %v", n, !inside)
		}
	}
}

// adding is flow whose Init adds to what values are before.
type adding struct{ flow }

func (*adding) Init(v pregel.Vertex[float64]) (float64, bool) {
	return v.Value + 1/float64(v.ID+1), true
}

// Values in memory that is given are 0 before Init, as new ones are.
func TestValuesInMemoryBeginAtZero(t *testing.T) {
	g := square(t, 30)
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}
	p := adding{flow{silent: true, local: true, failEmit: graph.None, failApply: graph.None, steps: 3}}
	want, err := pregel.RunEdge(t.Context(), job, &p)
	if err != nil {
		t.Fatal(err)
	}
	values, given := slices.Clone(want.Values), slices.Repeat([]float64{5}, 3*g.N())
	got, err := pregel.RunEdge(t.Context(), job, &p, pregel.WithMemory(mem.Bytes(given)))
	if err != nil || !slices.Equal(got.Values, values) {
		t.Errorf("%v, values differ: %v", err, !slices.Equal(got.Values, values))
	}
}
