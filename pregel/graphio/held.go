package graphio

import (
	"context"
	"math"
	"slices"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// held keeps a batch in memory, with ids of 32 bits where they fit.
type held struct {
	index    int // of its block
	u32, v32 []uint32
	u64, v64 []uint64
	ints     []int32
	floats   []float32
	float    bool
}

func hold(k *batch, index int) held {
	h := held{index: index, ints: slices.Clone(k.ints), floats: slices.Clone(k.floats), float: k.float}
	if fits32(k.u) && fits32(k.v) {
		h.u32, h.v32 = narrow(k.u), narrow(k.v)
	} else {
		h.u64, h.v64 = slices.Clone(k.u), slices.Clone(k.v)
	}
	return h
}

func fits32(ids []uint64) bool {
	all := uint64(0)
	for _, id := range ids {
		all |= id
	}
	return all <= math.MaxUint32
}

func narrow(ids []uint64) []uint32 {
	to := make([]uint32, len(ids))
	for i, id := range ids {
		to[i] = uint32(id)
	}
	return to
}

// restore puts the arcs back into a batch.
func (h *held) restore(k *batch) {
	k.reset()
	if h.u32 == nil {
		k.u, k.v = append(k.u, h.u64...), append(k.v, h.v64...)
	}
	for i, u := range h.u32 {
		k.u, k.v = append(k.u, uint64(u)), append(k.v, uint64(h.v32[i]))
	}
	k.ints, k.floats = append(k.ints, h.ints...), append(k.floats, h.floats...)
	k.float = h.float
}

// heldArcs gives the arcs that are held.
func (s *source) heldArcs(ctx context.Context, workers int, yield func(graph.Block) error) error {
	failed := newFirstError()
	parallel.Range(min(workers, s.workers), len(s.held), 1, func(w, i, _ int) {
		if failed.skip(i) {
			return
		}
		err := ctx.Err()
		if err == nil {
			k := &s.scratch[w]
			s.held[i].restore(&k.batch)
			err = s.give(k, s.held[i].index, yield)
		}
		if err != nil {
			failed.set(i, err)
		}
	})
	return failed.err
}
