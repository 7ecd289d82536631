package bfs

import (
	"context"
	"errors"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/programs/internal/tiled"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// inTiles runs BFS tile by tile, or superstep by superstep, with options, where the device has
// no room for the arcs by tile. mended: the parents are the least by the user's numbers, as they
// are where w asks for that and all is brought into the user's order.
func inTiles(ctx context.Context, e *cuda.Engine, j *pregel.Job, source uint32, w wish, opts ...pregel.Option) (_ pregel.Result[State], mended bool, err error) {
	x := tiled.Search{Program: "bfs", Source: source, Hops: true, Bring: wanted(j, w.ordered), Least: w.least}
	stop, err := x.Run(ctx, e, j)
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		r, err := pregel.RunEdge(ctx, j, program{source}, opts...)
		return r, false, err
	}
	r := pregel.Result[State]{Stop: stop, Values: mem.Make[State](j.Graph.N()), Ordered: x.Ordered()}
	parallel.Range(j.Engine.Pool().Workers(), len(r.Values), piece, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			r.Values[v] = State{graph.None, graph.None}
			if x.Parent != nil && stop.Reason == pregel.Halted {
				r.Values[v] = State{x.Distance32[v], x.Parent[v]}
			}
		}
	})
	if stop.Reason != pregel.Halted {
		r.Values[source] = State{0, graph.None}
	}
	return r, w.least && x.Ordered(), err
}

// wanted is what is asked for an answer that is to come back in the user's order.
func wanted(j *pregel.Job, ordered bool) *pregel.Bringing {
	if !ordered {
		return nil
	}
	return j.Bringing()
}

// depthsInTiles is inTiles without parents.
func depthsInTiles(ctx context.Context, e *cuda.Engine, j *pregel.Job, source uint32, ordered bool, opts ...pregel.Option) (pregel.Result[uint32], error) {
	x := tiled.Search{Program: "bfs", Source: source, Hops: true, Alone: true, Bring: wanted(j, ordered)}
	stop, err := x.Run(ctx, e, j)
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		return pregel.RunEdge(ctx, j, depths{alone{source}}, opts...)
	}
	r := pregel.Result[uint32]{Stop: stop, Values: x.Distance32, Ordered: x.Ordered()}
	if x.Distance32 == nil || stop.Reason != pregel.Halted {
		r.Values = mem.Make[uint32](j.Graph.N())
		for v := range r.Values {
			r.Values[v] = graph.None
		}
		r.Values[source] = 0
	}
	return r, err
}
