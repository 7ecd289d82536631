package lcc

import (
	"sync/atomic"

	"gopregel/pregel/graph"
)

// Where all vertices have about as many neighbours, a rank by degree says no more than the ids do:
// triangles are found by marks (triangles.go) in the lists as they are, in an undirected graph
// without loops and parallel edges. The neighbours of v below it are marked, those above are its u.
//
// That the graph has no loops and parallel edges is found out on the way, in all lists. If it has,
// what was found is forgotten, as in a thin graph (thin.go).
//
// Cost: O(Σ k²) over the numbers k of neighbours below, at most evenSquares times the square of the
// arcs by the vertices; no copy of the graph.

// evenSquares bounds the mean square of the number of neighbours by the square of their mean. A
// uniform graph of 32 neighbours has 1.03.
const evenSquares = 1.25

// even tells by the sum of the squares whether a graph without directions is.
func even(g *graph.Graph, squares uint64) bool {
	arcs := float64(g.Arcs())
	return float64(squares)*float64(g.N()) <= evenSquares*arcs*arcs
}

// trianglesEven is triangles for an even graph.
func (c *count) trianglesEven() bool {
	return c.middles(c.g.Out(), c.listEven)
}

// listEven is list for an even graph.
func (c *count) listEven(v uint32, s *slot) (read uint64) {
	out := c.g.Out()
	row := out.Neighbors(v)
	if !simple(row, v) {
		atomic.StoreUint32(&c.at.Repeated, 1)
	}
	k := 0
	for k < len(row) && row[k] < v {
		k++
	}
	if k == 0 || k == len(row) {
		return uint64(len(row))
	}
	return 2*uint64(k) + uint64(len(row)-k) + s.close(v, row[:k], row[k:], out)
}

// forget begins anew, by ranks.
func (c *count) forget() {
	c.at.Even, c.at.Thin, c.at.Stage, c.total = false, false, -1, nil
	for i := range c.slots {
		clear(c.slots[i].total)
	}
}

// simpleEven goes over to the other phases if the graph is not simple.
func (c *count) simpleEven() bool {
	if c.at.Repeated != 0 {
		c.forget()
	}
	return true
}
