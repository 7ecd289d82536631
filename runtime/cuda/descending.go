package cuda

import (
	"math"
	"sort"

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
	return descending(d.N, func(v uint32) uint64 { return out.Degree(v) + in.Degree(v) })
}

// descending is Descending by out-arcs alone.
func (d *Graph) descending() bool { return descending(d.N, d.Host.Out().Degree) }

func descending(n uint32, degree func(v uint32) uint64) bool {
	step, last := max(n/4096, 1), uint64(math.MaxUint64)
	for v := uint32(0); v < n; v += min(step, n-v) {
		d := degree(v)
		if d > last {
			return false
		}
		last = d
	}
	return true
}

// WithArcs returns the end of the vertices that have arcs in any of the given
// directions: those from there on have none. They are few where ids are as they
// come, and all that have none in an order by degree.
func WithArcs(sides ...graph.CSR) uint32 {
	end := 0
	for _, c := range sides {
		end = max(end, sort.Search(c.N(), func(v int) bool { return c.Offsets.At(uint32(v)) >= c.Arcs() }))
	}
	return uint32(end)
}
