package lcc

import (
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// Where all vertices have about as many neighbours, a rank by degree says no more than the ids do:
// triangles are found by marks (triangles.go) in the lists as they are, in an undirected graph
// without loops and parallel edges. The neighbours of v below it are marked, those above are its u.
//
// That the graph has no loops and parallel edges is looked up before, in all lists, as there is much
// more to read for the triangles: unlike in a thin graph (thin.go).
//
// Cost: O(Σ k²) over the numbers k of neighbours below, at most evenSquares times the square of the
// arcs, divided by the vertices; no copy of the graph.

// evenSquares bounds the mean square of the number of neighbours by the square of their mean. A
// uniform graph of 32 neighbours has 1.03.
const evenSquares = 1.25

// even tells by the sum of the squares whether a graph without directions is.
func even(g *graph.Graph, squares uint64) bool {
	arcs := float64(g.Arcs())
	return float64(squares)*float64(g.N()) <= evenSquares*arcs*arcs
}

// look finds out whether an even graph has loops or parallel edges. If it has, lists are made by rank.
func (c *count) look() bool {
	out, repeated := c.g.Out(), atomic.Bool{}
	if !c.Vertices("lcc look", overVertices(0, 0), func(lo, hi uint32, w *pregel.Worker) {
		for v := lo; v < hi && !repeated.Load(); v++ {
			if !simple(out.Neighbors(v), v) {
				repeated.Store(true)
			}
		}
		w.Arcs += c.arcs(lo, hi) // of lists that are left out, too: the same by all workers
	}) {
		return false
	}
	if repeated.Load() {
		c.at.Even, c.at.Stage = false, -1
	}
	return true
}

// trianglesEven is triangles for an even graph.
func (c *count) trianglesEven() bool {
	return c.middles(c.g.Out().Cut(pieceNeighbours/2, 1), c.listEven)
}

// listEven is list for an even graph.
func (c *count) listEven(v uint32, s *slot) (read uint64) {
	out := c.g.Out()
	row, k := out.Neighbors(v), 0
	for k < len(row) && row[k] < v {
		k++
	}
	if k == 0 || k == len(row) {
		return uint64(k)
	}
	return 2*uint64(k) + uint64(len(row)-k) + s.close(v, row[:k], row[k:], out)
}
