package output

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// batch is the number of rows between looks at the context.
const batch = 1 << 12

// A cell appends row i of a column.
type cell func(dst []byte, i int) []byte

// encodeText writes rows as text, a batch of them at a time.
func encodeText(ctx context.Context, w io.Writer, format string, ids graph.IDs, columns []pregel.Column, rows int) error {
	row, header, err := rowWriter(format, ids, columns)
	if err != nil {
		return err
	}
	buffer := []byte(header)
	for i := range rows {
		buffer = row(buffer, i)
		if i%batch != batch-1 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
		buffer = buffer[:0]
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err = w.Write(buffer)
	return err
}

// rowWriter returns what appends a row with its line end.
func rowWriter(format string, ids graph.IDs, columns []pregel.Column) (row cell, header string, err error) {
	separator := map[string]byte{CSV: ',', TSV: '\t', NDJSON: ','}[format]
	cells := make([]cell, len(columns))
	labels := make([]string, len(columns))
	for k, c := range columns {
		labels[k] = c.Name
		if format != NDJSON {
			cells[k] = textCell(c, ids, separator)
			continue
		}
		if cells[k], err = jsonCell(c, ids); err != nil {
			return nil, "", err
		}
	}
	row = func(dst []byte, i int) []byte {
		for k, c := range cells {
			if k > 0 {
				dst = append(dst, separator)
			}
			dst = c(dst, i)
		}
		return append(dst, '\n')
	}
	if format == NDJSON {
		inner := row
		return func(dst []byte, i int) []byte {
			dst = inner(append(dst, '{'), i)
			return append(dst[:len(dst)-1], "}\n"...)
		}, "", nil
	}
	return row, strings.Join(labels, string(separator)) + "\n", nil
}

// textCell leaves the field empty where there is nothing.
func textCell(c pregel.Column, ids graph.IDs, separator byte) cell {
	number := numberCell(c, ids)
	if c.Vertices == nil || ids.Names() == nil {
		return func(dst []byte, i int) []byte {
			if c.Empty(i) {
				return dst
			}
			return number(dst, i)
		}
	}
	special := string(separator) + "\"\r\n"
	return func(dst []byte, i int) []byte {
		if c.Empty(i) {
			return dst
		}
		name := ids.Text(c.Vertices[i])
		if name != "" && !strings.ContainsAny(name, special) {
			return append(dst, name...)
		}
		dst = append(dst, '"')
		dst = append(dst, strings.ReplaceAll(name, `"`, `""`)...)
		return append(dst, '"')
	}
}

// jsonCell writes a key and its value, null where there is nothing.
func jsonCell(c pregel.Column, ids graph.IDs) (cell, error) {
	quoted, err := json.Marshal(c.Name)
	if err != nil {
		return nil, err
	}
	for i, x := range c.Floats {
		if math.IsNaN(x) || math.IsInf(x, -1) {
			return nil, fmt.Errorf("column %s, row %d: %v cannot be written in JSON", c.Name, i+1, x)
		}
	}
	key := append(quoted, ':')
	value := numberCell(c, ids)
	if c.Vertices != nil && ids.Names() != nil {
		value = func(dst []byte, i int) []byte { return appendString(dst, ids.Text(c.Vertices[i])) }
	}
	return func(dst []byte, i int) []byte {
		dst = append(dst, key...)
		if c.Empty(i) {
			return append(dst, "null"...)
		}
		return value(dst, i)
	}, nil
}

// appendString quotes by JSON's rules. Ids that are not UTF-8 cannot be kept
// by JSON; their wrong bytes become U+FFFD.
func appendString(dst []byte, s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil {
		return append(dst, `""`...) // no string fails
	}
	return append(dst, quoted...)
}

// numberCell writes a value that is a number or a vertex.
func numberCell(c pregel.Column, ids graph.IDs) cell {
	switch {
	case c.Vertices != nil:
		return func(dst []byte, i int) []byte { return ids.Append(dst, c.Vertices[i]) }
	case c.Counts != nil:
		return func(dst []byte, i int) []byte { return strconv.AppendUint(dst, uint64(c.Counts[i]), 10) }
	case c.Ints != nil:
		return func(dst []byte, i int) []byte { return strconv.AppendInt(dst, c.Ints[i], 10) }
	}
	return func(dst []byte, i int) []byte { return strconv.AppendFloat(dst, c.Floats[i], 'g', -1, 64) }
}
