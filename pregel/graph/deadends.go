package graph

import (
	"gopregel/pregel/bitmap"
	"gopregel/pregel/parallel"
)

// DeadEnds returns the vertices from which a walk goes on nowhere, or only back where it came
// from: of a directed graph those that no arc leaves, of an undirected one those of one edge or
// none, as an edge is in the lists of both ends. Bits are shared with the graph and must not be
// written to. The first call looks at all vertices.
func (g *Graph) DeadEnds() bitmap.Bitmap { return g.deadEnds() }

// deadEnds are the vertices that no arc leaves, or, where an edge is two arcs, no second one.
func deadEnds(c CSR, twice bool) bitmap.Bitmap {
	n := c.Offsets.Len() - 1
	dead := bitmap.New(n)
	const piece = 1 << 16
	parallel.Range(0, n, piece, func(_, lo, hi int) {
		for ; lo < hi; lo += 64 {
			some, several := rows(c.Offsets, uint32(lo), min(64, hi-lo))
			if twice {
				some = several
			}
			dead[lo/64] = ^some & bitmap.Mask(lo/64, uint32(n))
		}
	})
	return dead
}

// rows tells which of so many rows from v on, up to 64, have an arc, and which several.
func rows(o Offsets, v uint32, count int) (some, several uint64) {
	if count == 64 {
		return o.Rows(v)
	}
	for i := range uint32(count) {
		if d := o.Degree(v + i); d > 0 {
			some |= 1 << i
			if d > 1 {
				several |= 1 << i
			}
		}
	}
	return some, several
}
