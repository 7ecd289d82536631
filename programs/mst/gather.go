package mst

import (
	"math"
	"math/bits"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// The edges of a forest stand with vertices, each of which has one at the most, and in lists. This
// file gathers them into one list, of a job on a prepared graph with their ends by the user's
// numbers: so they are put in order once, not in the graph's order and then in the user's.
//
// Method: vertices that have an edge are counted by pieces, then each piece's edges are put into
// their places. Cost: O(n + k) for n vertices and k edges, by all workers, and 12 bytes an edge.

// standing are edges that stand with vertices.
type standing interface {
	has(lo, hi int) uint64 // which of up to 64 vertices, from lo on, below hi, have one
	edge(v int) edge       // of one that has
}

// toNear are edges to the vertices in a list; graph.None: no edge.
type toNear struct{ near, weight []uint32 }

func (s toNear) has(lo, hi int) uint64 { return mem.Unlike(s.near[lo:hi], graph.None) }
func (s toNear) edge(v int) edge       { return edge{uint32(v), s.near[v], s.weight[v]} }

// copied are edges of a device: an edge is its lesser end, then its greater; all ones mean none.
type copied struct {
	ends   []uint64
	weight []uint32
}

func (s copied) has(lo, hi int) uint64 { return mem.Unlike(s.ends[lo:hi], math.MaxUint64) }
func (s copied) edge(v int) edge {
	return edge{uint32(s.ends[v] >> 32), uint32(s.ends[v]), s.weight[v]}
}

const gatherLength = 1 << 13 // of a piece: vertices, or edges of a list

// gather returns the edges that stand with n vertices, and those of a list, whose ends it names by
// order; nil: as they are.
func gather[S standing](workers, n int, s S, list []edge, order []uint32) []edge {
	starts := make([]int, (n+gatherLength-1)/gatherLength)
	parallel.Range(workers, n, gatherLength, func(_, lo, hi int) {
		for v := lo; v < hi; v += 64 {
			starts[lo/gatherLength] += bits.OnesCount64(s.has(v, min(v+64, hi)))
		}
	})
	total := 0
	for i, k := range starts {
		starts[i], total = total, total+k
	}
	edges := mem.Take[edge](total + len(list))
	parallel.Range(workers, n, gatherLength, func(_, lo, hi int) {
		k := starts[lo/gatherLength]
		for v := lo; v < hi; v += 64 {
			for set := s.has(v, min(v+64, hi)); set != 0; set &= set - 1 {
				edges[k] = s.edge(v + bits.TrailingZeros64(set)).named(order)
				k++
			}
		}
	})
	parallel.Range(workers, len(list), gatherLength, func(_, lo, hi int) {
		for i, e := range list[lo:hi] {
			edges[total+lo+i] = e.named(order)
		}
	})
	return edges
}

// named is an edge with its ends by order, if that is not nil, the lesser first.
func (e edge) named(order []uint32) edge {
	u, v := e.u, e.v
	if order != nil {
		u, v = order[u], order[v]
	}
	return edge{min(u, v), max(u, v), e.weight}
}

// ordered makes a forest of edges, whose use it ends. Their ends are the lesser first.
func ordered(j *pregel.Job, edges []edge, stop pregel.Stop) Forest {
	d := dealOf(j.Engine.Pool().Workers(), j.Graph.N(), nil, nil, edges)
	f := newForest(j.Graph, d.total, stop)
	d.ascending(f.put)
	mem.Give(edges)
	return f
}
