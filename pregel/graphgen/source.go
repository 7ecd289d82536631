package graphgen

import (
	"context"
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// A generator makes edges in units (an edge, or all that belongs to one
// vertex). What a unit holds depends on nothing but its number.
type generator interface {
	units() uint64
	grain() int // units that make a block of some ten thousand edges
	fill(b *block, lo, hi uint64)
}

// block collects edges; w is used by generators with weights of their own.
type block struct {
	u, v []uint32
	w    []int32
}

func (b *block) add(u, v uint32) {
	b.u = append(b.u, u)
	b.v = append(b.v, v)
}

const blockEdges = 1 << 14

// source reads a generator as a graph.Source.
type source struct {
	gen      generator
	weighted bool
	done     func(units uint64)
}

// Arcs yields the units in pieces, as workers come free.
func (s source) Arcs(ctx context.Context, workers int, yield func(graph.Block) error) error {
	var (
		next   atomic.Uint64
		failed atomic.Pointer[error]
		units  = s.gen.units()
		grain  = uint64(s.gen.grain())
	)
	parallel.Do(workers, func(int) {
		var b block
		for failed.Load() == nil {
			lo := next.Add(grain) - grain
			if lo >= units {
				return
			}
			err := ctx.Err()
			if err == nil {
				err = s.piece(&b, lo, min(units, lo+grain), yield)
			}
			if err != nil {
				failed.CompareAndSwap(nil, &err)
			}
		}
	})
	if err := failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}

func (s source) piece(b *block, lo, hi uint64, yield func(graph.Block) error) error {
	b.u, b.v, b.w = b.u[:0], b.v[:0], b.w[:0]
	s.gen.fill(b, lo, hi)
	k := graph.Block{U: b.u, V: b.v}
	if s.weighted {
		k.Weights.Int = b.w
	}
	if len(b.u) > 0 {
		if err := yield(k); err != nil {
			return err
		}
	}
	if s.done != nil {
		s.done(hi - lo)
	}
	return nil
}
