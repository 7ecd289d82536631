package diff

import (
	"bytes"
	"context"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	_ "embed"

	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graph"
)

// A Recipe is what a test needs beside the question.
type Recipe struct {
	Engines [2]string // Go expressions of type pregel.Engine, or functions of t that give one
	Named   []uint32  // vertices that parameters name: they must stay
	Load    string    // a Go expression for the whole graph and its error; "": it is written out
	Command string    // that found the difference
}

// The sizes up to which a graph is written into a test.
const (
	mostInline = 1 << 12 // arcs of a part of the graph
	mostWhole  = 1 << 14 // of all of it
)

// Emit writes a Go test that shows the difference: on the least part of the
// graph around the vertex that still shows it, if there is a small one.
func (q Question) Emit(ctx context.Context, path string, d *Difference, r Recipe) error {
	if !strings.HasSuffix(path, "_test.go") {
		return fmt.Errorf("%s: Go runs tests in files whose names end in _test.go", path)
	}
	a, err := q.New()
	if err != nil {
		return err
	}
	t := testFile{Recipe: r, Package: packageOf(path), ULPs: q.ULPs, Supersteps: d.Superstep + 1}
	if d.Superstep < 0 {
		t.Supersteps = q.Limit
	}
	if t.Algorithm, t.Imports, err = literal(a); err != nil {
		return err
	}
	g, found, err := q.part(ctx, d, r.Named)
	if err != nil {
		return err
	}
	if g == nil && (q.Graph.Arcs() <= mostWhole || r.Load == "") {
		g, found = q.Graph, d
		t.Load = ""
	}
	if g != nil {
		t.Load, t.Graph = "", written(g)
		d = found
	}
	t.Vertex = "the table"
	if d.Row >= 0 {
		t.Vertex = fmt.Sprintf("row %d", d.Row)
	}
	if d.Superstep >= 0 && g != nil && g != q.Graph {
		t.Supersteps = d.Superstep + 1
	}
	return t.write(path)
}

// part returns the least induced subgraph around the vertex, by arcs followed
// back, that shows a difference, with that difference; nil when no small one
// does.
func (q Question) part(ctx context.Context, d *Difference, named []uint32) (*graph.Graph, *Difference, error) {
	if d.Row < 0 || d.Row >= q.Graph.N() {
		return nil, nil, nil
	}
	inside := append([]uint32{uint32(d.Row)}, named...)
	for range 64 {
		slices.Sort(inside)
		inside = slices.Compact(inside)
		g, err := induced(ctx, q.Graph, inside)
		if err != nil || g == nil || g.N() == q.Graph.N() {
			return nil, nil, err
		}
		small := q
		small.Graph = g
		if f, err := Find(ctx, small); err == nil && f.Difference != nil {
			return g, f.Difference, nil
		}
		grown := slices.Clone(inside)
		for _, v := range inside {
			grown = append(grown, q.Graph.In().Neighbors(v)...)
			if q.Graph.Directed() && len(grown) < mostInline {
				grown = append(grown, q.Graph.Out().Neighbors(v)...)
			}
			if len(grown) > 4*mostInline {
				return nil, nil, nil
			}
		}
		slices.Sort(grown)
		if grown = slices.Compact(grown); len(grown) == len(inside) {
			return nil, nil, nil
		}
		inside = grown
	}
	return nil, nil, nil
}

// induced is the subgraph of the given vertices, ascending; nil when it is not
// small.
func induced(ctx context.Context, g *graph.Graph, vertices []uint32) (*graph.Graph, error) {
	c := g.Out()
	var e graph.Columns
	for i, u := range vertices {
		base := c.Offsets.At(u)
		for k, v := range c.Neighbors(u) {
			to, ok := slices.BinarySearch(vertices, v)
			if !ok || !g.Directed() && v < u {
				continue
			}
			e.U, e.V = append(e.U, uint32(i)), append(e.V, uint32(to))
			switch at := base + uint64(k); g.Weighted() {
			case graph.Int32:
				e.Weights.Int = append(e.Weights.Int, c.Weights.Int[at])
			case graph.Float32:
				e.Weights.Float = append(e.Weights.Float, c.Weights.Float[at])
			}
		}
		if len(e.U) > mostInline {
			return nil, nil
		}
	}
	ids, err := g.IDs().Some(vertices)
	if err != nil {
		return nil, err
	}
	return graph.Build(ctx, ids, e, graph.Options{Directed: g.Directed()})
}

// A testFile is what the template is filled with.
type testFile struct {
	Recipe
	Package, Algorithm, Vertex string
	Imports                    []string
	Graph                      *writtenGraph
	Supersteps                 int
	ULPs                       uint64
}

//go:embed test.go.tmpl
var testText string

func (t *testFile) write(path string) error {
	all := t.Engines[0] + t.Engines[1] + t.Load
	for _, p := range []struct{ use, path string }{
		{"cpu.", "gopregel/runtime/cpu"}, {"cuda.", "gopregel/runtime/cuda"}, {"graphgen.", "gopregel/pregel/graphgen"},
		{"graphio.", "gopregel/pregel/graphio"},
	} {
		if strings.Contains(all, p.use) {
			t.Imports = append(t.Imports, p.path)
		}
	}
	if t.Graph != nil || strings.Contains(all, "graph.") {
		t.Imports = append(t.Imports, "gopregel/pregel/graph")
	}
	t.Imports = append(t.Imports, "gopregel/pregel")
	slices.Sort(t.Imports)
	t.Imports = slices.Compact(t.Imports)
	var b bytes.Buffer
	if err := template.Must(template.New("test").Parse(testText)).Execute(&b, t); err != nil {
		return err
	}
	text, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("the test is no Go: %w\n%s", err, b.Bytes())
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		f.Discard()
		return err
	}
	return f.Commit()
}

// packageOf is the package of the tests in the folder of a file.
func packageOf(path string) string {
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.go"))
	for _, name := range files {
		if name == path {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		if f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.PackageClauseOnly); err == nil {
			return strings.TrimSuffix(f.Name.Name, "_test") + "_test"
		}
	}
	return "difference_test"
}
