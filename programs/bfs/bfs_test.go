package bfs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

// reference is BFS by a queue, then the least parent by looking at all arcs.
func reference(g *graph.Graph, source uint32) (depth, parent []uint32) {
	depth = slices.Repeat([]uint32{graph.None}, g.N())
	parent = slices.Clone(depth)
	depth[source] = 0
	queue := []uint32{source}
	for len(queue) > 0 {
		u := queue[0]
		queue = queue[1:]
		for _, v := range g.Out().Neighbors(u) {
			if depth[v] == graph.None {
				depth[v] = depth[u] + 1
				queue = append(queue, v)
			}
		}
	}
	for u := range uint32(g.N()) {
		for _, v := range g.Out().Neighbors(u) {
			if depth[u] != graph.None && depth[v] == depth[u]+1 {
				parent[v] = min(parent[v], u)
			}
		}
	}
	return depth, parent
}

func randomGraph(r *rand.Rand, n, m int, directed bool) *graph.Graph {
	list := make([]graph.Arc, m)
	for i := range list {
		list[i] = graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n))}
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: directed})
	if err != nil {
		panic(err)
	}
	return g
}

func path(n int) *graph.Graph {
	list := make([]graph.Arc, n-1)
	for i := range list {
		list[i] = graph.Arc{U: uint32(i), V: uint32(i + 1)}
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{})
	if err != nil {
		panic(err)
	}
	return g
}

func TestAgainstQueue(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	graphs := []*graph.Graph{path(1), path(2), path(3000)}
	for _, size := range [][2]int{{1, 3}, {64, 30}, {65, 200}, {1000, 1500}, {1000, 3000}, {5000, 60000}, {40000, 60000}} {
		for _, directed := range []bool{false, true} {
			graphs = append(graphs, randomGraph(r, size[0], size[1], directed))
		}
	}
	for i, g := range graphs {
		source := r.Uint32N(uint32(g.N()))
		depth, parent := reference(g, source)
		for _, workers := range race.Workers(1, 2, 3, 8) {
			for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
				check(t, fmt.Sprintf("graph %d, %d workers, %v", i, workers, d), g, source,
					cpu.New(cpu.Options{Workers: workers, Direction: d}), depth, parent)
			}
		}
	}
}

func check(t *testing.T, name string, g *graph.Graph, source uint32, e pregel.Engine, depth, parent []uint32) {
	t.Helper()
	a := &bfs.BFS{Source: pregel.ID(g.IDs().Text(source))}
	answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if answer.Stop.Reason != pregel.Halted {
		t.Fatalf("%s: %v", name, answer.Stop)
	}
	if c := answer.Table.Columns; !slices.Equal(c[0].Counts, depth) || !slices.Equal(c[1].Vertices, parent) {
		t.Fatalf("%s: depths or parents differ", name)
	}
	if got, want := fmt.Sprint(answer.Summary), summary(depth); got != want {
		t.Fatalf("%s: %s, want %s", name, got, want)
	}
	no := false
	alone, err := (&bfs.BFS{Source: a.Source, Parents: &no}).Run(t.Context(), &pregel.Job{Graph: g, Engine: e})
	if err != nil || !slices.Equal(alone.Table.Columns[0].Counts, depth) || fmt.Sprint(alone.Summary) != summary(depth) {
		t.Fatalf("%s: depths alone differ, or %v is not %s; error %v", name, alone.Summary, summary(depth), err)
	}
	if err := a.Certify(t.Context(), g, &answer.Table); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	answer.Table.Columns[0].Counts[source] = 1
	if err := a.Certify(t.Context(), g, &answer.Table); err == nil {
		t.Fatalf("%s: a source of depth 1 was certified", name)
	}
}

// summary is what the answer says of these depths.
func summary(depth []uint32) string {
	reached, deepest := 0, 0
	for _, d := range depth {
		if d != graph.None {
			reached, deepest = reached+1, max(deepest, int(d))
		}
	}
	return fmt.Sprint([]pregel.Fact{{Name: "reached", Value: reached}, {Name: "greatest depth", Value: deepest}})
}

// A traversal cut short keeps the depths it has found.
func TestLimitKeepsDepths(t *testing.T) {
	g := path(100)
	a := &bfs.BFS{Source: "0"}
	answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{}), MaxSupersteps: 10})
	if err != nil || answer.Stop.Reason != pregel.MaxSupersteps || answer.Stop.Supersteps != 10 {
		t.Fatalf("%v %v", answer.Stop, err)
	}
	if depth := answer.Table.Columns[0].Counts; depth[10] != 10 || depth[11] != graph.None {
		t.Fatalf("depths %v", depth[:12])
	}
}

func TestSourceMustExist(t *testing.T) {
	_, err := (&bfs.BFS{Source: "100"}).Run(context.Background(), &pregel.Job{Graph: path(100), Engine: cpu.New(cpu.Options{})})
	if want := "source: no vertex 100 in the graph (its ids are 0 to 99)"; err == nil || err.Error() != want {
		t.Fatalf("error %v, want %s", err, want)
	}
}
