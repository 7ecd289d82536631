package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// readParquet reads the columns one after the other, the ids first. The
// library panics on some damaged files; that becomes an error.
func (f *filler) readParquet(ctx context.Context, file *os.File) (err error) {
	defer func() {
		var known *ReadError
		if r := recover(); r != nil {
			err = &ReadError{Path: f.path, Problem: fmt.Sprintf("damaged Parquet file: %v", r)}
		} else if err != nil && !errors.As(err, &known) && ctx.Err() == nil {
			err = &ReadError{Path: f.path, Problem: fmt.Sprintf("damaged Parquet file: %v", err)}
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	in, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		return &ReadError{Path: f.path, Problem: fmt.Sprintf("not a Parquet file: %v", err)}
	}
	fields := in.Root().Columns()
	labels := make([]string, len(fields))
	for k, c := range fields {
		labels[k] = c.Name()
		if !c.Leaf() || c.Repeated() {
			return f.fail(0, 0, labels[k], fmt.Errorf("is nested, want plain columns"))
		}
	}
	columns, err := f.columns(labels)
	if err != nil {
		return f.fail(0, 0, "", err)
	}
	rows, err := f.parquetRows(ctx, in, columns)
	if err != nil {
		return err
	}
	for k, c := range columns {
		if c == isID {
			continue
		}
		err := f.parquetColumn(ctx, in, k, func(row int, text string) error { return f.set(c, rows(row), text) })
		if err != nil {
			return err
		}
	}
	return f.complete()
}

// parquetRows finds the place of every row.
func (f *filler) parquetRows(ctx context.Context, in *parquet.File, columns []int) (func(row int) int, error) {
	if !f.table.PerVertex {
		for range in.NumRows() {
			if _, err := f.begin(""); err != nil {
				return nil, err
			}
		}
		return func(row int) int { return row }, nil
	}
	var places []int
	for k, c := range columns {
		if c != isID {
			continue
		}
		err := f.parquetColumn(ctx, in, k, func(_ int, text string) error {
			v, err := f.begin(text)
			places = append(places, v)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return func(row int) int { return places[row] }, nil
}

// parquetColumn calls set with the text of every value of column k.
func (f *filler) parquetColumn(ctx context.Context, in *parquet.File, k int, set func(row int, text string) error) error {
	column := in.Root().Columns()[k]
	row := 0
	values := make([]parquet.Value, batch)
	for _, group := range in.RowGroups() {
		pages := group.ColumnChunks()[k].Pages()
		err := eachPage(pages, func(page parquet.Page) error {
			reader := page.Values()
			for {
				if err := ctx.Err(); err != nil {
					return err
				}
				n, err := reader.ReadValues(values)
				for _, v := range values[:n] {
					if problem := set(row, valueText(v, column.Type())); problem != nil {
						return f.fail(0, 0, column.Name(), fmt.Errorf("row %d: %w", row+1, problem))
					}
					row++
				}
				if err == io.EOF {
					return nil
				}
				if err != nil {
					return err
				}
			}
		})
		_ = pages.Close()
		if err != nil {
			return err
		}
	}
	if int64(row) != in.NumRows() {
		return f.fail(0, 0, column.Name(), fmt.Errorf("%d values for %d rows", row, in.NumRows()))
	}
	return nil
}

func eachPage(pages parquet.Pages, f func(parquet.Page) error) error {
	for {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		err = f(page)
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
}

// valueText writes a value as text files have it.
func valueText(v parquet.Value, t parquet.Type) string {
	unsigned := false
	if l := t.LogicalType(); l != nil {
		whole, ok := l.Value.(*format.IntType)
		unsigned = ok && !whole.IsSigned
	}
	switch {
	case v.IsNull():
		return ""
	case v.Kind() == parquet.Int64 && unsigned:
		return strconv.FormatUint(uint64(v.Int64()), 10)
	case v.Kind() == parquet.Int32 && unsigned:
		return strconv.FormatUint(uint64(uint32(v.Int32())), 10)
	case v.Kind() == parquet.ByteArray:
		return string(v.ByteArray())
	case v.Kind() == parquet.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	}
	return v.String()
}
