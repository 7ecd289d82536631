package mst

import (
	"math"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file is the first round of Borůvka's on an undirected graph. It reads the lists
// of arcs as they lie, and needs no atomics: of every vertex the lightest edge is the
// first of the least weight in its list, since lesser neighbours come first, as lesser
// ends do in the order of edges.

// nearest finds the lightest edge of every vertex.
func (s *span) nearest() {
	s.near, s.weight = mem.Take[uint32](s.n), mem.Take[uint32](s.n)
	out := s.g.Out()
	if s.Vertices("mst nearest", s.overVertices(edgeBytes-rootBytes, weightBytes(s.g), pregel.Choice{}), func(lo, hi uint32, w *pregel.Worker) {
		s.weights.least(&out, lo, hi, s.near, s.weight)
		w.Arcs += out.Offsets.Between(lo, hi)
	}) {
		s.at.Stage = joining
	}
}

// Of so many arcs, all are looked at without branches: in a longer list a lighter one than all
// before is so rare that a branch foresees it.
const wholeArcs = 128

// least finds the neighbours at the other ends of the lightest edges of some vertices, and
// their weights; graph.None where a vertex has no edge.
func (w weights) least(c *graph.CSR, lo, hi uint32, near, weight []uint32) {
	begin := c.Offsets.At(lo)
	for u := lo; u < hi; u++ {
		end := c.Offsets.At(u + 1)
		row := c.Targets[begin:end]
		switch {
		case w.bits == nil:
			near[u], weight[u] = other(row, u), sign|1
		case len(row) > wholeArcs:
			near[u], weight[u] = w.lightest(row, w.bits[begin:end], u)
		default:
			best := uint64(math.MaxUint64)
			for i, x := range w.bits[begin:end] {
				best = min(best, key(w.ordered(x), row[i]))
			}
			if near[u], weight[u] = uint32(best), uint32(best>>32); uint32(best) == u {
				near[u], weight[u] = w.lightest(row, w.bits[begin:end], u)
			}
		}
		begin = end
	}
}

// other returns u's first neighbour; graph.None: it has none.
func other(row []uint32, u uint32) uint32 {
	for _, v := range row {
		if v != u {
			return v
		}
	}
	return graph.None
}

// lightest returns the neighbour at the end of u's lightest edge, and its weight.
func (w weights) lightest(row, bits []uint32, u uint32) (v, weight uint32) {
	v, best := graph.None, uint64(math.MaxUint64)
	for i, x := range bits {
		if x := uint64(w.ordered(x)); x < best && row[i] != u {
			v, best = row[i], x
		}
	}
	return v, uint32(best)
}

// join hangs every vertex below its nearest. Of two that have chosen their common
// edge the lesser is the root, and the edge is left to the other.
func (s *span) join() {
	if s.Vertices("mst join", s.overVertices(2*rootBytes, 0, pregel.Choice{}), func(lo, hi uint32, _ *pregel.Worker) {
		s.below(lo, hi)
	}) {
		s.at.Stage = planting
	}
}

// below hangs some vertices, without branches: chance says which are roots. What has no
// edges hangs below vertex 0: where it is, nobody asks, and it is no tree of its own, which every
// round would look at.
func (s *span) below(lo, hi uint32) {
	near, parent := s.near, s.parent
	for u := lo; u < hi; u++ {
		v := near[u]
		back := mem.Load(&near[min(v, uint32(len(near)-1))])
		hung := graph.None
		if v < u {
			hung = v
		}
		if back != u {
			hung = v
		}
		mem.Store(&near[u], hung)
		if hung == graph.None {
			hung = u
		}
		if v == graph.None {
			hung = 0
		}
		parent[u] = hung
	}
}
