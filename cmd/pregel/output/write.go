package output

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"gopregel/pregel"
	"gopregel/pregel/atomicfile"
	"gopregel/pregel/graph"
)

// Write puts a table into the file at path, in the given format or, for "",
// that of its name. After an error or a cancellation the file is as it was
// before.
func Write(ctx context.Context, path, format string, ids graph.IDs, t *pregel.Table) error {
	format, compression, err := Form(path, format)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		return compressed(w, compression, func(w io.Writer) error { return Encode(ctx, w, format, ids, t) })
	})
}

func compressed(w io.Writer, compression string, f func(io.Writer) error) error {
	z, err := compressor(w, compression)
	if err != nil {
		return err
	}
	if err := f(z); err != nil {
		_ = z.Close() // stops its goroutines
		return err
	}
	return z.Close()
}

func compressor(w io.Writer, compression string) (io.WriteCloser, error) {
	switch compression {
	case "gz":
		return gzip.NewWriter(w), nil
	case "zst":
		return zstd.NewWriter(w)
	}
	return plain{w}, nil
}

// plain does not compress.
type plain struct{ io.Writer }

// Close does nothing.
func (plain) Close() error { return nil }

// Compressor compresses what goes to w as the name of the file says (.gz, .zst, or
// neither). It is to be closed.
func Compressor(path string, w io.Writer) (io.WriteCloser, error) {
	compression, _ := extensions(path)
	return compressor(w, compression)
}

// Open opens a file that may be compressed, as its name says.
func Open(path string) (io.ReadCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		_ = file.Close()
		return nil, fmt.Errorf("%s: is a directory", path)
	}
	compression, _ := extensions(path)
	in, done, err := decompressed(file, compression)
	if err != nil {
		_ = file.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return opened{in, file, done}, nil
}

// opened is a file with what reads it.
type opened struct {
	io.Reader
	file *os.File
	done func()
}

// Close closes the file.
func (o opened) Close() error {
	o.done()
	return o.file.Close()
}

// Encode writes a table to w.
func Encode(ctx context.Context, w io.Writer, format string, ids graph.IDs, t *pregel.Table) error {
	rows, err := checkTable(ids, t)
	if err != nil {
		return err
	}
	columns := t.Columns
	if t.PerVertex {
		columns = append([]pregel.Column{idColumn(ids)}, columns...)
	}
	if format == Parquet {
		return encodeParquet(ctx, w, ids, columns, rows, t.PerVertex)
	}
	out := bufio.NewWriterSize(w, 1<<20)
	if err := encodeText(ctx, out, format, ids, columns, rows); err != nil {
		return err
	}
	return out.Flush()
}

func checkTable(ids graph.IDs, t *pregel.Table) (rows int, err error) {
	rows = t.Rows()
	if t.PerVertex {
		rows = ids.Len()
	}
	for _, c := range t.Columns {
		if c.Len() != rows {
			return 0, fmt.Errorf("column %s of the answer has %d rows, want %d", c.Name, c.Len(), rows)
		}
	}
	return rows, nil
}

const idName = "id"

// idColumn names every vertex.
func idColumn(ids graph.IDs) pregel.Column {
	vertices := make([]uint32, ids.Len())
	for i := range vertices {
		vertices[i] = uint32(i)
	}
	return pregel.Column{Name: idName, Vertices: vertices}
}
