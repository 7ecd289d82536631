package graphio

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"gopregel/pregel/graph"
)

// An LDBC Graphalytics graph is a .v file (an id on each line), an .e file
// (edges of these, perhaps with a weight) and a .properties file, which says
// whether it is directed. Named is the .properties or the .e file; beside an
// .e file the .v and .properties of the same name are used if they exist, and
// without a .v the vertices are the endpoints. Any of them may be compressed.
// An undirected graph has each edge once.
// A. Iosup et al., "The LDBC Graphalytics Benchmark", section 2.2.
func readLDBC(ctx context.Context, r *request) (*graph.Graph, error) {
	files, err := r.ldbcFiles()
	if err != nil {
		return nil, err
	}
	if r.Directed == Directed && !files.directed {
		return nil, &FileError{Path: files.properties, Problem: "the graph is undirected; it cannot be read as directed"}
	}
	d := newDialect(" \t", "", "#")
	t, err := r.open(files.edges, passes)
	if err != nil {
		return nil, err
	}
	names := r.newNames()
	var c census
	if files.vertices != "" && r.Vertices == VerticesByFormat {
		c, err = r.vertexFile(ctx, files.vertices, d, names)
	} else {
		c, err = r.census(t, names, VerticesEndpoints)
	}
	if err != nil {
		return nil, err
	}
	return r.edges(ctx, t, d, names, files.weightType, c, r.directed(files.directed))
}

type ldbcFiles struct {
	properties, vertices, edges string // "": there is none
	directed                    bool
	weightType                  string
}

// ldbcFiles finds the files that belong together.
func (r *request) ldbcFiles() (f ldbcFiles, err error) {
	stem, ext := splitName(r.path)
	f.directed = true
	if ext != ".properties" {
		f.edges = r.path
		if f.vertices, err = existing(stem + ".v"); err != nil {
			return f, err
		}
		if f.properties, err = existing(stem + ".properties"); err != nil || f.properties == "" {
			return f, err
		}
	} else {
		f.properties = r.path
	}
	p, err := ReadProperties(f.properties)
	if err != nil {
		return f, err
	}
	f.directed = p.Directed
	f.weightType = p.weightType()
	if f.edges != "" {
		return f, nil
	}
	return f, f.named(p, filepath.Dir(r.path))
}

// named finds the files that the properties name.
func (f *ldbcFiles) named(p Properties, dir string) (err error) {
	edges, vertices := p.EdgeFile, p.VertexFile
	if edges == vertices {
		// test-sssp-undirected.properties of the LDBC validation set names the
		// .v file as its edge file; the edges are in <name>.e beside it.
		edges = p.Name + ".e"
	}
	for _, file := range []struct {
		name string
		to   *string
		key  string
	}{{vertices, &f.vertices, "vertex-file"}, {edges, &f.edges, "edge-file"}} {
		if *file.to, err = existing(filepath.Join(dir, file.name)); err != nil {
			return err
		}
		if *file.to == "" {
			return &FileError{Path: f.properties, Problem: "the " + file.key + " " + file.name + " does not exist"}
		}
	}
	return nil
}

// splitName takes the endings of compression and form off a path.
func splitName(path string) (stem, ext string) {
	if e := strings.ToLower(filepath.Ext(path)); e == ".gz" || e == ".zst" {
		path = path[:len(path)-len(e)]
	}
	ext = filepath.Ext(path)
	return path[:len(path)-len(ext)], strings.ToLower(ext)
}

// existing returns the path, or it with the ending of a compression, as it
// exists; "" if none does.
func existing(path string) (string, error) {
	for _, ending := range []string{"", ".gz", ".zst"} {
		_, err := os.Stat(path + ending)
		if err == nil {
			return path + ending, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return "", nil
}

// vertexFile reads a list of vertices.
func (r *request) vertexFile(ctx context.Context, path string, d dialect, names *nameTable) (census, error) {
	t, err := r.open(path, 1)
	if err != nil {
		return nil, err
	}
	c, err := r.census(t, names, VerticesEndpoints)
	if err != nil {
		return nil, err
	}
	s, err := newSource(ctx, t, &vertexParser{dialect: d, names: names}, skipWeights, r.Workers, false, c)
	if err != nil {
		return nil, err
	}
	ids, numbering, err := c.finish(s.arcs)
	if err != nil {
		return nil, t.failAll("%v", err)
	}
	return listedCensus{ids: ids, known: numbering, file: filepath.Base(path), names: names, scratch: make([][]uint32, r.Workers)}, nil
}
