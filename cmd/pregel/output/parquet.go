package output

import (
	"context"
	"fmt"
	"io"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// In Parquet ids are UINT_64 or UTF8, whole numbers UINT_32 or INT_64, floats
// DOUBLE; every column but id is optional.

// rowGroup is the number of rows of a row group.
const rowGroup = 1 << 20

// parquetSchema is that of a struct with a field for each column: it keeps
// their order.
func parquetSchema(columns []pregel.Column, ids graph.IDs, perVertex bool) *parquet.Schema {
	fields := make([]reflect.StructField, len(columns))
	for k, c := range columns {
		tag := fmt.Sprintf(`parquet:"%s,optional"`, c.Name)
		if perVertex && k == 0 {
			tag = fmt.Sprintf(`parquet:"%s"`, c.Name)
		}
		fields[k] = reflect.StructField{Name: fmt.Sprintf("F%d", k), Type: goType(c, ids), Tag: reflect.StructTag(tag)}
	}
	return parquet.NewSchema("answer", parquet.SchemaOf(reflect.New(reflect.StructOf(fields)).Interface()))
}

func goType(c pregel.Column, ids graph.IDs) reflect.Type {
	switch {
	case c.Vertices != nil && ids.Names() != nil:
		return reflect.TypeFor[string]()
	case c.Vertices != nil:
		return reflect.TypeFor[uint64]()
	case c.Counts != nil:
		return reflect.TypeFor[uint32]()
	case c.Ints != nil:
		return reflect.TypeFor[int64]()
	}
	return reflect.TypeFor[float64]()
}

func encodeParquet(ctx context.Context, w io.Writer, ids graph.IDs, columns []pregel.Column, rows int, perVertex bool) error {
	schema := parquetSchema(columns, ids, perVertex)
	out := parquet.NewGenericWriter[any](w, schema, parquet.Compression(&zstd.Codec{}))
	values := make([]parquet.Value, 0, batch)
	for lo := 0; lo < rows; lo += rowGroup {
		hi := min(lo+rowGroup, rows)
		for k, c := range columns {
			required := perVertex && k == 0
			for from := lo; from < hi; from += batch {
				if err := ctx.Err(); err != nil {
					return err
				}
				values = values[:0]
				for i := from; i < min(from+batch, hi); i++ {
					values = append(values, parquetValue(c, ids, i, k, required))
				}
				if _, err := out.ColumnWriters()[k].WriteRowValues(values); err != nil {
					return err
				}
			}
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return out.Close()
}

// parquetValue is one cell; its definition level tells whether it is there.
func parquetValue(c pregel.Column, ids graph.IDs, i, column int, required bool) parquet.Value {
	if c.Empty(i) {
		return parquet.NullValue().Level(0, 0, column)
	}
	level := 1
	if required {
		level = 0
	}
	var v parquet.Value
	switch {
	case c.Vertices != nil && ids.Names() != nil:
		v = parquet.ByteArrayValue([]byte(ids.Text(c.Vertices[i])))
	case c.Vertices != nil:
		v = parquet.Int64Value(int64(ids.Number(c.Vertices[i])))
	case c.Counts != nil:
		v = parquet.Int32Value(int32(c.Counts[i]))
	case c.Ints != nil:
		v = parquet.Int64Value(c.Ints[i])
	default:
		v = parquet.DoubleValue(c.Floats[i])
	}
	return v.Level(0, level, column)
}
