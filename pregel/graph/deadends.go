package graph

import (
	"gopregel/pregel/bitmap"
	"gopregel/pregel/parallel"
)

// DeadEnds returns the vertices from which a walk goes on nowhere, or only back where it came
// from: of a directed graph those that no arc leaves, of an undirected one those of one edge or
// none, as an edge is in the lists of both ends. Bits are shared with the graph and must not be
// written to. The first call makes them, in O(n).
func (g *Graph) DeadEnds() bitmap.Bitmap { return g.deadEnds() }

// deadEnds are the vertices that no arc leaves, or, where an edge is two arcs, no second one.
func deadEnds(c CSR, twice bool) bitmap.Bitmap {
	n := c.Offsets.Len() - 1
	dead := bitmap.New(n)
	const piece = 1 << 16
	parallel.Range(0, n, piece, func(_, lo, hi int) {
		for ; lo < hi; lo += 64 {
			some, several := c.Offsets.Slice(uint32(lo), min(64, hi-lo)).Filled()
			if twice {
				some = several
			}
			dead[lo/64] = ^some & bitmap.Mask(lo/64, uint32(n))
		}
	})
	return dead
}
