package mst

import (
	"bytes"
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

const mutualLength = 1 << 16 // arcs compared at a time

// mutual tells whether every arc of a directed graph has one the other way that weighs as
// much: then lists are as those of an undirected graph. It asks only where in-arcs are made.
// The first difference ends it. Where the ends of all arcs are the same both ways, so are
// degrees, and rows begin at the same places.
func mutual(g *graph.Graph, workers int) bool {
	if !g.HasIn() {
		return false
	}
	out, in := g.Out(), g.In()
	lists := [][2][]byte{{mem.Raw(out.Targets), mem.Raw(in.Targets)}, {mem.Raw(out.Weights.Int), mem.Raw(in.Weights.Int)},
		{mem.Raw(out.Weights.Float), mem.Raw(in.Weights.Float)}}
	var differ atomic.Bool
	parallel.Range(workers, len(out.Targets), mutualLength, func(_, lo, hi int) {
		for _, l := range lists {
			if len(l[0]) > 0 && !differ.Load() && !bytes.Equal(l[0][4*lo:4*hi], l[1][4*lo:4*hi]) {
				differ.Store(true)
			}
		}
	})
	return !differ.Load()
}
