package output

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// A filler makes a table of the rows of a file.
type filler struct {
	path  string
	ids   graph.IDs
	table *pregel.Table
	rows  int
	seen  []bool // vertices with a row, of a table with one for each
}

func newFiller(path string, ids graph.IDs, layout *pregel.Table) *filler {
	f := &filler{path: path, ids: ids, table: &pregel.Table{PerVertex: layout.PerVertex}}
	n := 0
	if layout.PerVertex {
		n = ids.Len()
		f.seen = make([]bool, n)
	}
	for _, c := range layout.Columns {
		own := pregel.Column{Name: c.Name}
		switch {
		case c.Vertices != nil:
			own.Vertices = make([]uint32, n)
		case c.Counts != nil:
			own.Counts = make([]uint32, n)
		case c.Ints != nil:
			own.Ints = make([]int64, n)
		default:
			own.Floats = make([]float64, n)
		}
		f.table.Columns = append(f.table.Columns, own)
	}
	return f
}

// isID stands in a file's columns for the vertex of the row.
const isID = -1

// columns finds the table's column for each name of a file, isID for the id.
func (f *filler) columns(found []string) ([]int, error) {
	var want []string
	if f.table.PerVertex {
		want = append(want, idName)
	}
	for _, c := range f.table.Columns {
		want = append(want, c.Name)
	}
	list := make([]int, len(found))
	for k, name := range found {
		i := slices.Index(want, name)
		switch {
		case i < 0:
			return nil, fmt.Errorf("unknown column %q, want %s", name, strings.Join(want, ","))
		case slices.Contains(found[:k], name):
			return nil, fmt.Errorf("column %q twice", name)
		}
		list[k] = i
		if f.table.PerVertex {
			list[k]-- // the id comes first and becomes isID
		}
	}
	for _, name := range want {
		if !slices.Contains(found, name) {
			return nil, fmt.Errorf("no column %q, want %s", name, strings.Join(want, ","))
		}
	}
	return list, nil
}

// begin returns the place of the next row; id is that of its vertex, if the
// table has one row for each.
func (f *filler) begin(id string) (int, error) {
	f.rows++
	if !f.table.PerVertex {
		for k := range f.table.Columns {
			c := &f.table.Columns[k]
			switch {
			case c.Vertices != nil:
				c.Vertices = append(c.Vertices, 0)
			case c.Counts != nil:
				c.Counts = append(c.Counts, 0)
			case c.Ints != nil:
				c.Ints = append(c.Ints, 0)
			default:
				c.Floats = append(c.Floats, 0)
			}
		}
		return f.rows - 1, nil
	}
	v, err := f.ids.Parse(id)
	if err != nil {
		return 0, err
	}
	if f.seen[v] {
		return 0, fmt.Errorf("second row for vertex %s", id)
	}
	f.seen[v] = true
	return int(v), nil
}

// set puts the text of a cell into row i of a column.
func (f *filler) set(column, i int, text string) error {
	c := &f.table.Columns[column]
	empty := text == ""
	var err error
	switch {
	case c.Vertices != nil && empty:
		c.Vertices[i] = graph.None
	case c.Vertices != nil:
		c.Vertices[i], err = f.ids.Parse(text)
	case c.Counts != nil && empty:
		c.Counts[i] = pregel.NoCount
	case c.Counts != nil:
		c.Counts[i], err = parseCount(text)
	case c.Ints != nil && empty:
		c.Ints[i] = pregel.NoInt
	case c.Ints != nil:
		c.Ints[i], err = parseInt(text)
	case empty:
		c.Floats[i] = math.Inf(1)
	default:
		c.Floats[i], err = parseFloat(text)
	}
	return err
}

func parseCount(text string) (uint32, error) {
	x, err := strconv.ParseUint(text, 10, 32)
	if err != nil || uint32(x) == pregel.NoCount {
		return 0, fmt.Errorf("found %q, want a whole number from 0 to 2^32-2, or nothing", text)
	}
	return uint32(x), nil
}

func parseInt(text string) (int64, error) {
	x, err := strconv.ParseInt(text, 10, 64)
	if err != nil || x == pregel.NoInt {
		return 0, fmt.Errorf("found %q, want a whole number of at most 63 bits, or nothing", text)
	}
	return x, nil
}

func parseFloat(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("found %q, want a number, or nothing", text)
	}
	return x, nil
}

// complete checks that no vertex is left out.
func (f *filler) complete() error {
	missing := 0
	first := -1
	for v, ok := range f.seen {
		if !ok {
			missing++
			if first < 0 {
				first = v
			}
		}
	}
	if missing == 0 {
		return nil
	}
	return &ReadError{Path: f.path, Problem: fmt.Sprintf("%d of %d vertices have no row, the first of them %s", missing, len(f.seen), f.ids.Text(uint32(first)))}
}

// fail says where in the file something is wrong.
func (f *filler) fail(line, column int, field string, err error) error {
	return &ReadError{Path: f.path, Line: line, Column: column, Field: field, Problem: err.Error()}
}
