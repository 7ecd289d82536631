package graphio

import (
	"bytes"
	"context"

	"gopregel/pregel/graph"
)

// A DIMACS challenge 9 file has comments "c …", one line "p sp n m" and m
// lines "a source target weight"; vertices are 1 to n.
// http://www.diag.uniroma1.it/challenge9/format.shtml
func readDIMACS(ctx context.Context, r *request) (*graph.Graph, error) {
	if err := r.numbered("DIMACS", "1 to n"); err != nil {
		return nil, err
	}
	t, err := r.open(r.path, passes)
	if err != nil {
		return nil, err
	}
	n, m, err := r.dimacsHeader(t)
	if err != nil {
		return nil, err
	}
	mode, err := r.mode(t, true, "")
	if err != nil {
		return nil, err
	}
	p := &edgeParser{dialect: newDialect(" \t", "", "c"), prefix: 'a', columns: 3, lowest: 1, highest: n}
	s, ids, err := r.pass(ctx, job{text: t, parser: p, mode: mode, census: headerCensus{n}})
	if err != nil {
		return nil, err
	}
	if uint64(s.arcs) != m {
		return nil, t.failAll("the header announces %d arcs, the file has %d", m, s.arcs)
	}
	return r.build(ctx, s, ids, r.directed(true))
}

func (r *request) dimacsHeader(t *text) (n, m uint64, err error) {
	line, err := t.headerLine("c", `the line "p sp n m"`)
	if err != nil {
		return 0, 0, err
	}
	words := bytes.Fields(line)
	switch {
	case string(words[0]) != "p" || len(words) != 4:
		return 0, 0, t.fail(`found %s, want "p sp n m"`, excerpt(line))
	case string(words[1]) != "sp":
		return 0, 0, t.fail("a DIMACS problem of the kind %s, want sp (shortest paths)", excerpt(words[1]))
	}
	size, err := t.counts(words[2:])
	if err != nil {
		return 0, 0, err
	}
	return size[0], size[1], r.checkHeaderSize(t, size[0], size[1])
}
