package lcc

import "gopregel/pregel"

// This file says what the records of the phases have beside (pregel.Account). There is
// no choice among them, and no atomic operation but in a thin graph: what triangles add,
// each worker adds to its own.

// Bytes of what phases read and write.
const (
	targetBytes = 4
	sidesBytes  = 4 // the number of arcs beside a neighbour, of a directed graph
	degreeBytes = 4
	rankBytes   = 4
	totalBytes  = 8
	markBytes   = 1
)

// overVertices is the account of a phase that reads and writes so many bytes at each
// vertex, and reads so many with each arc.
func overVertices(value, message uint64) pregel.Account {
	return pregel.Account{Widths: pregel.Widths{Value: value, Message: message, Frontier: pregel.NoFrontier}}
}

// sides are the bytes beside each neighbour on the lists that are made.
func (c *count) sides() uint64 {
	if c.g.Directed() {
		return sidesBytes
	}
	return 0
}

// listing is the account of what writes these lists.
func (c *count) listing(value, message uint64) pregel.Account {
	a := overVertices(value, message)
	a.Widths.Beside = c.lower.Arcs() * (targetBytes + c.sides())
	return a
}

// closing is that of the triangles: a neighbour is marked, or looked up among those
// that are, and its total is read and written; its rank, which takes less, counts as that.
func (c *count) closing() *pregel.Account {
	a := overVertices(totalBytes, markBytes+2*totalBytes)
	a.Widths.Weight = c.sides()
	return &a
}

// merging is that of the triangles in a thin graph: neighbours are read, and what
// triangles add to totals, few in grids and roads, is left out.
func (c *count) merging() *pregel.Account {
	a := overVertices(0, 0)
	return &a
}
