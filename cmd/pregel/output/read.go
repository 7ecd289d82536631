package output

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// Read reads a table that Write, or anybody, has written. layout tells its
// columns: their names and, by which slice is set, their kinds. Columns may
// stand in any order, and so may the rows of a table with one for each vertex,
// but none may be missing, twice there or unknown. The error is a *ReadError
// where something stands in the file that should not.
func Read(ctx context.Context, path, format string, ids graph.IDs, layout *pregel.Table) (*pregel.Table, error) {
	format, compression, err := Form(path, format)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, fmt.Errorf("%s: is a directory, not an answer", path)
	}
	f := newFiller(path, ids, layout)
	if format == Parquet {
		return f.table, f.readParquet(ctx, file)
	}
	in, done, err := decompressed(file, compression)
	if err != nil {
		return nil, f.readError(err)
	}
	defer done()
	if format == NDJSON {
		err = f.readNDJSON(ctx, in)
	} else {
		err = f.readCSV(ctx, in, map[string]rune{CSV: ',', TSV: '\t'}[format])
	}
	if err == nil {
		err = f.complete()
	}
	return f.table, err
}

func decompressed(r io.Reader, compression string) (io.Reader, func(), error) {
	switch compression {
	case "gz":
		z, err := gzip.NewReader(r)
		if err != nil {
			return nil, nil, err
		}
		return z, func() { _ = z.Close() }, nil
	case "zst":
		z, err := zstd.NewReader(r)
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}
	return r, func() {}, nil
}

// A ReadError is something in a file that no answer has.
type ReadError struct {
	Path         string
	Line, Column int    // from 1; 0: not known
	Field        string // the column's name; "" for the row or file as a whole
	Problem      string
}

func (e *ReadError) Error() string {
	text := e.Path
	if e.Line > 0 {
		text += fmt.Sprintf(":%d", e.Line)
	}
	if e.Column > 0 {
		text += fmt.Sprintf(":%d", e.Column)
	}
	if e.Field != "" {
		text += ": " + e.Field
	}
	return text + ": " + e.Problem
}
