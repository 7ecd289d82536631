package sssp

import (
	"context"
	"math"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file is the labels of inplace.go that have a distance and a parent in one word.

// A way has its distance in the upper half, in the lower one the number of the vertex
// before its end: all ones at the source, and all of it where no way is known.
type way uint64

const (
	distanceBit = 32
	unreached   = way(math.MaxUint64)
)

// label is what vertices have during a run.
type label interface {
	distance | way
}

// byWay is inPlace with ways. On a prepared graph vertices have the user's numbers in
// them, so that the least are those of the user's graph.
func byWay[T distance](ctx context.Context, j *pregel.Job, s *SSSP, source uint32, far T, delta uint64) (Paths[T], bool, error) {
	order, place := j.Order()
	r := &relaxing[way]{source: source, first: way(graph.None), far: unreached, limit: 1 << 63,
		unit: 1 << distanceBit, up: distanceBit, keys: order, small: s.small(j.Graph)}
	r.begin(j.Graph)
	var c columns[T]
	if r.blank {
		c = columnsAhead(r, far, true)
	}
	result, ok := r.run(ctx, j, way(delta))
	if result.Stop.Err != nil { // workers may have been left behind
		return Paths[T]{}, false, result.Stop.Err
	}
	if !ok {
		mem.Give(result.Values)
		c.give()
		return Paths[T]{}, false, nil
	}
	p, err := parted(r, c, far, place, j.Engine.Pool())
	if err != nil {
		return p, false, err
	}
	p.Stop = result.Stop
	if p.Stop.Reason != pregel.Halted {
		unknown(p.Parent)
	}
	return p, true, nil
}

// unknown says of all parents that there is none: distances may still fall, and no path
// is certain.
func unknown(parent []uint32) {
	for v := range parent {
		parent[v] = graph.None
	}
}
