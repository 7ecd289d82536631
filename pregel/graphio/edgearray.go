package graphio

import (
	"bytes"
	"context"
	"io"

	"gopregel/pregel/graph"
)

// An edge array of PBBS is the line EdgeArray and then lines of a source and a
// target, from 0 on, or the line WeightedEdgeArray and lines of a source, a
// target and a weight. The vertices are 0 to the greatest that occurs.
// J. Anderson, G. Blelloch et al., "The problem-based benchmark suite (PBBS),
// V2", PPoPP 2022, with its documentation of file formats.
func readEdgeArray(ctx context.Context, r *request) (*graph.Graph, error) {
	if r.IDs == IDsString {
		return nil, &FileError{Path: r.path, Problem: "ids: PBBS files number their vertices, they have no strings"}
	}
	t, err := r.open(r.path, passes)
	if err != nil {
		return nil, err
	}
	weighted, err := t.edgeArrayWord()
	if err != nil {
		return nil, err
	}
	c, err := r.census(t, nil, VerticesRange)
	if err != nil {
		return nil, err
	}
	mode, err := r.mode(t, weighted, "")
	if err != nil {
		return nil, err
	}
	p := &edgeParser{dialect: newDialect(" \t", "", ""), columns: 2, as: " as the first line says", highest: maxID}
	if weighted {
		p.columns = 3
	}
	return r.run(ctx, job{text: t, parser: p, mode: mode, census: c, directed: r.directed(true)})
}

const (
	edgeArrayWord         = "EdgeArray"
	weightedEdgeArrayWord = "WeightedEdgeArray"
)

func (t *text) edgeArrayWord() (weighted bool, err error) {
	line, err := t.line()
	if err != nil && err != io.EOF {
		return false, err
	}
	switch word := bytes.TrimSpace(line); string(word) {
	case edgeArrayWord:
		return false, nil
	case weightedEdgeArrayWord:
		return true, nil
	}
	t.lines = max(t.lines, 1)
	return false, t.fail("the first line is %s, want %s or %s", excerpt(line), edgeArrayWord, weightedEdgeArrayWord)
}
