package graphgen

import (
	"context"
	"fmt"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// ListWeights says which weights EdgeList gives the edges: each its own, drawn
// independently, so that edges with the same ends may differ.
type ListWeights uint8

// The choices of weights.
const (
	ListUnweighted ListWeights = iota
	ListUniform                // float32, uniform in [0, 1): a multiple of 2^-24
	ListIntegers               // 1 to 255, equally likely
)

// EdgeList makes the edges of a random graph whose kind draws them one by one
// (kronecker, rmat, uniform) as a list in memory, before loops and duplicates
// are looked for: what benchmarks that time the making of a graph start from.
// The list is the same for any number of workers; Generate makes its graph of
// the same edges.
func EdgeList(ctx context.Context, s Spec, w ListWeights, workers int) (list graph.Columns, err error) {
	if err := s.Validate(); err != nil {
		return list, err
	}
	k, s := s.kind(), s.withDefaults()
	_, gen, err := k.open(s, k.Directed)
	if err != nil {
		return list, fmt.Errorf("generate: %s: %w", s.Kind, err)
	}
	switch gen.(type) {
	case *rmat, uniform:
	default:
		return list, &FieldError{Field: "kind", Found: s.Kind, Allowed: "kronecker, rmat, uniform"}
	}
	m := int(gen.units())
	list.U, list.V = mem.Make[uint32](m), mem.Make[uint32](m)
	switch w {
	case ListUniform:
		list.Weights.Float = mem.Make[float32](m)
	case ListIntegers:
		list.Weights.Int = mem.Make[int32](m)
	}
	weights, blocks := newStream(s.Seed, forWeights), make([]block, parallel.Workers(workers))
	parallel.Range(workers, m, blockEdges, func(worker, lo, hi int) {
		if ctx.Err() != nil {
			return
		}
		b := &blocks[worker]
		b.u, b.v = b.u[:0], b.v[:0]
		gen.fill(b, uint64(lo), uint64(hi))
		copy(list.U[lo:hi], b.u)
		copy(list.V[lo:hi], b.v)
		weights.fill(list.Weights, lo, hi)
	})
	return list, ctx.Err()
}

// fill draws weights lo to hi.
func (s stream) fill(w graph.Weights, lo, hi int) {
	switch {
	case w.Float != nil:
		for i := lo; i < hi; i++ {
			w.Float[i] = float32(s.at(uint64(i))>>40) / (1 << 24)
		}
	case w.Int != nil:
		for i := lo; i < hi; i++ {
			w.Int[i] = int32(s.below(uint64(i), 255)) + 1
		}
	}
}
