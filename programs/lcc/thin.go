package lcc

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Where lists are short, ranking the vertices and making lists by rank takes longer
// than all triangles do. They are then found in the lists as they are: for v and a
// neighbour u < v, the neighbours of v below u are merged with those of u. A pair
// costs no more than both degrees, all together Σ d².

// thinReads bounds Σ d² by the arcs of a thin graph: the mean number of neighbours
// at the end of an arc. Grids have 4, roads 3.
const thinReads = 8

// thin tells whether the graph is, after degrees.
func (c *count) thin() bool {
	squares, repeated := uint64(0), c.g.Directed()
	for i := range c.slots {
		squares += c.slots[i].squares
		repeated = repeated || c.slots[i].repeated
	}
	return !repeated && squares <= thinReads*c.g.Out().Arcs()
}

// degree counts the neighbours of v.
func (s *slot) degree(g *graph.Graph, v uint32) uint32 {
	if list := g.Out().Neighbors(v); !g.Directed() && simple(list, v) {
		return uint32(len(list))
	}
	s.repeated = true
	near, _ := s.neighbours(g, v)
	return uint32(len(near))
}

// simple tells whether an ascending list of arcs of v has neither loops nor repeats.
func simple(list []uint32, v uint32) bool {
	last := v
	for _, u := range list {
		if u == v || u == last {
			return false
		}
		last = u
	}
	return true
}

// trianglesByID is triangles for a thin graph.
func (c *count) trianglesByID() bool {
	bounds := c.g.Out().Cut(pieceArcs, 1)
	return c.Long(pregel.Pieces{Name: "lcc merge", N: len(bounds) - 1, Progress: &c.at.Triangles, Account: c.merging(), Do: func(i int, w *pregel.Worker) {
		s := &c.slots[w.Slot]
		for v := bounds[i]; v < bounds[i+1]; v++ {
			w.Arcs += c.listByID(v, s)
		}
	}})
}

// listByID lists the triangles w < u < v, and returns how many arcs it has read.
func (c *count) listByID(v uint32, s *slot) (read uint64) {
	out := c.g.Out()
	list := out.Neighbors(v)
	for i, u := range list {
		if u > v {
			return read + 1
		}
		read++
		if i == 0 {
			continue // nothing is below
		}
		found, looked := s.closeByID(list[:i], out.Neighbors(u), c.n)
		read += looked
		if found > 0 {
			s.total[u] += found
			s.total[v] += found
		}
	}
	return read
}

// closeByID finds what two ascending lists share, adds 1 to its totals, and returns
// how many that are, and of how many arcs it has looked at.
func (s *slot) closeByID(below, near []uint32, n int) (found, looked uint64) {
	i := 0
	for j, w := range near {
		for below[i] < w {
			if i++; i == len(below) {
				return found, uint64(i + j + 1)
			}
		}
		if below[i] == w {
			s.close(w, n)
			found++
		}
	}
	return found, uint64(i + len(near))
}

// close adds 1 to the total of w. Many thin graphs have no triangles, and need no
// totals.
func (s *slot) close(w uint32, n int) {
	if s.total == nil {
		s.total = mem.Make[uint64](n)
	}
	s.total[w]++
}
