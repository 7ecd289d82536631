package graphio

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio/binary"
)

func TestDirection(t *testing.T) {
	t.Parallel()
	symmetric := "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n"
	general := strings.Replace(symmetric, "symmetric", "general", 1)
	for _, c := range []struct {
		name, text string
		ask        Direction
		directed   bool
	}{
		{"g.txt", "1 2\n", DirectionFromFile, true},
		{"g.txt", "1 2\n", Undirected, false},
		{"g.mtx", symmetric, DirectionFromFile, false},
		{"g.mtx", symmetric, Undirected, false},
		{"g.mtx", general, DirectionFromFile, true},
		{"g.mtx", general, Undirected, false},
		{"g.gr", "p sp 2 1\na 1 2 3\n", DirectionFromFile, true},
		{"g.gr", "p sp 2 1\na 1 2 3\n", Undirected, false},
		{"g.graph", "2 1\n2\n1\n", DirectionFromFile, false},
		{"g.graph", "2 2\n2\n1\n", Directed, true},
	} {
		g := mustRead(t, textFile(t, c.name, c.text), Options{Directed: c.ask})
		if g.Directed() != c.directed {
			t.Errorf("%s asked for %d: directed %v", c.name, c.ask, g.Directed())
		}
	}
	g := mustRead(t, textFile(t, "g.mtx", symmetric), Options{})
	expect(t, g, []edge{{"1", "2", 1}, {"3", "3", 1}}, []string{"1", "2", "3"})
}

func TestVertexSets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		set  VertexSet
		want []string
	}{
		{"g.txt", VerticesByFormat, []string{"2", "4"}},
		{"g.txt", VerticesRange, []string{"0", "1", "2", "3", "4"}},
		{"g.el", VerticesByFormat, []string{"0", "1", "2", "3", "4"}},
		{"g.el", VerticesEndpoints, []string{"2", "4"}},
	} {
		g := mustRead(t, textFile(t, c.name, "4 2\n"), Options{Vertices: c.set})
		expect(t, g, []edge{{"4", "2", 1}}, c.want)
	}
}

func TestWeightSources(t *testing.T) {
	t.Parallel()
	const text = "1 2 5\n2 3 7\n"
	for _, c := range []struct {
		o    Options
		kind graph.WeightKind
		want []float64
	}{
		{Options{}, graph.Int32, []float64{5, 7}},
		{Options{Weights: WeightsFromFile}, graph.Int32, []float64{5, 7}},
		{Options{WeightType: "int32"}, graph.Int32, []float64{5, 7}},
		{Options{WeightType: "float32"}, graph.Float32, []float64{5, 7}},
		{Options{Weights: WeightsNone}, graph.Unweighted, []float64{1, 1}},
		{Options{Weights: WeightsHash}, graph.Int32, []float64{175, float64(graph.HashWeight(2, 3))}},
	} {
		g := mustRead(t, textFile(t, "g.txt", text), c.o)
		got := []float64{g.Out().Weights.At(0), g.Out().Weights.At(1)}
		if g.Weighted() != c.kind || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v weights %v, want %v %v", c.o, g.Weighted(), got, c.kind, c.want)
		}
	}
}

// A value that is no int32 makes all weights float32, wherever it stands; a
// wide integer alone is an error, beside a fraction it is rounded as the
// fraction is.
func TestWeightTypeFound(t *testing.T) {
	t.Parallel()
	plain := strings.Repeat("1 2 16777217\n", 50)
	for _, text := range []string{plain + "1 3 0.5\n", "1 3 0.5\n" + plain, plain + "1 3 0.5\n" + plain, plain + "1 3 3000000000\n1 3 1e0\n"} {
		for _, path := range []string{textFile(t, "g.txt", text), textFile(t, "g.txt.gz", gzipped(t, text))} {
			for _, size := range []int{5, 40, defaultBlock} {
				g := mustReadIn(t, path, Options{}, limits{block: size})
				if g.Weighted() != graph.Float32 || g.Out().Weights.Float[0] != 1<<24 {
					t.Fatalf("%q: weights %v", text, g.Out().Weights)
				}
			}
		}
	}
	g := mustRead(t, textFile(t, "g.txt", plain), Options{})
	if g.Weighted() != graph.Int32 || g.Out().Weights.Int[0] != 1<<24+1 {
		t.Errorf("weights %v", g.Out().Weights)
	}
	g = mustRead(t, textFile(t, "g.txt", "1 2 3000000000\n1 2 -5\n"), Options{WeightType: "float32"})
	if w := g.Out().Weights.Float; w[0] != -5 || w[1] != 3e9 {
		t.Errorf("weights %v", w)
	}
}

// With no interest in weights, columns behind the second may hold anything.
func TestFurtherColumns(t *testing.T) {
	t.Parallel()
	const text = "1 2 x y z\n2 3\n  3,1,  \"\n"
	for _, w := range []WeightSource{WeightsNone, WeightsHash} {
		g := mustRead(t, textFile(t, "g.txt", text), Options{Weights: w})
		if g.Arcs() != 3 || (w == WeightsHash) != (g.Weighted() == graph.Int32) {
			t.Errorf("%d arcs, weights %v", g.Arcs(), g.Weighted())
		}
	}
}

func TestHeaders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		ids        IDKind
		n          int
	}{
		{"g.csv", "a,b\n1,2\n", IDsInteger, 2},
		{"g.csv", "\n# c\nfrom,to\n1,2\n", IDsInteger, 2},
		{"g.csv", "SRC,dst,w\nx,y,1\n", IDsString, 2},
		{"g.csv", "x,y\nz,w\n", IDsString, 4},
		{"g.tsv", "\"source\"\t\"x\"\ny\tz\n", IDsString, 4},
	} {
		if g := mustRead(t, textFile(t, c.name, c.text), Options{IDs: c.ids}); g.N() != c.n {
			t.Errorf("%q: %d vertices, want %d", c.text, g.N(), c.n)
		}
	}
}

// Names are vertices in the order of their bytes.
func TestNamesInOrder(t *testing.T) {
	t.Parallel()
	for range 20 {
		g := mustReadIn(t, textFile(t, "g.txt", "b Z\nä a\n10 9\n"), Options{IDs: IDsString, Workers: 3}, limits{block: 3})
		if got := g.IDs().Names(); !slices.Equal(got, []string{"10", "9", "Z", "a", "b", "ä"}) {
			t.Fatalf("names %q", got)
		}
	}
}

func TestLoopsAndDuplicates(t *testing.T) {
	t.Parallel()
	path := textFile(t, "g.txt", "1 2 5\n1 2 3\n2 2 1\n")
	g := mustRead(t, path, Options{Loops: graph.DropLoops, Duplicates: graph.SumDuplicates})
	expect(t, g, []edge{{"1", "2", 8}}, nil)
	g = mustRead(t, path, Options{Duplicates: graph.MinDuplicates})
	expect(t, g, []edge{{"1", "2", 3}, {"2", "2", 1}}, nil)
	_, err := Read(t.Context(), textFile(t, "g.txt", "1 2 2147483647\n1 2 1\n"), Options{Duplicates: graph.SumDuplicates})
	if err == nil || !strings.Contains(err.Error(), "g.txt: graph: the weights of duplicate arcs") {
		t.Errorf("sum beyond int32: %v", err)
	}
}

func TestLDBCFiles(t *testing.T) {
	t.Parallel()
	put := func(dir, name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	dir := t.TempDir()
	put(dir, "g.v.gz", gzipped(t, "9\n3\n5 property\n"))
	e := put(dir, "g.e.zst", zstded(t, "3 9 0.5\n"))
	g := mustRead(t, e, Options{})
	expect(t, g, []edge{{"3", "9", 0.5}}, []string{"3", "5", "9"})
	g = mustRead(t, e, Options{Vertices: VerticesEndpoints})
	expect(t, g, []edge{{"3", "9", 0.5}}, nil)
	g = mustRead(t, e, Options{IDs: IDsString})
	expect(t, g, []edge{{"3", "9", 0.5}}, []string{"3", "5", "9"})

	p := put(dir, "g.properties", "! comment\ngraph.g.vertex-file = g.v\ngraph.g.edge-file = g.v\ngraph.g.directed = false\ngraph.g.bfs.source-vertex = 3\ngraph.g.edge-properties.types = real\n")
	for _, path := range []string{p, e} {
		if g = mustRead(t, path, Options{}); g.Directed() {
			t.Errorf("%s: the properties say undirected", path)
		}
	}
	_, err := Read(t.Context(), e, Options{Directed: Directed})
	checkError(t, err, dir, "g.properties: the graph is undirected; it cannot be read as directed", "undirected")
	properties, err := ReadProperties(p)
	if err != nil || properties.Name != "g" || properties.Values["bfs.source-vertex"] != "3" || properties.EdgeFile != "g.v" || properties.VertexFile != "g.v" {
		t.Errorf("%+v, %v", properties, err)
	}

	put(dir, "g.e", "9 3\n3 5\n3 4\n4 3\n")
	_, err = Read(t.Context(), p, Options{})
	checkError(t, err, dir, "g.e:3: vertex 4 is not in g.v.gz", "unknown vertex")
	_, err = Read(t.Context(), p, Options{IDs: IDsString})
	checkError(t, err, dir, `g.e:3: vertex "4" is not in g.v.gz`, "unknown vertex")
	put(dir, "g.e", "9 3\n3 5\n8 3\n3 4\n")
	_, err = Read(t.Context(), p, Options{})
	checkError(t, err, dir, "g.e:3: vertex 8 is not in g.v.gz", "unknown vertex")
	put(dir, "h.v", "1\n-2\n")
	_, err = Read(t.Context(), put(dir, "h.e", ""), Options{})
	checkError(t, err, dir, "h.v:2: id -2 has a sign: ids are integers from 0 to 2^64-1", "bad vertex")
}

func TestFormatOf(t *testing.T) {
	t.Parallel()
	for path, want := range map[string][2]string{
		"a/b.txt": {"edgelist", ""}, "b.WEL": {"el", ""}, "x.csv.gz": {"csv", Gzip}, "x.gr.zst": {"dimacs", Zstd}, "x.y.mtx": {"matrixmarket", ""},
		"x.properties": {"ldbc", ""}, "x.e.gz": {"ldbc", Gzip}, "x.sg": {"gapbs", ""}, "x.pgr": {"pgr", ""},
	} {
		if name, compression, err := FormatOf(path); err != nil || name != want[0] || compression != want[1] {
			t.Errorf("FormatOf(%s) = %s, %s, %v", path, name, compression, err)
		}
	}
	for _, path := range []string{"", "x", "x.gz", "txt", "x.zip"} {
		if name, _, err := FormatOf(path); err == nil {
			t.Errorf("FormatOf(%q) = %s", path, name)
		}
	}
}

// Progress adds up: each plain file is read three times, a compressed one once.
func TestProgress(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("123 456\n", 5000)
	for path, times := range map[string]int64{textFile(t, "g.txt", text): 3, textFile(t, "g.txt.gz", gzipped(t, text)): 1} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		var most, total atomic.Int64
		o := Options{Progress: func(done, all int64) {
			total.Store(all)
			for old := most.Load(); done > old && !most.CompareAndSwap(old, done); old = most.Load() {
			}
		}}
		mustReadIn(t, path, o, limits{block: 1000})
		if total.Load() != times*info.Size() || most.Load() != total.Load() {
			t.Errorf("%s: %d of %d bytes, the file has %d", path, most.Load(), total.Load(), info.Size())
		}
	}
}

// Options ask of a binary graph what they ask of a text.
func TestBinaryGraphs(t *testing.T) {
	t.Parallel()
	const text = "1 2 5\n1 2 3\n2 2 1\n3 1 -4\n"
	g := mustRead(t, textFile(t, "g.txt", text), Options{})
	path := filepath.Join(t.TempDir(), "g.pgr")
	if err := binary.Write(t.Context(), path, g, binary.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{
		{}, {Directed: Directed}, {Directed: Undirected}, {Loops: graph.DropLoops}, {Duplicates: graph.SumDuplicates}, {Weights: WeightsNone},
		{Weights: WeightsHash}, {WeightType: "float32"}, {Directed: Undirected, Loops: graph.DropLoops, Duplicates: graph.MinDuplicates},
		{Weights: WeightsNone, Duplicates: graph.DropDuplicates},
	} {
		want := mustRead(t, textFile(t, "g.txt", text), o)
		got := mustRead(t, path, o)
		if !slices.Equal(edgesOf(got), edgesOf(want)) || got.Weighted() != want.Weighted() || got.Directed() != want.Directed() || got.N() != want.N() {
			t.Errorf("%+v: arcs %v, want %v", o, edgesOf(got), edgesOf(want))
		}
		if err := got.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{IDs: IDsString}, "g.pgr: ids: the graph's are integers, not strings"},
		{Options{Vertices: VerticesEndpoints}, "g.pgr: vertices: a binary graph has its own set of vertices"},
	} {
		_, err := Read(t.Context(), path, c.o)
		checkError(t, err, filepath.Dir(path), c.want, "options")
	}
	g = mustRead(t, textFile(t, "g.txt", "1 2 0.5\n"), Options{Directed: Undirected})
	if err := binary.Write(t.Context(), path, g, binary.WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Directed: Directed}, "g.pgr: the graph is undirected; it cannot be read as directed"},
		{Options{WeightType: "int32"}, "g.pgr: weight 0.5 is no int32"},
	} {
		_, err := Read(t.Context(), path, c.o)
		checkError(t, err, filepath.Dir(path), c.want, "options")
	}
	if w := mustRead(t, path, Options{}).Out().Weights.At(0); math.Abs(w-0.5) > 0 {
		t.Errorf("weight %v", w)
	}
}
