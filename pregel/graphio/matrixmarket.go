package graphio

import (
	"bytes"
	"context"
	"io"
	"strings"

	"gopregel/pregel/graph"
)

// A Matrix Market file is a square matrix; each entry is an arc from its row
// to its column, with the entry as weight. A symmetric matrix, of which the
// file has one half, is an undirected graph.
// Boisvert, Pozo, Remington: "The Matrix Market exchange formats", 1996.
func readMatrixMarket(ctx context.Context, r *request) (*graph.Graph, error) {
	if err := r.numbered("Matrix Market", "1 to n"); err != nil {
		return nil, err
	}
	t, err := r.open(r.path, passes)
	if err != nil {
		return nil, err
	}
	h, err := r.matrixHeader(t)
	if err != nil {
		return nil, err
	}
	if h.symmetric && r.Directed == Directed {
		return nil, t.failAll("the matrix is symmetric, which is an undirected graph; it cannot be read as directed")
	}
	mode, err := r.mode(t, h.weightType != "", h.weightType)
	if err != nil {
		return nil, err
	}
	p := &edgeParser{dialect: newDialect(" \t", "", "%"), columns: 3, lowest: 1, highest: h.n}
	if h.weightType == "" {
		p.columns = 2
	}
	s, ids, err := r.pass(ctx, job{text: t, parser: p, mode: mode, census: headerCensus{h.n}})
	if err != nil {
		return nil, err
	}
	if uint64(s.arcs) != h.entries {
		return nil, t.failAll("the header announces %d entries, the file has %d", h.entries, s.arcs)
	}
	return r.build(ctx, s, ids, r.directed(!h.symmetric))
}

type matrixHeader struct {
	weightType string // "" for a pattern
	symmetric  bool
	n, entries uint64
}

func (r *request) matrixHeader(t *text) (h matrixHeader, err error) {
	line, err := t.line()
	if err != nil && err != io.EOF {
		return h, err
	}
	words := strings.Fields(strings.ToLower(string(line)))
	if len(words) != 5 || words[0] != "%%matrixmarket" {
		t.lines = max(t.lines, 1)
		return h, t.fail(`the first line is %s, want "%%%%MatrixMarket matrix coordinate <field> <symmetry>"`, excerpt(line))
	}
	if words[1] != "matrix" || words[2] != "coordinate" {
		return h, t.fail("a Matrix Market %s in %s form is no graph, want: matrix coordinate", words[1], words[2])
	}
	switch words[3] {
	case "pattern":
	case "integer":
		h.weightType = "int32"
	case "real", "double":
		h.weightType = "float32"
	default:
		return h, t.fail("entries of the field %q cannot be weights, want pattern, integer or real", words[3])
	}
	switch words[4] {
	case "general":
	case "symmetric":
		h.symmetric = true
	default:
		return h, t.fail("a matrix of symmetry %q is no graph, want general or symmetric", words[4])
	}
	return h, r.matrixSize(t, &h)
}

func (r *request) matrixSize(t *text, h *matrixHeader) error {
	line, err := t.headerLine("%", "the line of rows, columns and entries")
	if err != nil {
		return err
	}
	fields := bytes.Fields(line)
	if len(fields) != 3 {
		return t.fail("%d numbers, want 3 (rows, columns, entries)", len(fields))
	}
	size, err := t.counts(fields)
	if err != nil {
		return err
	}
	if size[0] != size[1] {
		return t.fail("a matrix of %d rows and %d columns is no graph: the numbers must be equal", size[0], size[1])
	}
	h.n, h.entries = size[0], size[2]
	return r.checkHeaderSize(t, h.n, h.entries)
}
