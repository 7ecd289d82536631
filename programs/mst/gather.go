package mst

import (
	"math"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// The edges of a forest stand with vertices, each of which has one at the most, and in lists. Of a
// job on a prepared graph they are gathered with their ends by the user's numbers, so that they
// are put in order once, not in the graph's order and then in the user's.

// standing are edges that stand with vertices.
type standing interface {
	count(lo, hi int) int // of the vertices from lo on, below hi
	edge(v int) (e edge, ok bool)
}

// toNear are edges to the vertices in a list; graph.None: no edge.
type toNear struct{ near, weight []uint32 }

func (s toNear) count(lo, hi int) (count int) {
	for _, v := range s.near[lo:hi] {
		if v != graph.None {
			count++
		}
	}
	return count
}

func (s toNear) edge(v int) (edge, bool) {
	return edge{uint32(v), s.near[v], s.weight[v]}, s.near[v] != graph.None
}

// copied are edges of a device: an edge is its lesser end, then its greater; all ones mean none.
type copied struct {
	ends   []uint64
	weight []uint32
}

func (s copied) count(lo, hi int) (count int) {
	for _, e := range s.ends[lo:hi] {
		if e != math.MaxUint64 {
			count++
		}
	}
	return count
}

func (s copied) edge(v int) (edge, bool) {
	e := s.ends[v]
	return edge{uint32(e >> 32), uint32(e), s.weight[v]}, e != math.MaxUint64
}

const gatherLength = 1 << 13 // of a piece: vertices, or edges of a list

// gather returns the edges that stand with n vertices, and those of a list, whose ends it names by
// order; nil: as they are.
func gather[S standing](workers, n int, s S, list []edge, order []uint32) []edge {
	starts := make([]int, (n+gatherLength-1)/gatherLength+1)
	parallel.Range(workers, n, gatherLength, func(_, lo, hi int) { starts[lo/gatherLength] = s.count(lo, hi) })
	total := 0
	for i, k := range starts {
		starts[i], total = total, total+k
	}
	edges := mem.Take[edge](total + len(list))
	parallel.Range(workers, n, gatherLength, func(_, lo, hi int) {
		to := edges[starts[lo/gatherLength]:starts[lo/gatherLength+1]]
		for v, k := lo, 0; k < len(to); v++ {
			if e, ok := s.edge(v); ok {
				to[k] = e.named(order)
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

// named is an edge with its ends by order, the lesser first; nil: as it is.
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
