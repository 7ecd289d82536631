package sssp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// On a prepared graph distances and parents are those of double buffers on the user's
// graph: with parents that are found beside distances (whole weights above 0), or after
// them in 32 bits, or in 64, and by strict runs. Where weights are few, there are many
// shortest paths to choose from.
func TestRenumbered(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	for i := range 60 {
		n, kind, least := 1+r.IntN(700), graph.WeightKind(r.IntN(3)), r.IntN(2)
		columns := randomColumns(r, n, r.IntN(6*n+1), kind, least, least+1+r.IntN(4))
		if i%5 == 0 { // distances beyond 32 bits, weights within them
			for k := range columns.Weights.Int {
				columns.Weights.Int[k] += 1<<31 - 10
			}
		}
		g := build(t, n, columns, i%2 == 0)
		a := some(r, &sssp.SSSP{Source: pregel.ID(g.IDs().Text(r.Uint32N(uint32(n)))), Method: sssp.DeltaStepping})
		want := run(t, g, a, cpu.Options{Workers: 2, Strict: true}).Table
		for _, order := range pregel.Orders {
			p, err := pregel.Prepare(t.Context(), g, order, 2)
			if err != nil {
				t.Fatal(err)
			}
			again(t, r, p.Graph)
			for _, o := range []cpu.Options{{Workers: 1}, {Workers: 3}, {Workers: 2, Strict: true}} {
				got, err := p.Run(t.Context(), a, &pregel.Job{Engine: cpu.New(o)})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(distances(got.Table.Columns[0]), distances(want.Columns[0])) || !slices.Equal(got.Table.Columns[1].Vertices, want.Columns[1].Vertices) {
					t.Fatalf("%d vertices, %v, %s, %+v: %v, want %v", n, g.WeightRange(), order, o, got.Table, want)
				}
			}
		}
	}
}

// A run on a prepared graph that is stopped has no parents.
func TestRenumberedStopped(t *testing.T) {
	g := build(t, 900, randomColumns(rand.New(rand.NewPCG(5, 8)), 900, 4000, graph.Int32, 1, 30), false)
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []cpu.Options{{Workers: 2}, {Workers: 2, Strict: true}} {
		got, err := p.Run(t.Context(), &sssp.SSSP{Source: "10", Method: sssp.DeltaStepping}, &pregel.Job{Engine: cpu.New(o), MaxSupersteps: 1})
		if err != nil || got.Stop.Reason != pregel.MaxSupersteps {
			t.Fatalf("%v, %v", got.Stop, err)
		}
		if slices.ContainsFunc(got.Table.Columns[1].Vertices, func(u uint32) bool { return u != graph.None }) || got.Table.Columns[1].Len() != 900 {
			t.Errorf("%+v: parents %v", o, got.Table.Columns[1].Vertices)
		}
	}
}

// again prepares a graph that is a prepared one already.
func again(t *testing.T, r *rand.Rand, g *graph.Graph) {
	t.Helper()
	a := some(r, &sssp.SSSP{Source: pregel.ID(g.IDs().Text(r.Uint32N(uint32(g.N())))), Method: sssp.DeltaStepping})
	want := run(t, g, a, cpu.Options{Workers: 2, Strict: true}).Table
	p, err := pregel.Prepare(t.Context(), g, "locality", 2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Run(t.Context(), a, &pregel.Job{Engine: cpu.New(cpu.Options{Workers: 2})})
	if err != nil || !slices.Equal(distances(got.Table.Columns[0]), distances(want.Columns[0])) || !slices.Equal(got.Table.Columns[1].Vertices, want.Columns[1].Vertices) {
		t.Fatalf("%d vertices, prepared twice: %v, %v, want %v", g.N(), got, err, want)
	}
}
