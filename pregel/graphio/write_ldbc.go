package graphio

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graph"
)

// writeLDBC writes the vertices, the edges and the properties beside each
// other. All three are complete before the first gets its name.
func (o *output) writeLDBC(ctx context.Context) (err error) {
	stem, _ := splitName(o.path)
	ending := map[string]string{Gzip: ".gz", Zstd: ".zst"}[o.compression]
	name := filepath.Base(stem)
	parts := []struct {
		path  string
		write func(w io.Writer) error
	}{
		{stem + ".v" + ending, func(w io.Writer) error {
			return o.compressed(w, func(w io.Writer) error { return o.writeVertices(ctx, w) })
		}},
		{stem + ".e" + ending, func(w io.Writer) error {
			return o.compressed(w, func(w io.Writer) error { return o.writeEdges(ctx, w, "", o.lines(o.graph.IDs(), " ")) })
		}},
		{stem + ".properties", func(w io.Writer) error {
			_, err := io.WriteString(w, o.properties(name, name+".v"+ending, name+".e"+ending))
			return err
		}},
	}
	o.total += int64(o.graph.N())
	var files []*atomicfile.File
	defer func() {
		for _, f := range files {
			f.Discard()
		}
	}()
	for _, p := range parts {
		f, err := atomicfile.Create(p.path)
		if err != nil {
			return err
		}
		files = append(files, f)
		if err := cmp.Or(p.write(f), ctx.Err()); err != nil {
			return fmt.Errorf("write %s: %w", p.path, err)
		}
		if err := f.Prepare(); err != nil {
			return err
		}
	}
	for _, f := range files {
		if err := f.Commit(); err != nil {
			return err
		}
	}
	return nil
}

// writeVertices writes a line for each vertex.
func (o *output) writeVertices(ctx context.Context, w io.Writer) error {
	ids := o.graph.IDs()
	return o.writeEach(ctx, w, func(to []byte, u uint32, _, _ uint64, _ bool) []byte {
		return append(ids.Append(to, u), '\n')
	})
}

func (o *output) properties(name, vertices, edges string) string {
	var b strings.Builder
	put := func(key string, value any) { fmt.Fprintf(&b, "graph.%s.%s = %v\n", name, key, value) }
	put("vertex-file", vertices)
	put("edge-file", edges)
	put("meta.vertices", o.graph.N())
	put("meta.edges", o.graph.Edges())
	put("directed", o.graph.Directed())
	if o.weighted() {
		put("edge-properties.names", "weight")
		put("edge-properties.types", map[graph.WeightKind]string{graph.Int32: "integer", graph.Float32: "real"}[o.graph.Weighted()])
	}
	return b.String()
}
