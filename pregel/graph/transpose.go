package graph

import (
	"sort"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// transpose returns the arcs of c by their other end, sorted.
//
// The sources are cut into a few parts of equal numbers of arcs. Each part
// counts its arcs to each target; prefix sums over targets, then parts, give
// every (part, target) a place of its own, so that parts can be written at the
// same time, without atomics, each in order of its sources: the lists come out
// sorted. Cost: O(n·parts + m).
func transpose(c CSR, workers int) CSR {
	n := c.N()
	bounds := transposeParts(c, workers)
	parts := len(bounds) - 1
	counts := make([][]uint32, parts)
	parallel.Range(workers, parts, 1, func(_, p, _ int) {
		counts[p] = mem.Make[uint32](n)
		for _, v := range c.Targets[c.Offsets.At(bounds[p]):c.Offsets.At(bounds[p+1])] {
			counts[p][v]++
		}
	})
	t := CSR{Offsets: MakeOffsets(n+1, c.Arcs()), Targets: mem.Make[uint32](len(c.Targets))}
	var sum uint64
	for v := range n {
		t.Offsets.Set(uint32(v), sum)
		var degree uint32
		for p := range parts {
			degree, counts[p][v] = degree+counts[p][v], degree
		}
		sum += uint64(degree)
	}
	t.Offsets.Set(uint32(n), sum)
	switch c.Weights.Kind() {
	case Int32:
		t.Weights.Int = mem.Make[int32](len(c.Targets))
	case Float32:
		t.Weights.Float = mem.Make[float32](len(c.Targets))
	}
	parallel.Range(workers, parts, 1, func(_, p, _ int) {
		transposePart(c, t, counts[p], bounds[p], bounds[p+1])
	})
	return t
}

func transposePart(c, t CSR, next []uint32, lo, hi uint32) {
	for u := lo; u < hi; u++ {
		base := c.Offsets.At(u)
		for i, v := range c.Neighbors(u) {
			at := t.Offsets.At(v) + uint64(next[v])
			next[v]++
			t.Targets[at] = u
			switch {
			case t.Weights.Int != nil:
				t.Weights.Int[at] = c.Weights.Int[base+uint64(i)]
			case t.Weights.Float != nil:
				t.Weights.Float[at] = c.Weights.Float[base+uint64(i)]
			}
		}
	}
}

// transposeParts cuts the sources into parts of about equal numbers of arcs,
// few enough that the counters take no more memory than the arcs do.
func transposeParts(c CSR, workers int) []uint32 {
	n := c.N()
	parts := min(parallel.Workers(workers), max(1, len(c.Targets)/max(n, 1)))
	bounds := []uint32{0}
	for p := 1; p < parts; p++ {
		want := c.Arcs() * uint64(p) / uint64(parts)
		u := uint32(sort.Search(n, func(u int) bool { return c.Offsets.At(uint32(u)) >= want }))
		bounds = append(bounds, max(u, bounds[p-1]))
	}
	return append(bounds, uint32(n))
}
