package bfs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
)

// Depths alone are those of a queue, on graphs as they are and prepared, for any number
// of workers and whichever way messages go; what differs by one is not certified.
func TestDepthsAgainstQueue(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	for i, g := range someGraphs(r) {
		source := r.Uint32N(uint32(g.N()))
		a := &bfs.BFS{Source: pregel.ID(g.IDs().Text(source)), Parents: new(false)}
		depth, _ := reference(g, source)
		onlyDepths(t, fmt.Sprintf("graph %d", i), trial.Everywhere(t, g, a), depth)
		for _, order := range pregel.Orders {
			p, err := pregel.Prepare(t.Context(), g, order, 2)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := p.Run(t.Context(), a, &pregel.Job{Engine: cpu.New(cpu.Options{Workers: 1 + r.IntN(3)})})
			if err != nil {
				t.Fatal(err)
			}
			onlyDepths(t, fmt.Sprintf("graph %d, by %s", i, order), answer, depth)
			refutes(t, g, a, answer, r.Uint32N(uint32(g.N())))
		}
	}
}

// someGraphs are paths, and random graphs of both kinds: one vertex with loops, few edges and many.
func someGraphs(r *rand.Rand) []*graph.Graph {
	graphs := []*graph.Graph{path(1), path(2), path(3000)}
	for _, size := range [][2]int{{1, 3}, {65, 200}, {1000, 1500}, {5000, 60000}} {
		graphs = append(graphs, randomGraph(r, size[0], size[1], false), randomGraph(r, size[0], size[1], true))
	}
	return graphs
}

// refutes has a depth of an answer that is another by one, or none, refused.
func refutes(t *testing.T, g *graph.Graph, a *bfs.BFS, answer *pregel.Answer, v uint32) {
	t.Helper()
	depth := slices.Clone(answer.Table.Columns[0].Counts)
	if err := a.Certify(t.Context(), g, &answer.Table); err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []uint32{depth[v] - 1, depth[v] + 1, graph.None} {
		table := pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "depth", Counts: slices.Clone(depth)}}}
		table.Columns[0].Counts[v] = wrong
		if err := a.Certify(t.Context(), g, &table); err == nil && wrong != depth[v] {
			t.Fatalf("vertex %d of depth %d was certified with %d", v, depth[v], wrong)
		}
	}
}

// A search that is cut short at any superstep keeps the depths found till then, and
// says what it reached.
func TestDepthsKept(t *testing.T) {
	t.Parallel()
	g := path(100)
	trial.Early(t, g, &bfs.BFS{Source: "0", Parents: new(false)}, func(t *testing.T, stopped *pregel.Answer) {
		depth, reached := stopped.Table.Columns[0].Counts, 0
		for v, d := range depth {
			if d != graph.None {
				reached++
			}
			if d != graph.None && d != uint32(v) {
				t.Fatalf("vertex %d has depth %d", v, d)
			}
		}
		if want := min(stopped.Stop.Supersteps+1, g.N()); reached != want || stopped.Summary[0].Value != reached || stopped.Summary[1].Value != reached-1 {
			t.Fatalf("%v: %d vertices have depths, want %d; %v", stopped.Stop, reached, want, stopped.Summary)
		}
	})
}

// parents: true is as though it were left out.
func TestParentsAsked(t *testing.T) {
	t.Parallel()
	g := randomGraph(rand.New(rand.NewPCG(1, 2)), 300, 900, true)
	depth, parent := reference(g, 5)
	answer := trial.Everywhere(t, g, &bfs.BFS{Source: "5", Parents: new(true)})
	if c := answer.Table.Columns; !slices.Equal(c[0].Counts, depth) || !slices.Equal(c[1].Vertices, parent) {
		t.Error("depths or parents differ")
	}
}
