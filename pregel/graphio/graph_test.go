package graphio

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
)

// An edge is a line of a graph file: ids as the file has them.
type edge struct {
	u, v string
	w    float64
}

// edgesOf lists the arcs of a graph by their ids, sorted.
func edgesOf(g *graph.Graph) []edge {
	list := []edge{}
	c, ids := g.Out(), g.IDs()
	for u := range uint32(g.N()) {
		for i, v := range c.Neighbors(u) {
			list = append(list, edge{ids.Text(u), ids.Text(v), c.Weights.At(c.Offsets.At(u) + uint64(i))})
		}
	}
	slices.SortFunc(list, compareEdges)
	return list
}

func compareEdges(a, b edge) int {
	return cmp.Or(strings.Compare(a.u, b.u), strings.Compare(a.v, b.v), cmp.Compare(a.w, b.w))
}

// asArcs lists the arcs that edges stand for, sorted.
func asArcs(edges []edge, directed bool) []edge {
	all := slices.Clone(edges)
	for _, e := range edges {
		if !directed && e.u != e.v {
			all = append(all, edge{e.v, e.u, e.w})
		}
	}
	slices.SortFunc(all, compareEdges)
	return all
}

// textFile puts a file into a temporary folder.
func textFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustRead reads a graph that is all right, and checks it.
func mustRead(t testing.TB, path string, o Options) *graph.Graph {
	t.Helper()
	return mustReadIn(t, path, o, defaultLimits)
}

func mustReadIn(t testing.TB, path string, o Options, l limits) *graph.Graph {
	t.Helper()
	g, err := read(context.Background(), path, o, l)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	return g
}

// expect compares the graph with a list of edges and a list of vertices; nil
// stands for the endpoints.
func expect(t testing.TB, g *graph.Graph, edges []edge, vertices []string) {
	t.Helper()
	want := asArcs(edges, g.Directed())
	if got := edgesOf(g); !slices.Equal(got, want) {
		t.Fatalf("arcs %v\nwant %v", short(got), short(want))
	}
	if vertices == nil {
		for _, e := range edges {
			vertices = append(vertices, e.u, e.v)
		}
	}
	vertices = slices.Clone(vertices)
	slices.Sort(vertices)
	vertices = slices.Compact(vertices)
	var got []string
	for u := range uint32(g.N()) {
		got = append(got, g.IDs().Text(u))
	}
	slices.Sort(got)
	if !slices.Equal(got, vertices) {
		t.Fatalf("vertices %v\nwant %v", short(got), short(vertices))
	}
}

func short[T any](list []T) string {
	if len(list) > 20 {
		return fmt.Sprintf("%v… (%d)", list[:20], len(list))
	}
	return fmt.Sprint(list)
}

// newRand returns a generator with a fresh seed, which it prints.
func newRand(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// eachWay calls f with numbers of workers and sizes of blocks that a graph
// must not depend on.
func eachWay(f func(workers int, l limits)) {
	ways := [][2]int{{1, 1}, {2, 2}, {1, 7}, {2, 7}, {3, 7}, {8, 7}, {3, 64}, {8, 300}, {2, defaultBlock}}
	if race.On {
		ways = [][2]int{{3, 7}, {3, 64}}
	}
	for _, way := range ways {
		l := defaultLimits
		l.block = way[1]
		f(way[0], l)
	}
}
