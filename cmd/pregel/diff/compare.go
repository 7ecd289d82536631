package diff

import (
	"fmt"
	"math"
	"strconv"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// A Cell is a value of a row, as two engines have it.
type Cell struct {
	Column string
	Kind   Kind
	Values [2]any // uint32, int64 or float64; nil: nothing
	ULPs   uint64 // between floats
	Single bool   // the floats are of 32 bits
	Differ bool
}

// Kind says how a value is written.
type Kind uint8

// The kinds.
const (
	Vertex Kind = iota
	Whole
	Float
)

// Text writes a value with the ids of a graph.
func (c Cell) Text(side int, ids graph.IDs) string {
	switch v := c.Values[side].(type) {
	case nil:
		return "-"
	case uint32:
		if c.Kind == Vertex {
			return ids.Text(v)
		}
		return fmt.Sprint(v)
	case float64:
		if c.Single {
			return strconv.FormatFloat(v, 'g', -1, 32)
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// compare returns the difference of least row, nil if there is none.
func compare(a, b *pregel.Table, ulps uint64) *Difference {
	if len(a.Columns) != len(b.Columns) {
		return &Difference{Row: -1, What: fmt.Sprintf("%d columns and %d", len(a.Columns), len(b.Columns))}
	}
	first := -1
	for i, c := range a.Columns {
		if d := b.Columns[i]; c.Name != d.Name || kind(c) != kind(d) && c.Len() > 0 && d.Len() > 0 {
			return &Difference{Row: -1, What: fmt.Sprintf("column %d is %s, and %s", i+1, c.Name, d.Name)}
		}
		if row := firstRow(c, b.Columns[i], ulps); row >= 0 && (first < 0 || row < first) {
			first = row
		}
	}
	switch rows := [2]int{a.Rows(), b.Rows()}; {
	case first >= 0:
		return &Difference{Row: first, Cells: pairs(a, b, first, ulps)}
	case rows[0] != rows[1]:
		return &Difference{Row: -1, What: fmt.Sprintf("%d rows and %d", rows[0], rows[1])}
	}
	return nil
}

// firstRow returns the first row in which two columns differ, -1 if none does.
func firstRow(a, b pregel.Column, ulps uint64) int {
	n := min(a.Len(), b.Len())
	if a.Floats == nil {
		for i := range n {
			if value(a, i) != value(b, i) {
				return i
			}
		}
		return -1
	}
	single := allSingle(a.Floats) && allSingle(b.Floats)
	for i := range n {
		if x, y := a.Floats[i], b.Floats[i]; x != y && Distance(x, y, single) > ulps {
			return i
		}
	}
	return -1
}

func pairs(a, b *pregel.Table, row int, ulps uint64) []Cell {
	list := cells(a, row)
	for i := range list {
		c, d := &list[i], b.Columns[i]
		c.Values[1] = value(d, row)
		c.Differ = c.Values[0] != c.Values[1]
		if c.Kind == Float {
			x, y := a.Columns[i].Floats[row], d.Floats[row]
			c.Single = allSingle(a.Columns[i].Floats) && allSingle(d.Floats)
			c.ULPs = Distance(x, y, c.Single)
			c.Differ = c.ULPs > ulps
		}
	}
	return list
}

// cells returns a row as one engine has it.
func cells(t *pregel.Table, row int) []Cell {
	list := make([]Cell, len(t.Columns))
	for i, c := range t.Columns {
		list[i] = Cell{Column: c.Name, Kind: kind(c), Values: [2]any{value(c, row), nil}, Single: c.Floats != nil && allSingle(c.Floats)}
	}
	return list
}

func kind(c pregel.Column) Kind {
	switch {
	case c.Vertices != nil:
		return Vertex
	case c.Floats != nil:
		return Float
	}
	return Whole
}

func value(c pregel.Column, i int) any {
	switch {
	case c.Empty(i):
		return nil
	case c.Vertices != nil:
		return c.Vertices[i]
	case c.Counts != nil:
		return c.Counts[i]
	case c.Ints != nil:
		return c.Ints[i]
	}
	return c.Floats[i]
}

// allSingle tells whether all numbers are floats of 32 bits: they then were
// computed as such.
func allSingle(list []float64) bool {
	for _, x := range list {
		if float64(float32(x)) != x && !math.IsNaN(x) {
			return false
		}
	}
	return true
}

// Distance counts the floats between two, of 64 bits or of 32: 0 for equal
// numbers and two NaN, the most there is for one NaN.
func Distance(x, y float64, single bool) uint64 {
	switch nan := math.IsNaN(x); {
	case x == y || nan && math.IsNaN(y):
		return 0
	case nan || math.IsNaN(y):
		return math.MaxUint64
	}
	a, b := place(x, single), place(y, single)
	return max(a, b) - min(a, b)
}

// place numbers the floats in ascending order.
func place(x float64, single bool) uint64 {
	if single {
		bits := uint64(math.Float32bits(float32(x)))
		if bits>>31 != 0 {
			return 1<<31 - (bits &^ (1 << 31))
		}
		return 1<<31 + bits
	}
	bits := math.Float64bits(x)
	if bits>>63 != 0 {
		return 1<<63 - (bits &^ (1 << 63))
	}
	return 1<<63 + bits
}
