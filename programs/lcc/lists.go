package lcc

import (
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file makes the lists of neighbours of lower rank, each written and sorted by itself, O(m log m) in all, and finds
// those of higher rank where they are needed, by a look at the rank of each neighbour: to keep them, too, would take
// twice the memory.

// measure finds where the lists of neighbours of lower rank begin.
func (c *count) measure() bool {
	offsets := graph.MakeOffsets(c.n+1, c.g.Arcs())
	if !c.Vertices("lcc measure", overVertices(offsets.Width(), rankBytes), func(lo, hi uint32, w *pregel.Worker) {
		for v := lo; v < hi; v++ {
			near, _ := c.slots[w.Slot].neighbours(c.g, v)
			offsets.Set(c.rank[v]+1, c.below(c.rank[v], near))
		}
		w.Arcs += c.arcs(lo, hi)
	}) {
		return false
	}
	arcs := uint64(0)
	for r := range uint32(c.n) {
		arcs += offsets.At(r + 1)
		offsets.Set(r+1, arcs)
	}
	c.lowerRows.narrow, c.lowerRows.wide = offsets.Lists()
	c.lower = graph.CSR{Offsets: offsets, Targets: mem.Make[uint32](int(arcs))}
	if c.g.Directed() {
		c.lower.Weights.Int = mem.Make[int32](int(arcs))
	}
	return true
}

// build makes these lists.
func (c *count) build() bool {
	return c.Vertices("lcc build", c.listing(rankBytes, rankBytes), func(lo, hi uint32, w *pregel.Worker) {
		for v := lo; v < hi; v++ {
			s := &c.slots[w.Slot]
			near, arcs := s.neighbours(c.g, v)
			c.put(c.rank[v], near, arcs, s)
		}
		w.Arcs += c.arcs(lo, hi)
	})
}

// below counts the neighbours of lower rank than r.
func (c *count) below(r uint32, near []uint32) (k uint64) {
	for _, u := range near {
		if c.rank[u] < r {
			k++
		}
	}
	return k
}

// put stores the neighbours of lower rank than r, ascending.
func (c *count) put(r uint32, near []uint32, arcs []int32, s *slot) {
	lo, hi := c.lower.Offsets.Row(r)
	row := c.lower.Targets[lo:hi]
	if !c.g.Directed() {
		k := 0
		for _, u := range near {
			if at := c.rank[u]; at < r {
				row[k] = at
				k++
			}
		}
		slices.Sort(row)
		return
	}
	s.pairs = s.pairs[:0]
	for i, u := range near {
		if at := c.rank[u]; at < r {
			s.pairs = append(s.pairs, uint64(at)<<32|uint64(arcs[i]))
		}
	}
	slices.Sort(s.pairs)
	sides := c.lower.Weights.Int[lo:hi]
	for k, pair := range s.pairs {
		row[k], sides[k] = uint32(pair>>32), int32(uint32(pair))
	}
}

// above returns the neighbours of higher rank than r, as they stand in the graph, and, where that has directions,
// how many arcs join it to each.
func (c *count) above(r uint32, s *slot) (above []uint32, sides []int32) {
	v := c.vertex[r]
	if row := c.g.Out().Neighbors(v); !c.g.Directed() && len(row) == int(c.degree[v]) {
		return s.ranksAbove(r, c.rank, row), nil
	}
	near, arcs := s.neighbours(c.g, v)
	k := 0
	for i, u := range near {
		if at := c.rank[u]; at > r {
			near[k], arcs[k] = at, arcs[i]
			k++
		}
	}
	return near[:k], arcs[:k]
}

// ranksAbove returns the ranks above r of some vertices, without a branch on each.
func (s *slot) ranksAbove(r uint32, rank, vertices []uint32) []uint32 {
	s.near = slices.Grow(s.near[:0], len(vertices))[:len(vertices)]
	near, k := s.near, 0
	for _, u := range vertices {
		at, next := rank[u], k
		if at > r {
			next = k + 1
		}
		near[k], k = at, next
	}
	return near[:k]
}

// cut returns ascending ranks, from 0 on, between which vertices have about so many neighbours, a vertex
// counting as one more. graph.Cut wants the sums up to each, which nobody else needs.
func (c *count) cut(neighbours uint64) []uint32 {
	bounds, sum := []uint32{0}, uint64(0)
	for r, v := range c.vertex {
		if sum += uint64(c.degree[v]) + 1; sum >= neighbours || r+1 == c.n {
			bounds, sum = append(bounds, uint32(r)+1), 0
		}
	}
	return bounds
}
