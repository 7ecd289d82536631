package graphio

import (
	"context"

	"gopregel/pregel/graph"
)

// The adjacency form, which older LDBC files have: each line is a vertex and
// its out-neighbours, of which there may be none. Read as undirected, each
// edge must stand at both its ends.
func readAdjacency(ctx context.Context, r *request) (*graph.Graph, error) {
	t, err := r.open(r.path, passes)
	if err != nil {
		return nil, err
	}
	t.maxLine = maxList
	names := r.newNames()
	c, err := r.census(t, names, VerticesEndpoints)
	if err != nil {
		return nil, err
	}
	mode, err := r.mode(t, false, "")
	if err != nil {
		return nil, err
	}
	p := &listParser{comments: "#%", heads: true, highest: maxID, names: names}
	g, err := r.run(ctx, job{text: t, parser: p, mode: mode, census: c, directed: true, named: names != nil})
	if err != nil || r.Directed != Undirected {
		return g, err
	}
	return undirect(t.path, g)
}
