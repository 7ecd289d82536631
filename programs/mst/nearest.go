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
	s.near, s.weight = mem.Make[uint32](s.n), mem.Make[uint32](s.n)
	out := s.g.Out()
	if s.Vertices("mst nearest", s.overVertices(edgeBytes-rootBytes, weightBytes(s.g), pregel.Choice{}), func(lo, hi uint32, w *pregel.Worker) {
		for u := lo; u < hi; u++ {
			s.near[u], s.weight[u] = s.weights.least(out, u)
		}
		w.Arcs += out.Offsets[hi] - out.Offsets[lo]
	}) {
		s.at.Stage = joining
	}
}

// least returns the neighbour at the other end of u's lightest edge, and its weight;
// graph.None where u has no edge.
func (w weights) least(c graph.CSR, u uint32) (v, weight uint32) {
	v, row := graph.None, c.Neighbors(u)
	if w.bits == nil {
		for _, x := range row {
			if x != u {
				return x, sign | 1
			}
		}
		return v, 0
	}
	best := uint64(math.MaxUint64)
	for i, x := range w.bits[c.Offsets[u]:c.Offsets[u+1]] {
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
		for u := lo; u < hi; u++ {
			v := s.near[u]
			if v == graph.None || u < v && mem.Load(&s.near[v]) == u {
				mem.Store(&s.near[u], graph.None)
				v = u
			}
			s.parent[u] = v
		}
	}) {
		s.at.Stage = flattening
	}
}
