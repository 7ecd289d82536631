package graph

import (
	"context"
	"sort"
	"sync"
	"sync/atomic"

	"gopregel/pregel/parallel"
)

// chunkArcs is the number of arcs a loop over a graph gives a worker at once.
const chunkArcs = 1 << 15

// eachChunk calls f on ranges of vertices of about chunkArcs arcs each.
func eachChunk(c CSR, workers int, f func(worker int, lo, hi uint32)) {
	bounds := c.Cut(chunkArcs, 1)
	parallel.Range(workers, len(bounds)-1, 1, func(w, i, _ int) { f(w, bounds[i], bounds[i+1]) })
}

// Cut returns ascending vertices, from 0 to N, between which there are about
// the given number of arcs (a vertex counts as one arc more, so that isolated
// vertices are spread too). All but the last are multiples of align. A vertex
// with more arcs than that makes its range as long as it is. The arcs of a graph
// remember how they were cut, as every run asks: the slice must not be written to.
func (c CSR) Cut(arcs uint64, align uint32) []uint32 {
	cut := func() []uint32 {
		return Cut(c.N(), c.Offsets.At, arcs, align)
	}
	if c.cuts == nil {
		return cut()
	}
	return c.cuts.of(cutting{arcs, align}, cut)
}

// cuts are what calls of Cut have returned.
type cuts struct {
	sync.Mutex
	known map[cutting][]uint32
}

type cutting struct {
	arcs  uint64
	align uint32
}

// of makes what is not known.
func (c *cuts) of(how cutting, cut func() []uint32) []uint32 {
	c.Lock()
	defer c.Unlock()
	if c.known == nil {
		c.known = map[cutting][]uint32{}
	}
	bounds, ok := c.known[how]
	if !ok {
		bounds = cut()
		c.known[how] = bounds
	}
	return bounds
}

// remembering is c, whose Cut remembers.
func (c CSR) remembering() CSR {
	c.cuts = &cuts{}
	return c
}

// Cut is CSR.Cut for n vertices, of which those below v have before(v) arcs.
func Cut(n int, before func(v uint32) uint64, arcs uint64, align uint32) []uint32 {
	weight := func(v uint32) uint64 { return before(v) + uint64(v) }
	bounds, fit := []uint32{0}, 0
	for lo := uint32(0); lo < uint32(n); {
		until := weight(lo) + arcs
		rest := int(uint32(n) - lo)
		fit = searchFrom(fit, rest, func(i int) bool { return weight(lo+uint32(i)+1) > until })
		hi := lo + max(uint32(fit)/align*align, align)
		if fit == rest || hi > uint32(n) || hi < lo {
			hi = uint32(n)
		}
		bounds = append(bounds, hi)
		lo = hi
	}
	return bounds
}

// searchFrom is sort.Search near a guess, in steps that double.
func searchFrom(guess, n int, f func(i int) bool) int {
	lo, hi := 0, n
	if guess = min(guess, n); guess < n && !f(guess) {
		for lo, hi = guess+1, guess+1; hi < n && !f(hi); {
			lo, hi = hi+1, min(n, hi+2*(hi-guess))
		}
	} else {
		for lo, hi = guess, guess; lo > 0 && f(lo-1); {
			hi, lo = lo-1, max(0, lo-1-2*(guess-lo))
		}
	}
	return lo + sort.Search(hi-lo, func(i int) bool { return f(lo + i) })
}

// inPieces runs f over 0..n in pieces, stopping at the first error.
func inPieces(ctx context.Context, workers, n, piece int, f func(lo, hi int) error) error {
	var failed atomic.Pointer[error]
	parallel.Range(workers, n, piece, func(_, lo, hi int) {
		if failed.Load() != nil {
			return
		}
		err := ctx.Err()
		if err == nil {
			err = f(lo, hi)
		}
		if err != nil {
			failed.CompareAndSwap(nil, &err)
		}
	})
	if err := failed.Load(); err != nil {
		return *err
	}
	return ctx.Err()
}
