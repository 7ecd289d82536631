package graphio

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strconv"

	"gopregel/pregel/graph"
)

// A linePrinter formats a line for each arc, or for each edge of an undirected
// graph.
type linePrinter struct {
	ids     graph.IDs
	csr     graph.CSR
	choice  choice
	before  string // the line begins with it
	between string // two fields
	quotes  bool   // strings may stand in double quotes
	plain   bool   // ids are numbers from base on
	base    uint64
	weights graph.Weights
}

// A choice says which arcs of a vertex stand in the file.
type choice uint8

const (
	allArcs  choice = iota
	upward          // u <= v: each undirected edge once
	downward        // u >= v: the same, as the lower half of a matrix
	noLoops
)

func (o *output) lines(ids graph.IDs, between string) *linePrinter {
	p := &linePrinter{ids: ids, csr: o.graph.Out(), between: between, plain: ids.Names() == nil && ids.Numbers() == nil, base: ids.Base()}
	if !o.graph.Directed() {
		p.choice = upward
	}
	if o.weighted() {
		p.weights = p.csr.Weights
	}
	return p
}

// keep narrows arcs lo to hi of u, which are sorted, to those of the choice.
func (c choice) keep(csr graph.CSR, u uint32, lo, hi uint64) (uint64, uint64) {
	list := csr.Targets[lo:hi]
	switch c {
	case upward:
		i, _ := slices.BinarySearch(list, u)
		return lo + uint64(i), hi
	case downward:
		i, _ := slices.BinarySearch(list, u+1)
		return lo, lo + uint64(i)
	}
	return lo, hi
}

// segment formats the chosen ones of arcs lo to hi of u.
func (p *linePrinter) segment(to []byte, u uint32, lo, hi uint64, _ bool) []byte {
	lo, hi = p.choice.keep(p.csr, u, lo, hi)
	if lo == hi {
		return to
	}
	start := len(to)
	to = append(to, p.before...)
	to = p.id(to, u)
	to = append(to, p.between...)
	head := to[start:] // the same on each line; append leaves these bytes alone
	for i := lo; ; {
		to = p.id(to, p.csr.Targets[i])
		if p.weights.Kind() != graph.Unweighted {
			to = append(to, p.between...)
			to = appendWeight(to, p.weights, i)
		}
		to = append(to, '\n')
		if i++; i == hi {
			return to
		}
		to = append(to, head...)
	}
}

func (p *linePrinter) id(to []byte, v uint32) []byte {
	switch {
	case p.plain:
		return strconv.AppendUint(to, p.base+uint64(v), 10)
	case p.quotes:
		return appendField(to, p.ids.Text(v))
	}
	return p.ids.Append(to, v)
}

// appendField appends a field of a CSV file, in quotes if need be.
func appendField(to []byte, field string) []byte {
	if !needsQuotes(field) {
		return append(to, field...)
	}
	to = append(to, '"')
	for i := range len(field) {
		if field[i] == '"' {
			to = append(to, '"')
		}
		to = append(to, field[i])
	}
	return append(to, '"')
}

func needsQuotes(field string) bool {
	for i := range len(field) {
		if c := field[i]; c == ',' || c == '"' || c == ' ' || i == 0 && (c == '#' || c == '%') {
			return true
		}
	}
	return false
}

// appendWeight appends weight i so that the same number is read back. A whole
// float32 gets a point, which tells it from an int32.
func appendWeight(to []byte, w graph.Weights, i uint64) []byte {
	if w.Int != nil {
		return strconv.AppendInt(to, int64(w.Int[i]), 10)
	}
	start := len(to)
	to = strconv.AppendFloat(to, float64(w.Float[i]), 'g', -1, 32)
	if bytes.IndexByte(to[start:], '.') < 0 && bytes.IndexByte(to[start:], 'e') < 0 {
		to = append(to, ".0"...)
	}
	return to
}

// writeEdges writes a header and the lines of p.
func (o *output) writeEdges(ctx context.Context, w io.Writer, header string, p *linePrinter) error {
	if _, err := io.WriteString(w, header); err != nil {
		return err
	}
	return o.writePieces(ctx, w, p.csr, p.segment)
}
