package graph500

import (
	"fmt"
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

const piece = 1 << 16

// firstEnds counts, for each vertex, the edges whose first end it is.
func firstEnds(n int, us []uint32, workers int) ([]uint32, error) {
	count := mem.Make[uint32](n)
	var overflow atomic.Bool
	parallel.Range(workers, len(us), piece, func(_, lo, hi int) {
		for _, u := range us[lo:hi] {
			if atomic.AddUint32(&count[u], 1) == 0 {
				overflow.Store(true)
			}
		}
	})
	if overflow.Load() {
		return nil, fmt.Errorf("graph500: a vertex is the first end of 2^32 edges: choose a smaller edge factor")
	}
	return count, nil
}

// edges counts the edges of the list within the component of the root: those
// whose first end the search has reached.
func (r *runner) edges(parent []uint32, root uint32) uint64 {
	var sum atomic.Uint64
	parallel.Range(r.Workers, len(parent), piece, func(_, lo, hi int) {
		part := uint64(0)
		for v, p := range parent[lo:hi] {
			if p != graph.None {
				part += uint64(r.tuples[lo+v])
			}
		}
		sum.Add(part)
	})
	if parent[root] == graph.None {
		return sum.Load() + uint64(r.tuples[root])
	}
	return sum.Load()
}

// sample draws distinct vertices of degree above 0, loops not counted, each
// with the same chance. A graph that has fewer gives all, as the specification
// wants it.
func sample(out graph.CSR, count int, seed uint64) []uint32 {
	n := uint64(out.N())
	var roots []uint32
	seen := map[uint32]bool{}
	add := func(v uint32) {
		if out.Degree(v) > 0 && !seen[v] {
			seen[v] = true
			roots = append(roots, v)
		}
	}
	key := graph.SplitMix64(graph.SplitMix64(seed) + 0x500)
	for i := uint64(0); i < 1000*uint64(count) && len(roots) < count; i++ {
		add(uint32(graph.SplitMix64(key+i) % n))
	}
	for v := uint64(0); v < n && len(roots) < count; v++ { // hardly any are left
		add(uint32(v))
	}
	return roots
}
