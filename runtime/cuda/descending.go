package cuda

import (
	"math"
	"slices"

	"gopregel/pregel/graph"
)

// Descending tells whether vertices stand by their arcs, the most first, as they
// do in an order by degree: then the first neighbour of a vertex is the one with
// the most. It looks at some of them, so that it is a hint for speed only. In a
// directed graph the arcs of both directions count; without in-arcs at hand the
// answer is no.
func (d *Graph) Descending() bool {
	if !d.Directed {
		return d.descending()
	}
	if !d.Host.HasIn() {
		return false
	}
	out, in := d.Host.Out(), d.Host.In()
	step, last := max(d.N/4096, 1), uint64(math.MaxUint64)
	for v := uint32(0); v < d.N; v += min(step, d.N-v) {
		degree := out.Degree(v) + in.Degree(v)
		if degree > last {
			return false
		}
		last = degree
	}
	return true
}

// WithArcs returns the end of the vertices that have arcs in any of the given
// directions: those from there on have none. They are few where ids are as they
// come, and all that have none in an order by degree.
func WithArcs(sides ...graph.CSR) uint32 {
	end := 0
	for _, c := range sides {
		at, _ := slices.BinarySearch(c.Offsets, c.Arcs())
		end = max(end, at)
	}
	return uint32(end)
}
