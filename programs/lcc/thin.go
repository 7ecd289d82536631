package lcc

import (
	"sync/atomic"

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

// degrees counts the neighbours of the vertices from lo on, and adds up their squares.
func (s *slot) degrees(g *graph.Graph, degree []uint32, lo uint32) {
	done := 0
	if !g.Directed() {
		done = s.simpleDegrees(g.Out(), degree, lo)
	}
	for i := done; i < len(degree); i++ {
		s.repeated = true
		near, _ := s.neighbours(g, lo+uint32(i))
		degree[i] = uint32(len(near))
		s.squares += uint64(len(near)) * uint64(len(near))
	}
}

// simpleDegrees is degrees for a graph without directions, up to the first vertex with
// loops or parallel arcs, whose place it returns.
func (s *slot) simpleDegrees(out graph.CSR, degree []uint32, lo uint32) (done int) {
	squares := uint64(0)
	at, ends := out.Offsets[lo], out.Offsets[lo+1:][:len(degree)]
	for i, end := range ends {
		row := out.Targets[at:end]
		if !simple(row, lo+uint32(i)) {
			s.squares += squares
			return i
		}
		degree[i], at = uint32(len(row)), end
		squares += uint64(len(row)) * uint64(len(row))
	}
	s.squares += squares
	return len(degree)
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

// thinPiece is how many arcs a worker takes at a time.
const thinPiece = 1 << 13

// trianglesByID is triangles for a thin graph. Workers add to the same totals, each
// triangle 2 at every corner, as an edge is two arcs: they are the answer.
func (c *count) trianglesByID() bool {
	if len(c.total) == 0 {
		c.total = mem.Make[uint64](c.n)
	}
	out := c.g.Out()
	bounds := out.Cut(thinPiece, 1)
	done := c.Long(pregel.Pieces{Name: "lcc merge", N: len(bounds) - 1, Progress: &c.at.Triangles, Account: c.merging(), Do: func(i int, w *pregel.Worker) {
		m := merging{offsets: out.Offsets, targets: out.Targets, total: c.total}
		m.list(bounds[i], bounds[i+1])
		w.Arcs += m.read
		w.Atomics += m.atomics
	}})
	c.answer = c.total
	return done
}

// merging is a piece of a thin graph.
type merging struct {
	offsets       []uint64
	targets       []uint32
	total         []uint64
	read, atomics uint64
}

// list lists the triangles w < u < v of the v from lo to hi. Where nothing is below u
// there is nothing to look for.
func (m *merging) list(lo, hi uint32) {
	offsets, targets, read := m.offsets, m.targets, uint64(0)
	at, ends := offsets[lo], offsets[lo+1:hi+1]
	for i, end := range ends {
		v, row, found := lo+uint32(i), targets[at:end], uint64(0)
		at = end
		for k, u := range row {
			read++
			if u > v {
				break
			}
			if k > 0 {
				closed, looked := m.close(row[:k], targets[offsets[u]:offsets[u+1]], u)
				found += closed
				read += looked
			}
		}
		m.add(v, found)
	}
	m.read += read
}

// close finds what the neighbours of a vertex below u share with near, those of u, and
// returns how many that are, and of how many arcs it has looked at.
func (m *merging) close(below, near []uint32, u uint32) (found, looked uint64) {
	i, w := 0, below[0]
	for j, x := range near {
		for w < x {
			if i++; i >= len(below) {
				m.add(u, found)
				return found, uint64(i + j + 1)
			}
			w = below[i]
		}
		if w == x {
			m.add(w, 1)
			found++
		}
	}
	m.add(u, found)
	return found, uint64(i + len(near))
}

// add adds triangles to the total of v.
func (m *merging) add(v uint32, triangles uint64) {
	if triangles > 0 {
		atomic.AddUint64(&m.total[v], 2*triangles)
		m.atomics++
	}
}
