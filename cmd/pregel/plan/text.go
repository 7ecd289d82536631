package plan

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel/graphio"
)

// ofText finds the size of a graph in a text file: by its header where the
// format has one, else by one pass over the file that counts its edges and
// estimates how many ids differ. It does not check what it reads; loading does.
func ofText(ctx context.Context, path, format string, g *job.Graph) (Size, error) {
	s := Size{Directed: true, How: "the edges of the file are counted, its vertices estimated", Certainty: Estimated}
	edges, vertices := path, ""
	if format == "ldbc" {
		var err error
		if edges, vertices, s.Directed, err = ldbcFiles(path); err != nil {
			return s, err
		}
	}
	f, err := openText(edges)
	if err != nil {
		return s, err
	}
	defer f.Close()
	s.Loading.BothEnds = format == "ligra"
	s.Loading.Held, s.Loading.Text = f.compressed || s.Loading.BothEnds, f.size
	counted := counter{format: format, strings: g.IDs == "string"}
	if err := counted.read(ctx, f); err != nil {
		return s, fmt.Errorf("%s: %w", edges, err)
	}
	counted.size(&s, g)
	if vertices != "" && g.Vertices == "" {
		if s.Vertices, err = countLines(ctx, vertices); err != nil {
			return s, err
		}
	}
	if g.Directed != nil && format != "metis" {
		s.Directed = *g.Directed
	}
	if !s.Directed && format != "ligra" && format != "adjacency" { // these have an edge at both its ends
		s.Arcs *= 2
	}
	return s, nil
}

// ldbcFiles finds what belongs to an LDBC graph.
func ldbcFiles(path string) (edges, vertices string, directed bool, err error) {
	stem := strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".zst")
	ext := filepath.Ext(stem)
	stem = strings.TrimSuffix(stem, ext)
	properties, err := existing(stem + ".properties")
	if err != nil || properties == "" {
		return path, first(existing(stem + ".v")), true, err
	}
	p, err := graphio.ReadProperties(properties)
	if err != nil {
		return "", "", false, err
	}
	dir := filepath.Dir(path)
	edges, vertices = path, first(existing(stem+".v"))
	if ext == ".properties" {
		name := p.EdgeFile
		if name == p.VertexFile { // as graphio reads it
			name = p.Name + ".e"
		}
		edges, vertices = first(existing(filepath.Join(dir, name))), first(existing(filepath.Join(dir, p.VertexFile)))
	}
	return edges, vertices, p.Directed, nil
}

func first(path string, _ error) string { return path }

// existing returns the path as it exists, perhaps compressed; "" if it does
// not.
func existing(path string) (string, error) {
	for _, ending := range []string{"", ".gz", ".zst"} {
		if _, err := os.Stat(path + ending); err == nil {
			return path + ending, nil
		} else if !os.IsNotExist(err) {
			return "", err
		}
	}
	return "", nil
}

// A textFile is a text, decompressed.
type textFile struct {
	io.Reader
	file       *os.File
	size       uint64
	compressed bool
}

// Close closes the file.
func (t *textFile) Close() error { return t.file.Close() }

func openText(path string) (*textFile, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: only a regular file can be read twice, to plan and to load", path)
	}
	if err != nil {
		return nil, closing(f, err)
	}
	in := bufio.NewReaderSize(f, 1<<20)
	t := &textFile{Reader: in, file: f, size: uint64(info.Size())}
	magic, err := in.Peek(4)
	switch {
	case err != nil && err != io.EOF:
		return nil, closing(f, fmt.Errorf("%s: %w", path, err))
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		t.compressed = true
		t.Reader, err = gzip.NewReader(in)
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		t.compressed = true
		var z *zstd.Decoder
		if z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1)); err == nil {
			t.Reader = z.IOReadCloser()
		}
	}
	if err != nil {
		return nil, closing(f, fmt.Errorf("%s: %w", path, err))
	}
	return t, nil
}

func closing(f *os.File, err error) error {
	_ = f.Close()
	return err
}

func countLines(ctx context.Context, path string) (uint64, error) {
	f, err := openText(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	c := counter{format: "lines", strings: true}
	err = c.read(ctx, f)
	return c.lines, err
}
