package mst

import (
	"math/bits"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

const (
	orderPieces  = 64
	orderBuckets = 256 // of lesser ends, at most
)

// ascending returns those of n edges that are, in order of their ends. They must come
// in such an order that those of one lesser end ascend, or all but the first do.
// They are dealt to buckets of lesser ends, and counted out in each: O(n).
func (s *span) ascending(n int, at func(i int) (e edge, is bool)) []edge {
	shift := max(bits.Len(uint(s.n))-bits.Len(orderBuckets-1), 0)
	size, workers := (n+orderPieces-1)/orderPieces, s.job.Engine.Pool().Workers()
	starts := make([][orderBuckets]int, orderPieces)
	each := func(do func(piece int, e edge)) {
		parallel.Range(workers, n, size, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				if e, is := at(i); is {
					do(lo/size, e)
				}
			}
		})
	}
	each(func(piece int, e edge) { starts[piece][e.u>>shift]++ })
	var buckets [orderBuckets + 1]int
	total := 0
	for b := range orderBuckets {
		buckets[b] = total
		for p := range starts {
			starts[p][b], total = total, total+starts[p][b]
		}
	}
	buckets[orderBuckets] = total
	dealt, edges := mem.Make[edge](total), mem.Make[edge](total)
	each(func(piece int, e edge) {
		next := &starts[piece][e.u>>shift]
		dealt[*next] = e
		*next++
	})
	parallel.Range(workers, orderBuckets, 1, func(_, b, _ int) {
		countOut(dealt[buckets[b]:buckets[b+1]], edges[buckets[b]:buckets[b+1]], uint32(b)<<shift, 1<<shift)
	})
	return edges
}

// countOut puts edges whose lesser ends are of so many vertices in order.
func countOut(from, to []edge, least uint32, vertices int) {
	if len(from) == 0 {
		return
	}
	next := make([]uint32, vertices+1)
	for _, e := range from {
		next[e.u-least+1]++
	}
	for i := range vertices {
		next[i+1] += next[i]
	}
	for _, e := range from {
		i := next[e.u-least]
		next[e.u-least]++
		to[i] = e
	}
	for i := 1; i < len(to); i++ {
		for k := i; k > 0 && key(to[k-1].u, to[k-1].v) > key(to[k].u, to[k].v); k-- {
			to[k-1], to[k] = to[k], to[k-1]
		}
	}
}
