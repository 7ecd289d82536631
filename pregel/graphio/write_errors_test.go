package graphio_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphio"
	"gopregel/pregel/graphio/internal/samples"
)

func TestWriteRefusals(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	named := func(names ...string) *graph.Graph {
		ids, err := graph.NameIDs(names)
		if err != nil {
			t.Fatal(err)
		}
		g, err := graph.Build(t.Context(), ids, graph.Columns{U: []uint32{0}, V: []uint32{1}}, graph.Options{Directed: true})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	weighing := func(w float32) *graph.Graph {
		c := graph.Columns{U: []uint32{0}, V: []uint32{1}, Weights: graph.Weights{Float: []float32{w}}}
		g, err := graph.Build(t.Context(), graph.RangeIDs(1, 2), c, graph.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	plain, err := graph.FromArcs(5, graph.ArcList{List: []graph.Arc{{U: 1, V: 2}}}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		g    *graph.Graph
		want string
	}{
		{"g.txt", named("a", "b c"), `id "b c" of vertex 1 has a blank or comma`},
		{"g.txt", named("#a", "b"), `id "#a" of vertex 0 would make its line a comment (csv can hold it)`},
		{"g.txt", named("", "b"), `id "" of vertex 0 is empty (pgr can hold it)`},
		{"g.csv", named("a\nb", "c"), `id "a\nb" of vertex 0 has control characters`},
		{"g.tsv", named(" a", "b"), `id " a" of vertex 0 begins or ends with a blank`},
		{"g.e", named("a b", "c"), `id "a b" of vertex 0 has a blank`},
		{"g.el", named("a", "b"), "whole numbers as ids, this graph's are strings"},
		{"g.mtx", named("a", "b"), `would lose something (AllowLoss lets it): the vertices would be numbered 1 to 2, and their ids ("a" to "b") be lost`},
		{"g.txt", weighing(float32(math.Inf(1))), "weights must be finite, there is one of +Inf (pgr can hold it)"},
		{"g.mtx", weighing(float32(math.NaN())), "weights must be finite, there is one of NaN"},
		{"g.gr", weighing(1.5), "weights must be whole numbers, these are float32"},
		{"g.graph", weighing(1.5), "weights must be whole numbers, these are float32"},
		{"g.wsg", weighing(1.5), "weights must be whole numbers, these are float32"},
		{"g.el", weighing(1), "an .el file has no weights (.wel has)"},
		{"g.sg", weighing(1), "an .sg file has no weights (.wsg has)"},
		{"g.txt", plain, "3 vertices have no arcs and cannot stand in a list of edges (ldbc and pgr keep them"},
		{"g.el", plain, "the last 2 vertices have no arcs and would not be read back"},
		{"g.wel", plain, "a .wel file has weights, this graph has none"},
		{"g.wsg", plain, "a .wsg file has weights, this graph has none"},
		{"g.adj", weighing(1), "an .adj file has no weights (.wadj has)"},
		{"g.wadj", plain, "a .wadj file has weights, this graph has none"},
		{"g.wadj", weighing(float32(math.Inf(1))), "weights must be finite"},
		{"g.adj", named("a", "b"), "the vertices would be numbered 0 to 1"},
		{"g.ea", named("a", "b"), "pbbs files have whole numbers as ids"},
		{"g.ea", plain, "the last 2 vertices have no arcs and would not be read back"},
		{"g.wea", plain, "a .wea file has weights, this graph has none (write .ea"},
		{"g.gr", plain, "each arc must have a weight, this graph has none"},
		{"g.graph", named("a", "b"), "it is for undirected graphs, this one is directed"},
		{"g.pgr.gz", plain, "not compressed"},
		{"g.sg.zst", plain, "not compressed"},
		{"g.properties.gz", plain, "a .properties file is not compressed"},
		{"a=b.e", plain, `the name "a=b" of the graph cannot be the key of a property`},
		{"g.xyz", plain, `no graph format has the extension ".xyz"`},
		{"missing/g.txt", weighing(1), "no such file or directory"},
	} {
		path := filepath.Join(dir, c.name)
		err := graphio.Write(t.Context(), path, c.g, graphio.WriteOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "write "+path+": ") {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
	if err := graphio.Write(t.Context(), filepath.Join(dir, "g"), plain, graphio.WriteOptions{Format: "nonsense"}); err == nil || !strings.Contains(err.Error(), `no graph format is called "nonsense"`) {
		t.Errorf("error %v", err)
	}
	if files := left(t, dir); len(files) > 0 {
		t.Errorf("left behind: %q", files)
	}
}

func TestWriteStops(t *testing.T) {
	t.Parallel()
	r := randomSource(t)
	g := samples.Random(r, samples.Kind{IDs: "one", Weights: graph.Int32}, 3000, 40000)
	for _, c := range formCases() {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		o := graphio.WriteOptions{Format: c.format, AllowLoss: true, Progress: func(done, _ int64) {
			if done > 20000 {
				cancel()
			}
		}}
		path := filepath.Join(dir, c.name)
		if _, err := graphio.Losses(path, g, o); err != nil {
			cancel()
			continue
		}
		if err := graphio.Write(ctx, path, g, o); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "g.") {
			t.Errorf("%s: error %v, want it cancelled", c.name, err)
		}
		if files := left(t, dir); len(files) > 0 {
			t.Errorf("%s: left behind: %q", c.name, files)
		}
		cancel()
	}
}

// TestWriteLDBCTogether: where one of three files cannot be written none is.
func TestWriteLDBCTogether(t *testing.T) {
	t.Parallel()
	g := samples.Random(randomSource(t), samples.Kind{IDs: "one"}, 10, 20)
	for _, blocked := range []string{"g.v", "g.e", "g.properties"} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, blocked), 0o755); err != nil {
			t.Fatal(err)
		}
		err := graphio.Write(t.Context(), filepath.Join(dir, "g.e"), g, graphio.WriteOptions{})
		if err == nil || !strings.Contains(err.Error(), filepath.Join(dir, blocked)+": is a directory") {
			t.Errorf("%s is a folder: error %v", blocked, err)
		}
		if files := left(t, dir); !slices.Equal(files, []string{blocked}) {
			t.Errorf("left behind: %q", files)
		}
	}
}

// TestWritePanic: a graph of a damaged file must end the write, not hang it.
func TestWritePanic(t *testing.T) {
	t.Parallel()
	ids := make([]uint64, 100000)
	offsets := make([]uint64, len(ids)+1)
	for i := range ids {
		ids[i], offsets[i+1] = uint64(2*i), uint64(i+1)
	}
	table, err := graph.NumberIDs(ids)
	if err != nil {
		t.Fatal(err)
	}
	targets := make([]uint32, len(ids))
	targets[70000] = 1 << 30
	g, err := graph.New(graph.Parts{IDs: table, Out: graph.CSR{Offsets: graph.OffsetsOf(offsets), Targets: targets}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	defer func() {
		if recover() == nil {
			t.Error("a target out of range was written")
		}
		if files := left(t, dir); len(files) > 0 {
			t.Errorf("left behind: %q", files)
		}
	}()
	_ = graphio.Write(t.Context(), filepath.Join(dir, "g.e"), g, graphio.WriteOptions{Workers: 3})
}

func TestWriteProgress(t *testing.T) {
	t.Parallel()
	r := randomSource(t)
	for _, c := range formCases() {
		g := samples.Random(r, samples.Kind{IDs: "one", Weights: graph.Int32}, 3000, 20000)
		var last, whole int64
		o := graphio.WriteOptions{Format: c.format, AllowLoss: true, Progress: func(done, total int64) {
			if done < last || done > total {
				t.Errorf("%s: progress %d of %d after %d", c.name, done, total, last)
			}
			last, whole = done, total
		}}
		path := filepath.Join(t.TempDir(), c.name)
		if _, err := graphio.Losses(path, g, o); err != nil {
			continue
		}
		if err := graphio.Write(t.Context(), path, g, o); err != nil {
			t.Fatal(err)
		}
		if whole == 0 || last != whole {
			t.Errorf("%s: progress ends at %d of %d", c.name, last, whole)
		}
	}
}
