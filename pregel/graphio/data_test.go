package graphio

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/pregel/pregeltest/refdata"
)

func readJSON(t *testing.T, path string, to any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// All seven encodings of GAPBS's test graph give the arcs that expected.json
// lists, the weighted ones with their weights.
func TestGAPBSEncodings(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(refdata.Dir(t), "gapbs")
	var expected struct {
		Nodes    int      `json:"nodes"`
		Arcs     [][3]int `json:"arcs_u_v_w"`
		All      []string `json:"same_arc_set_in"`
		Weighted []string `json:"same_weights_as_4.wel_in"`
	}
	readJSON(t, filepath.Join(dir, "expected.json"), &expected)
	if len(expected.All) != 7 || len(expected.Weighted) != 4 {
		t.Fatalf("expected.json names %d and %d files", len(expected.All), len(expected.Weighted))
	}
	for _, name := range expected.All {
		o := Options{Directed: Directed, Loops: graph.DropLoops, Duplicates: graph.MinDuplicates}
		weighted := slices.Contains(expected.Weighted, name)
		g := mustRead(t, filepath.Join(dir, "test/graphs", name), o)
		if weighted != (g.Weighted() == graph.Int32) || !weighted && g.Weighted() != graph.Unweighted {
			t.Errorf("%s: weights are %v", name, g.Weighted())
		}
		if g.N() != expected.Nodes {
			t.Errorf("%s: %d vertices, want %d", name, g.N(), expected.Nodes)
		}
		var want, got [][3]int
		for _, a := range expected.Arcs {
			if !weighted {
				a[2] = 1
			}
			want = append(want, a)
		}
		c := g.Out()
		for u := range uint32(g.N()) {
			for i, v := range c.Neighbors(u) {
				got = append(got, [3]int{int(u), int(v), int(c.Weights.At(c.Offsets.At(u) + uint64(i)))})
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: arcs %v\nwant %v", name, got, want)
		}
	}
}

// All graphs of the LDBC validation set have the counts and the direction that
// their properties tell, through the .properties and through the .e file.
func TestLDBCGraphs(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(refdata.Dir(t), "ldbc/evlp/*.properties"))
	if err != nil || len(files) != 14 {
		t.Fatalf("%d .properties files, %v", len(files), err)
	}
	for _, path := range files {
		p, err := ReadProperties(path)
		if err != nil {
			t.Fatal(err)
		}
		if p.Name+".properties" != filepath.Base(path) || p.VertexFile != p.Name+".v" {
			t.Errorf("%s: name %q, vertex file %q", path, p.Name, p.VertexFile)
		}
		stem := strings.TrimSuffix(path, ".properties")
		for _, path := range []string{path, stem + ".e"} {
			g := mustRead(t, path, Options{})
			n, _ := strconv.Atoi(p.Values["meta.vertices"])
			m, _ := strconv.Atoi(p.Values["meta.edges"])
			if g.N() != n || g.Edges() != uint64(m) || g.Directed() != p.Directed || n == 0 {
				t.Errorf("%s: %d vertices, %d edges, directed %v; properties say %d, %d, %v", path, g.N(), g.Edges(), g.Directed(), n, m, p.Directed)
			}
			weighted := p.Values["edge-properties.names"] == "weight"
			if (g.Weighted() == graph.Float32) != weighted {
				t.Errorf("%s: weights are %v, properties name %q", path, g.Weighted(), p.Values["edge-properties.names"])
			}
			expect(t, g, fileEdges(t, stem+".e"), fields(t, stem+".v"))
		}
	}
}

// fileEdges reads a plain edge list the slow way.
func fileEdges(t *testing.T, path string) (edges []edge) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		e := edge{f[0], f[1], 1}
		if len(f) == 3 {
			w, err := strconv.ParseFloat(f[2], 32)
			if err != nil {
				t.Fatal(err)
			}
			e.w = w
		}
		edges = append(edges, e)
	}
	return edges
}

func fields(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(data))
}

// The older LDBC files hold the same graphs, most in adjacency form.
func TestLDBCAdjacency(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(refdata.Dir(t), "ldbc")
	for _, name := range []string{"bfs", "cdlp", "lcc", "pr", "wcc", "sssp"} {
		for _, way := range []string{"directed", "undirected"} {
			o := Options{Format: "adjacency", Directed: Directed}
			file := "dir-input"
			if way == "undirected" {
				file, o.Directed = "undir-input", Undirected
			}
			if name == "sssp" { // the one with weights is .v and .e there too
				file, o.Format = file+".e", ""
			}
			old := mustRead(t, filepath.Join(dir, "upstream", name, file), o)
			evlp := mustRead(t, filepath.Join(dir, "evlp", "test-"+name+"-"+way+".properties"), Options{})
			if old.Directed() != evlp.Directed() || old.N() != evlp.N() || !slices.Equal(edgesOf(old), edgesOf(evlp)) {
				t.Errorf("%s %s: the older files hold another graph", name, way)
			}
		}
	}
}

// The real graphs have the counts of ref.json.
func TestRealGraphs(t *testing.T) {
	t.Parallel()
	refs, err := filepath.Glob(filepath.Join(refdata.Dir(t), "real/*/ref.json"))
	if err != nil || len(refs) != 8 {
		t.Fatalf("%d ref.json files, %v", len(refs), err)
	}
	for _, path := range race.Some(refs...) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			t.Parallel()
			checkReal(t, path)
		})
	}
}

func checkReal(t *testing.T, path string) {
	var ref struct {
		File     string
		Directed bool
		Vertices struct {
			N     int
			MinID uint64 `json:"min_id"`
			MaxID uint64 `json:"max_id"`
		}
		Counts struct {
			Lines    uint64 `json:"edge_lines"`
			Distinct uint64 `json:"distinct_arcs"`
			Loops    uint64 `json:"self_loop_arcs"`
		}
	}
	readJSON(t, path, &ref)
	o := Options{Directed: Undirected}
	if ref.Directed {
		o.Directed = Directed
	}
	file := filepath.Join(filepath.Dir(path), ref.File)
	g := mustRead(t, file, o)
	if g.N() != ref.Vertices.N || g.IDs().Number(0) != ref.Vertices.MinID || g.IDs().Number(uint32(g.N()-1)) != ref.Vertices.MaxID {
		t.Errorf("%d vertices from %d to %d, want %+v", g.N(), g.IDs().Number(0), g.IDs().Number(uint32(g.N()-1)), ref.Vertices)
	}
	if g.Edges() != ref.Counts.Lines || g.Loops() != ref.Counts.Loops {
		t.Errorf("%d edges, %d loops, want %+v", g.Edges(), g.Loops(), ref.Counts)
	}
	distinct := uint64(0)
	for u := range uint32(g.N()) {
		last := graph.None
		for _, v := range g.Out().Neighbors(u) {
			if v != last {
				distinct++
			}
			last = v
		}
	}
	if distinct != ref.Counts.Distinct {
		t.Errorf("%d distinct arcs, want %d", distinct, ref.Counts.Distinct)
	}
}
