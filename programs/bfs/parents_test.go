package bfs_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

// A search for parents is on the renumbered graph where neighbours lie side by side in it, one for depths
// alone always, and both find on either what the graph as it is gives.
func TestChooses(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 8))
	kronecker, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: 11, EdgeFactor: 8, Seed: seed}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, order string
		g           *graph.Graph
		renumbered  bool
	}{
		{"kronecker", "degree", kronecker, false},
		{"kronecker", "locality", kronecker, false},
		{"grid", "locality", scattered(t, r, 70, 90), true},
		{"grid", "degree", scattered(t, r, 70, 90), false},
	} {
		p, err := pregel.Prepare(t.Context(), c.g, c.order, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, parents := range []bool{true, false} {
			a := &bfs.BFS{Source: pregel.ID(c.g.IDs().Text(r.Uint32N(uint32(c.g.N())))), Parents: &parents}
			e := cpu.New(cpu.Options{Workers: 2})
			if on := p.For(a, e); (on == p.Graph) != (c.renumbered || !parents) {
				t.Errorf("%s by %s, parents %v: on the renumbered graph is %v", c.name, c.order, parents, on == p.Graph)
			}
			want, err := a.Run(t.Context(), &pregel.Job{Graph: c.g, Engine: e})
			if err != nil {
				t.Fatal(err)
			}
			got, err := p.Run(t.Context(), a, &pregel.Job{Engine: e})
			if err != nil {
				t.Fatal(err)
			}
			for i, column := range want.Table.Columns {
				if x := got.Table.Columns[i]; !slices.Equal(x.Counts, column.Counts) || !slices.Equal(x.Vertices, column.Vertices) {
					t.Errorf("%s by %s, parents %v: column %s is another", c.name, c.order, parents, column.Name)
				}
			}
		}
	}
}

// scattered is a grid whose vertices are numbered at random.
func scattered(t *testing.T, r *rand.Rand, rows, cols int) *graph.Graph {
	t.Helper()
	at := r.Perm(rows * cols)
	var l graph.ArcList
	for i := range rows * cols {
		if i%cols > 0 {
			l.List = append(l.List, graph.Arc{U: uint32(at[i]), V: uint32(at[i-1])})
		}
		if i >= cols {
			l.List = append(l.List, graph.Arc{U: uint32(at[i]), V: uint32(at[i-cols])})
		}
	}
	g, err := graph.FromArcs(rows*cols, l, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
