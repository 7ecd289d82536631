package graphio

import (
	"fmt"

	"gopregel/pregel/graph"
)

// undirect takes the arcs of g, which lists each edge at both its ends, for
// the edges of an undirected graph. No array is copied.
//
// Method: go through the arcs (u, v) in order of u. Those that enter v come in
// the order of their sources, which is the order of v's own list if the graph
// is symmetric; so a place in each list, moved on by each arc that enters,
// must be at u. O(n+m) time, and another array of offsets.
func undirect(path string, g *graph.Graph) (*graph.Graph, error) {
	c, ids := g.Out(), g.IDs()
	at := graph.MakeOffsets(g.N(), c.Arcs())
	for v := range uint32(g.N()) {
		at.Set(v, c.Offsets.At(v))
	}
	for u := range uint32(g.N()) {
		for i, v := range c.Neighbors(u) {
			back := at.At(v)
			at.Set(v, back+1)
			if back == c.Offsets.At(v+1) || c.Targets[back] != u {
				return nil, oneSided(path, g, u, v)
			}
			if w, b := c.Weights.At(c.Offsets.At(u)+uint64(i)), c.Weights.At(back); w != b {
				return nil, &FileError{Path: path, Problem: fmt.Sprintf("vertex %s lists %s with weight %v, and %s lists %s with weight %v: no undirected graph", ids.Text(u), ids.Text(v), w, ids.Text(v), ids.Text(u), b)}
			}
		}
	}
	return graph.New(graph.Parts{IDs: ids, Out: c})
}

// oneSided says which of two vertices lists the other more often.
func oneSided(path string, g *graph.Graph, u, v uint32) error {
	count := func(u, v uint32) (n int) {
		for _, x := range g.Out().Neighbors(u) {
			if x == v {
				n++
			}
		}
		return n
	}
	// The arc that met another neighbour at its place: either v lacks u, or v
	// lists a lesser vertex that does not list v.
	if count(u, v) <= count(v, u) {
		for _, x := range g.Out().Neighbors(v) {
			if x < u && count(v, x) > count(x, v) {
				u, v = v, x
				break
			}
		}
	}
	ids := g.IDs()
	return &FileError{Path: path, Problem: fmt.Sprintf("vertex %s lists %s %d times and %s lists %s %d times: an undirected graph has each edge in both lists",
		ids.Text(u), ids.Text(v), count(u, v), ids.Text(v), ids.Text(u), count(v, u))}
}
