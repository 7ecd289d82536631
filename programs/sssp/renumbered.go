package sssp

import (
	"context"
	"math"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/runtime/cpu"
)

// Renumbered finds the least parents, where there are any, and the run has not (inplace_way.go, device_bring.go):
// a run that was stopped has none.
func (s *SSSP) Renumbered(ctx context.Context, j *pregel.Job, a *pregel.Answer) error {
	if !s.parents() || a.Ordered {
		return nil
	}
	source, err := s.Source.Vertex(j.Graph)
	if err != nil || a.Stop.Reason != pregel.Halted {
		return err
	}
	distance, parent := a.Table.Columns[0], &a.Table.Columns[1].Vertices
	if _, host := j.Engine.(*cpu.Engine); host && *parent != nil {
		return nil
	}
	mem.Give(*parent)
	r := j.Graph.WeightRange()
	negative := r.Least < 0
	if distance.Floats != nil {
		*parent, err = parents(ctx, j, source, distance.Floats, math.Inf(1), negative)
		return err
	}
	if r.Most < 1<<31 && !negative {
		short := mem.Take[uint32](len(distance.Ints))
		defer mem.Give(short)
		if shorten(short, distance.Ints, j.Engine.Pool().Workers()) {
			*parent, err = parents(ctx, j, source, short, math.MaxUint32, false)
			return err
		}
	}
	*parent, err = parents(ctx, j, source, distance.Ints, pregel.NoInt, negative)
	return err
}

// shorten writes distances in 32 bits, and tells whether they fit, with a bit to spare
// for a weight: half the memory to go through.
func shorten(short []uint32, distance []int64, workers int) bool {
	var far atomic.Bool
	parallel.Range(workers, len(distance), 1<<14, func(_, lo, hi int) {
		most, short := int64(0), short[lo:hi]
		for i, d := range distance[lo:hi] {
			short[i] = uint32(d) // NoInt: all ones
			if d == pregel.NoInt {
				d = 0
			}
			most = max(most, d)
		}
		if most >= 1<<31 {
			far.Store(true)
		}
	})
	return !far.Load()
}
