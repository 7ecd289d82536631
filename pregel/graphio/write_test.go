package graphio_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
	"gopregel/pregel/graphio/internal/samples"
	"gopregel/pregel/pregeltest/race"
)

func randomSource(t testing.TB) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// A formCase is a name to write to, and which graphs it must hold without
// loss.
type formCase struct {
	name   string
	format string
	holds  func(g *graph.Graph) bool
}

func formCases() []formCase {
	connected := func(g *graph.Graph) bool { return len(alone(g)) == 0 }
	from := func(g *graph.Graph, base uint64) bool {
		return g.N() == 0 || g.IDs().Names() == nil && g.IDs().Numbers() == nil && g.IDs().Base() == base
	}
	ended := func(g *graph.Graph) bool { return !slices.Contains(alone(g), g.N()-1) && from(g, 0) }
	always := func(*graph.Graph) bool { return true }
	weights := func(g *graph.Graph) graph.WeightKind { return g.Weighted() }
	return []formCase{
		{"g.txt", "", connected},
		{"g.edges.gz", "", connected},
		{"g.csv", "", connected},
		{"g.CSV.ZST", "", connected},
		{"g.tsv", "", connected},
		{"g.el", "", func(g *graph.Graph) bool { return ended(g) && weights(g) == graph.Unweighted }},
		{"g.wel", "", func(g *graph.Graph) bool { return ended(g) && weights(g) != graph.Unweighted }},
		{"g.dat", "el", ended},
		{"g.mtx", "", func(g *graph.Graph) bool { return from(g, 1) }},
		{"g.gr", "", func(g *graph.Graph) bool { return from(g, 1) && weights(g) == graph.Int32 }},
		{"g.graph.zst", "", func(g *graph.Graph) bool {
			return from(g, 1) && !g.Directed() && g.Loops() == 0 && (weights(g) == graph.Unweighted || least(g) > 0)
		}},
		{"g.properties", "", always},
		{"g.e.gz", "", always},
		{"g.adj", "adjacency", func(g *graph.Graph) bool { return weights(g) == graph.Unweighted }},
		{"g.adj.gz", "", func(g *graph.Graph) bool { return from(g, 0) && weights(g) == graph.Unweighted }},
		{"g.wadj", "", func(g *graph.Graph) bool { return from(g, 0) && weights(g) != graph.Unweighted }},
		{"g.dat", "ligra", func(g *graph.Graph) bool { return from(g, 0) }},
		{"g.ea", "", func(g *graph.Graph) bool { return ended(g) && weights(g) == graph.Unweighted }},
		{"g.wea.zst", "", func(g *graph.Graph) bool { return ended(g) && weights(g) != graph.Unweighted }},
		{"g.dat", "pbbs", ended},
		{"g.sg", "", func(g *graph.Graph) bool { return from(g, 0) && weights(g) == graph.Unweighted }},
		{"g.wsg", "", func(g *graph.Graph) bool { return from(g, 0) && weights(g) == graph.Int32 }},
		{"g.dat", "gapbs", func(g *graph.Graph) bool { return from(g, 0) && weights(g) != graph.Float32 }},
		{"g.pgr", "", always},
	}
}

// alone lists the vertices without arcs.
func alone(g *graph.Graph) (list []int) {
	for u := range g.N() {
		if g.Out().Degree(uint32(u)) == 0 && g.In().Degree(uint32(u)) == 0 {
			list = append(list, u)
		}
	}
	return list
}

// least returns the least whole weight, 0 of others.
func least(g *graph.Graph) int32 {
	w := g.Out().Weights.Int
	if len(w) == 0 {
		return 0
	}
	return slices.Min(w)
}

// readBack tells the reader what the file cannot say.
func readBack(t *testing.T, path string, c formCase, g *graph.Graph) (*graph.Graph, error) {
	o := graphio.Options{Format: c.format}
	format := c.format
	if format == "" {
		format, _, _ = graphio.FormatOf(path)
	}
	if slices.Contains([]string{"edgelist", "el", "csv", "tsv", "adjacency", "ligra", "pbbs"}, format) && !g.Directed() {
		o.Directed = graphio.Undirected
	}
	if g.IDs().Names() != nil && slices.Contains([]string{"edgelist", "csv", "tsv", "ldbc", "adjacency"}, format) {
		o.IDs = graphio.IDsString
	}
	if (format == "el" || format == "pbbs") && !c.holds(g) { // ids that are not from 0 on
		o.Vertices = graphio.VerticesEndpoints
	}
	return graphio.Read(t.Context(), path, o)
}

// asRead is what g is when it comes back.
func asRead(g *graph.Graph, c formCase) *graph.Graph {
	if strings.HasSuffix(c.name, ".gr") { // a file of arcs
		g, _ = graph.New(graph.Parts{Directed: true, IDs: g.IDs(), Out: g.Out()})
	}
	return g
}

// TestWriteRoundTrip writes graphs of every kind in every format. What the
// format holds must come back; anything else must be refused before a file
// appears, or be a loss that is told and allowed.
func TestWriteRoundTrip(t *testing.T) {
	t.Parallel()
	r := randomSource(t)
	dir := samples.Folder(t)
	sizes := [][2]int{{0, 0}, {1, 0}, {1, 3}, {2, 1}, {40, 0}, {60, 300}, {500, 3000}}
	kept, enough := map[string]int{}, 25
	if race.On {
		enough = 4
	}
	kinds := samples.Kinds()
	r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	for _, k := range kinds {
		for _, size := range [][2]int{sizes[r.IntN(len(sizes))], {60, 300}} {
			whole := samples.Random(r, k, size[0], size[1])
			for _, c := range formCases() {
				g := whole
				if c.name == "g.graph.zst" && g.Weighted() == graph.Int32 && r.IntN(2) == 0 {
					g = g.WithWeights(func(u, v uint32) int32 { return 1 + int32(u^v) })
				}
				// Enough of each is enough.
				if c.holds(g) && kept[c.name] > enough || !c.holds(g) && r.IntN(6) > 0 {
					continue
				}
				what := fmt.Sprintf("%s %s, %v, n %d", c.name, c.format, k, size[0])
				if roundTrip(t, filepath.Join(dir, c.name), c, g, what) {
					kept[c.name]++
				}
			}
		}
	}
	for _, c := range formCases() {
		if kept[c.name] < 2 {
			t.Errorf("%s: only %d graphs came back", c.name, kept[c.name])
		}
	}
}

func roundTrip(t *testing.T, path string, c formCase, g *graph.Graph, what string) (kept bool) {
	t.Helper()
	clear := func() {
		for _, name := range left(t, filepath.Dir(path)) {
			os.Remove(filepath.Join(filepath.Dir(path), name))
		}
	}
	clear()
	o := graphio.WriteOptions{Format: c.format}
	losses, impossible := graphio.Losses(path, g, o)
	if holds := len(losses) == 0 && impossible == nil; holds != c.holds(g) {
		t.Fatalf("%s: losses %q, error %v; the format holds the graph: %v", what, losses, impossible, c.holds(g))
	}
	err := graphio.Write(t.Context(), path, g, o)
	if c.holds(g) {
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		h, err := readBack(t, path, c, g)
		if err != nil {
			t.Fatalf("%s: read back: %v", what, err)
		}
		if err := errors.Join(samples.Same(h, asRead(g, c)), h.Close()); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return true
	}
	if err == nil || !strings.Contains(err.Error(), path) {
		t.Fatalf("%s: loss %q, yet error %v", what, losses, err)
	}
	o.AllowLoss = true
	if impossible == nil && err != nil {
		if err := graphio.Write(t.Context(), path, g, o); err != nil {
			t.Fatalf("%s: with losses %q allowed: %v", what, losses, err)
		}
		if _, err := readBack(t, path, c, g); err != nil {
			t.Fatalf("%s: with losses %q allowed, read back: %v", what, losses, err)
		}
		return false
	}
	if err := graphio.Write(t.Context(), path, g, o); err == nil {
		t.Fatalf("%s: impossible (%v), but written", what, impossible)
	}
	if files := left(t, filepath.Dir(path)); len(files) > 0 {
		t.Fatalf("%s: left behind: %q", what, files)
	}
	return false
}

func left(t *testing.T, dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestWriteText compares whole files with what they must be.
func TestWriteText(t *testing.T) {
	t.Parallel()
	ids, err := graph.NumberIDs([]uint64{2, 5, 9})
	if err != nil {
		t.Fatal(err)
	}
	c := graph.Columns{U: []uint32{0, 1, 1}, V: []uint32{1, 1, 2}, Weights: graph.Weights{Float: []float32{0.1, 3, 1e10}}}
	build := func(ids graph.IDs, c graph.Columns, directed bool) *graph.Graph {
		g, err := graph.Build(t.Context(), ids, c, graph.Options{Directed: directed})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	whole := graph.Columns{U: c.U, V: c.V, Weights: graph.Weights{Int: []int32{4, -1, 2147483647}}}
	bare := graph.Columns{U: []uint32{0, 1}, V: []uint32{1, 2}}
	names, err := graph.NameIDs([]string{`"`, "#a b", "c,d"})
	if err != nil {
		t.Fatal(err)
	}
	one := graph.RangeIDs(1, 3)
	dir := t.TempDir()
	for _, x := range []struct {
		name, file string
		g          *graph.Graph
		want       string
	}{
		{"g.txt", "g.txt", build(ids, c, false), "# Undirected graph: each edge stands on one line\n# Vertices: 3 Edges: 3\n# source\ttarget\tweight\n2\t5\t0.1\n5\t5\t3.0\n5\t9\t1e+10\n"},
		{"g.wel", "g.wel", build(graph.RangeIDs(0, 3), whole, true), "0 1 4\n1 1 -1\n1 2 2147483647\n"},
		{"g.csv", "g.csv", build(names, bare, true), "source,target\n\"\"\"\",\"#a b\"\n\"#a b\",\"c,d\"\n"},
		{"g.tsv", "g.tsv", build(ids, whole, true), "source\ttarget\tweight\n2\t5\t4\n5\t5\t-1\n5\t9\t2147483647\n"},
		{"g.mtx", "g.mtx", build(one, c, false), "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n2 1 0.1\n2 2 3.0\n3 2 1e+10\n"},
		{"g.mtx", "g.mtx", build(one, bare, true), "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n"},
		{"g.gr", "g.gr", build(one, whole, false), "c Undirected graph: each edge is two arcs\np sp 3 5\na 1 2 4\na 2 1 4\na 2 2 -1\na 2 3 2147483647\na 3 2 2147483647\n"},
		{"g.graph", "g.graph", build(one, bare, false), "3 2\n2 \n1 3 \n2 \n"},
		{"g.graph", "g.graph", build(one, bare, false).WithWeights(func(u, v uint32) int32 { return int32(u + v) }), "3 2 001\n2 1 \n1 1 3 3 \n2 3 \n"},
		{"g.adj", "g.adj", build(graph.RangeIDs(0, 3), bare, false), "AdjacencyGraph\n3\n4\n0\n1\n3\n1\n0\n2\n1\n"},
		{"g.wadj", "g.wadj", build(graph.RangeIDs(0, 3), whole, true), "WeightedAdjacencyGraph\n3\n3\n0\n1\n3\n1\n1\n2\n4\n-1\n2147483647\n"},
		{"g.ea", "g.ea", build(graph.RangeIDs(0, 3), bare, false), "EdgeArray\n0 1\n1 2\n"},
		{"g.wea", "g.wea", build(graph.RangeIDs(0, 3), c, false), "WeightedEdgeArray\n0 1 0.1\n1 1 3.0\n1 2 1e+10\n"},
		{"g.properties", "g.v", build(ids, c, false), "2\n5\n9\n"},
		{"g.properties", "g.e", build(ids, c, false), "2 5 0.1\n5 5 3.0\n5 9 1e+10\n"},
		{"g.properties", "g.properties", build(ids, c, false), "graph.g.vertex-file = g.v\ngraph.g.edge-file = g.e\ngraph.g.meta.vertices = 3\ngraph.g.meta.edges = 3\ngraph.g.directed = false\n" +
			"graph.g.edge-properties.names = weight\ngraph.g.edge-properties.types = real\n"},
	} {
		if err := graphio.Write(t.Context(), filepath.Join(dir, x.name), x.g, graphio.WriteOptions{}); err != nil {
			t.Error(err)
			continue
		}
		if got, err := os.ReadFile(filepath.Join(dir, x.file)); err != nil || string(got) != x.want {
			t.Errorf("%s holds %q (%v), want %q", x.file, got, err, x.want)
		}
	}
}

// TestWriteSameForAnyWorkers: a star, whose hub spans many pieces, and a graph
// of many vertices.
func TestWriteSameForAnyWorkers(t *testing.T) {
	t.Parallel()
	r := randomSource(t)
	star := graph.ArcList{Weighted: true}
	for v := range uint32(20000) {
		star.List = append(star.List, graph.Arc{U: 10000, V: v, W: r.Int32N(100) + 1})
	}
	dir := t.TempDir()
	for _, list := range []graph.ArcList{star, {List: star.List[:9000], Weighted: true}} {
		g, err := graph.Build(t.Context(), graph.RangeIDs(1, 20000), list, graph.Options{Loops: graph.DropLoops})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"g.mtx", "g.graph", "g.gr", "g.e"} {
			var first []byte
			for _, workers := range []int{1, 3, 8} {
				if race.On && workers == 8 {
					continue
				}
				path := filepath.Join(dir, name)
				if err := graphio.Write(t.Context(), path, g, graphio.WriteOptions{Workers: workers}); err != nil {
					t.Fatal(err)
				}
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = b
				}
				if !bytes.Equal(first, b) {
					t.Fatalf("%s: another file with %d workers", name, workers)
				}
			}
			c := formCase{name: name}
			h, err := readBack(t, filepath.Join(dir, name), c, g)
			if err == nil {
				err = samples.Same(h, asRead(g, c))
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}
