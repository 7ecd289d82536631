package binary

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"gopregel/pregel/graph"
)

// Result: whether arrays are a graph in the form that package graph wants.
// Method: each list of arcs is checked by itself: its offsets ascend and end
// within the arcs, its targets are below n and sorted. What concerns two lists
// is checked by sums of hashes modulo 2^64, which do not depend on order: the
// in-arcs (v, u, w) sum to the same as the out-arcs (u, v, w), and in an
// undirected graph the arcs with u < v cancel those with u > v. A difference
// goes unnoticed with probability 2^-64, unless made on purpose.
// Cost: O(n+m), one hash an arc.

// A sense is the way the arcs of a list are hashed.
type sense uint8

const (
	forward sense = iota // (u, v, w)
	inward               // (v, u, w)
	mutual               // (u, v, w) if u < v, less (v, u, w) if u > v
)

func outward(directed bool) sense {
	if directed {
		return forward
	}
	return mutual
}

// A finding is what inspect has counted.
type finding struct {
	loops uint64
	hash  uint64
}

func inspect(ctx context.Context, c graph.CSR, workers int, s sense) (finding, error) {
	var loops, hash atomic.Uint64
	var first firstError
	n, m := uint64(c.N()), c.Arcs()
	eachRange(c, workers, func(from, to uint32) {
		var sum finding
		err := ctx.Err()
		for u := from; u < to && err == nil; u++ {
			lo, hi := c.Offsets.Row(u)
			if lo > hi || hi > m {
				err = fmt.Errorf("offsets of vertex %d are %d to %d of %d arcs", u, lo, hi, m)
				break
			}
			list := c.Targets[lo:hi]
			if err = checkTargets(u, list, n); err == nil {
				sum.add(u, list, c.Weights.Slice(lo, hi), s)
			}
		}
		if err != nil {
			first.set(uint64(from), err)
			return
		}
		loops.Add(sum.loops)
		hash.Add(sum.hash)
	})
	return finding{loops.Load(), hash.Load()}, first.err
}

func checkTargets(u uint32, list []uint32, n uint64) error {
	last := uint32(0)
	for _, v := range list {
		if v < last {
			return fmt.Errorf("targets of vertex %d are not sorted: %d after %d", u, v, last)
		}
		last = v
	}
	if uint64(last) >= n {
		return fmt.Errorf("vertex %d has target %d, there are %d vertices", u, last, n)
	}
	return nil
}

// add counts and hashes the arcs of vertex u.
func (f *finding) add(u uint32, list []uint32, w graph.Weights, s sense) {
	for i, v := range list {
		x, y := u, v
		if s == inward || s == mutual && u > v {
			x, y = v, u
		}
		h := uint64(x)<<32 | uint64(y)
		switch {
		case w.Int != nil:
			h += weightFactor * (uint64(uint32(w.Int[i])) + 1)
		case w.Float != nil:
			h += weightFactor * (uint64(math.Float32bits(w.Float[i])) + 1)
		}
		h = graph.SplitMix64(h)
		switch {
		case u == v:
			f.loops++
			if s == mutual {
				h = 0
			}
		case s == mutual && u > v:
			h = -h
		}
		f.hash += h
	}
}

const weightFactor = 0xD6E8FEB86659FD93
