package bfs

import (
	"context"
	"math"
	"math/bits"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/runtime/cuda"
)

// This file finds parents by the depths alone, for answers that were computed on a
// renumbered graph: there, the parent that the search has met is the least by other
// numbers.
//
// Result: parent(v), the least in-neighbour u with depth(u) + 1 = depth(v).
// Method: lists ascend, so the first such u of v's list will do. The first in-neighbours
// of a block of vertices are read together, so that their cache misses overlap (as
// pregel's seeker does); depths below 255 are read as bytes, of which a cache holds four
// times as many.
// Cost: O(n + m), and O(n) where most in-neighbours are nearer by a step.

// A search for depths and then this takes longer than one that meets the parents, unless the graph
// is one of those whose search gains most by an order, long and thin, with neighbours side by side:
// on two cores of a Xeon 37 ms in place of 21 on Kronecker 20 by degree, 60 in place of 36 on a uniform
// graph of 2^20 vertices, three edges each, by locality; on a grid of 1500², whose vertices
// are named at random, 114 in place of 141.

// A GPU, which finds the least parents as it searches, takes 0.72 ms on Kronecker 24 as it is, 0.36 by degree for any,
// and the host 60 to find the least anew. By tiles it takes a tenth of the time, and finds the least after the depths; the host
// does only where there is no room for it, or states are looked at.

// Chooses tells whether a renumbered graph is one to search on: one of those, or one for a GPU's tiles, and each
// for depths alone or for any parents. The least are found anew by depths: without, on the graph as it is.
func (b *BFS) Chooses(g *graph.Graph, e pregel.Engine) bool {
	d, gpu := e.(*cuda.Engine)
	return !b.parents() || b.Any || b.depths() && (near(g) || gpu && d.InTiles(g))
}

// near tells whether most arcs lead to vertices near by, of some that lie all over the graph.
func near(g *graph.Graph) bool {
	// Of so many vertices, and so many arcs of each; of all vertices a share counts as near.
	const some, each, share = 1 << 10, 64, 16
	n, arcs, far := uint64(g.N()), 0, 0
	for i := range uint64(min(n, some)) {
		u := uint32(i * n / min(n, some))
		us := g.Out().Neighbors(u)
		for _, v := range us[:min(len(us), each)] {
			if arcs++; share*uint64(max(u, v)-min(u, v)) > n {
				far++
			}
		}
	}
	return far*8 <= arcs
}

// Renumbered finds the least parents, where the run has not: then it has left none.
func (b *BFS) Renumbered(_ context.Context, j *pregel.Job, a *pregel.Answer) error {
	if !b.parents() || b.Any {
		return nil
	}
	columns := a.Table.Columns
	if columns[1].Vertices != nil {
		return nil
	}
	columns[1].Vertices = leastParents(j.Graph.In(), columns[0].Counts, j.Engine.Pool().Workers())
	return nil
}

func leastParents(in graph.CSR, depth []uint32, workers int) []uint32 {
	parent := mem.Take[uint32](len(depth))
	near := mem.Take[uint8](len(depth))
	defer mem.Give(near)
	if shorten(near, depth, workers) {
		nearest(in, near, parent, workers)
	} else {
		nearest(in, depth, parent, workers)
	}
	return parent
}

const piece = 1 << 14 // vertices

// shorten writes depths as bytes, None as the greatest, and tells whether they fit.
func shorten(near []uint8, depth []uint32, workers int) bool {
	var deep atomic.Bool
	parallel.Range(workers, len(depth), piece, func(_, lo, hi int) {
		most, near := uint32(0), near[lo:hi]
		for i, d := range depth[lo:hi] {
			near[i] = uint8(d)
			most = max(most, d+1) // 0 if unreached
		}
		if most > math.MaxUint8 {
			deep.Store(true)
		}
	})
	return !deep.Load()
}

func nearest[D uint8 | uint32](in graph.CSR, depth []D, parent []uint32, workers int) {
	parallel.Range(workers, len(depth), piece, func(_, lo, hi int) {
		for ; lo < hi; lo += pregel.BlockSize {
			nearestOf(in, depth, parent, lo, min(lo+pregel.BlockSize, hi))
		}
	})
}

// nearestOf finds the parents of a block of vertices.
func nearestOf[D uint8 | uint32](in graph.CSR, depth []D, parent []uint32, lo, hi int) {
	var room [pregel.BlockSize + 1]uint64
	offsets, block := in.Offsets.Window(uint32(lo), hi-lo, room[:]), parent[lo:hi]
	firstOf(in.Targets, offsets, block)
	var left uint64 // whose first in-neighbour is not the parent
	for i, d := range depth[lo:hi] {
		switch u := block[i]; {
		case d-1 >= ^D(0)-1: // the source, or unreached
			block[i] = graph.None
		case depth[u]+1 != d:
			left |= 1 << i
		}
	}
	for ; left != 0; left &= left - 1 {
		i := bits.TrailingZeros64(left)
		block[i] = graph.None
		for _, u := range in.Targets[offsets[i]+1 : offsets[i+1]] {
			if depth[u]+1 == depth[lo+i] {
				block[i] = u
				break
			}
		}
	}
}

// firstOf reads the first target of each row; an empty row reads another's.
func firstOf(targets []uint32, offsets []uint64, first []uint32) {
	last := uint64(len(targets)) - 1
	if len(targets) == 0 {
		clear(first)
		return
	}
	for i := range first {
		first[i] = targets[min(offsets[i], last)]
	}
}
