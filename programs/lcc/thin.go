package lcc

import (
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// Where lists are short, ranking the vertices and making lists by rank takes longer
// than all triangles do. They are then found in the lists as they are: for v and a
// neighbour u < v, the neighbours of v below u are merged with those of u. A pair
// costs no more than both degrees, all together Σ d².
//
// That the graph has neither loops nor parallel edges is found out on the way, in the
// lists up to v, where the second of two parallel arcs between u and v stands, too. If it
// has, what was found is forgotten, and lists are made after all.

// thinReads bounds Σ d² by the arcs of a thin graph: the mean number of neighbours
// at the end of an arc. Grids have 4, roads 3, networks of peers 12 (p2p-31). Beside lists by rank, on two
// cores of a Xeon, uniform graphs of 2^16 and 2^19 vertices took three quarters of the time where the
// mean was 17, more time where it was 25, and cliques (SSCA#2) the same where it was 24.
//
// The list of one vertex is merged by one worker, in up to d²/2 steps: d² is at most the arcs.
const thinReads = 18

// shape tells by the lengths of the lists whether the graph is thin, and even (even.go), if it has
// no loops and no parallel edges.
func shape(g *graph.Graph, workers int) (isThin, isEven bool) {
	if g.Directed() {
		return false, false
	}
	offsets, all, hub := g.Out().Offsets, atomic.Uint64{}, atomic.Bool{}
	parallel.Range(workers, g.N(), squaresPiece, func(_, lo, hi int) {
		squares, most, at := uint64(0), uint64(0), offsets.At(uint32(lo))
		for v := uint32(lo); v < uint32(hi); v++ {
			end := offsets.At(v + 1)
			square := (end - at) * (end - at)
			squares, most, at = squares+square, max(most, square), end
		}
		all.Add(squares)
		if most > g.Arcs() {
			hub.Store(true)
		}
	})
	return all.Load() <= thinReads*g.Arcs() && !hub.Load(), even(g, all.Load())
}

const squaresPiece = 1 << 16 // vertices

// degrees counts the neighbours of the vertices from lo on.
func (s *slot) degrees(g *graph.Graph, degree []uint32, lo uint32) {
	done := 0
	if !g.Directed() {
		done = simpleDegrees(g.Out(), degree, lo)
	}
	for i := done; i < len(degree); i++ {
		near, _ := s.neighbours(g, lo+uint32(i))
		degree[i] = uint32(len(near))
	}
}

// simpleDegrees is degrees for a graph without directions, up to the first vertex with
// loops or parallel arcs, whose place it returns.
func simpleDegrees(out graph.CSR, degree []uint32, lo uint32) (done int) {
	at := out.Offsets.At(lo)
	for i := range degree {
		v := lo + uint32(i)
		end := out.Offsets.At(v + 1)
		row := out.Targets[at:end]
		if !simple(row, v) {
			return i
		}
		degree[i], at = uint32(len(row)), end
	}
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
	return c.Long(pregel.Pieces{Name: "lcc merge", N: len(bounds) - 1, Progress: &c.at.Triangles, Account: c.merging(), Do: func(i int, w *pregel.Worker) {
		m := merging{offsets: out.Offsets, targets: out.Targets, total: c.total}
		m.piece(bounds[i], bounds[i+1])
		w.Arcs += m.read
		w.Atomics += m.atomics
		if m.atomics > 0 {
			atomic.StoreUint32(&c.at.Closed, 1)
		}
		if m.repeated {
			atomic.StoreUint32(&c.at.Repeated, 1)
		}
	}})
}

// simple ends the count, or goes over to the other phases if the graph is not.
func (c *count) simple() bool {
	if c.at.Repeated == 0 {
		c.answer = c.total
		return true
	}
	c.at.Thin, c.at.Stage, c.total = false, -1, nil
	return true
}
