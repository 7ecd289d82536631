package lcc

import (
	"gopregel/pregel"
	"gopregel/pregel/mem"
)

const pieceArcs = 1 << 10

// triangles lists the triangles, for each of their middle corners, and adds
// them up in the workers' own totals.
func (c *count) triangles() bool {
	bounds := c.higher.Cut(pieceArcs, 1)
	return c.Items("lcc triangles", len(bounds)-1, func(i int, w *pregel.Worker) {
		s := &c.slots[w.Slot]
		if s.total == nil {
			s.total, s.marks = mem.Make[uint64](c.n), mem.Make[uint8](c.n)
		}
		for v := bounds[i]; v < bounds[i+1]; v++ {
			c.at(v, s)
		}
	})
}

// at lists the triangles w < v < u.
func (c *count) at(v uint32, s *slot) {
	below, above := c.lower.Neighbors(v), c.higher.Neighbors(v)
	if len(below) == 0 || len(above) == 0 {
		return
	}
	if c.g.Directed() {
		c.directed(v, s)
		return
	}
	for _, w := range below {
		s.marks[w] = 1
	}
	all := uint64(0)
	for _, u := range above {
		found := closeAll(c.lower.Neighbors(u), s.marks[:v], s.total)
		s.total[u] += found
		all += found
	}
	s.total[v] += all
	for _, w := range below {
		s.marks[w] = 0
	}
}

// closeAll finds the w in an ascending list that are marked, up to the length of
// marks, adds 1 to their totals and returns their number. About half are: a
// branch would be guessed wrong too often.
func closeAll(list []uint32, marks []uint8, total []uint64) (found uint64) {
	total = total[:len(marks)]
	for _, w := range list {
		if int(w) >= len(marks) {
			break
		}
		x := uint64(marks[w])
		total[w] += x
		found += x
	}
	return found
}

// directed is at for a directed graph: sides have one arc or two.
func (c *count) directed(v uint32, s *slot) {
	lo, hi := c.lower.Offsets[v], c.lower.Offsets[v+1]
	for i := lo; i < hi; i++ {
		s.marks[c.lower.Targets[i]] = uint8(c.lower.Weights.Int[i])
	}
	first := c.higher.Offsets[v]
	for i, u := range c.higher.Neighbors(v) {
		c.closeDirected(v, u, uint64(c.higher.Weights.Int[first+uint64(i)]), s)
	}
	for _, w := range c.lower.Neighbors(v) {
		s.marks[w] = 0
	}
}

// closeDirected is closeAll for u, which side arcs join to v. A mark of 1 or 2
// arcs turns on a mask of all ones.
func (c *count) closeDirected(v, u uint32, side uint64, s *slot) {
	var atU, atV uint64
	lo, hi := c.lower.Offsets[u], c.lower.Offsets[u+1]
	list, arcs := c.lower.Targets[lo:hi], c.lower.Weights.Int[lo:hi]
	marks := s.marks[:v]
	total := s.total[:len(marks)]
	for i, w := range list {
		if int(w) >= len(marks) {
			break
		}
		x := uint64(marks[w])
		on := -(x&1 | x>>1)
		total[w] += side & on
		atU += x
		atV += uint64(arcs[i]) & on
	}
	s.total[u] += atU
	s.total[v] += atV
}

// sum adds up the workers' totals, by vertex.
func (c *count) sum() []uint64 {
	arcs := mem.Make[uint64](c.n)
	sides := uint64(1)
	if !c.g.Directed() {
		sides = 2
	}
	c.Vertices("lcc sum", func(lo, hi uint32, _ *pregel.Worker) {
		for r := lo; r < hi; r++ {
			var t uint64
			for i := range c.slots {
				if total := c.slots[i].total; total != nil {
					t += total[r]
				}
			}
			arcs[c.vertex[r]] = t * sides
		}
	})
	return arcs
}
