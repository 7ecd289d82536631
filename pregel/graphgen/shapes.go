package graphgen

import "gopregel/pregel/graph"

// A shape is a regular graph, given by the edges that each vertex adds.
type shape struct {
	n     int
	piece int
	edges func(b *block, v uint32)
}

func (s shape) units() uint64 { return uint64(s.n) }
func (s shape) grain() int    { return s.piece }

func (s shape) fill(b *block, lo, hi uint64) {
	for v := lo; v < hi; v++ {
		s.edges(b, uint32(v))
	}
}

func newShape(n int, edges func(b *block, v uint32)) (graph.IDs, generator, error) {
	return graph.RangeIDs(0, n), shape{n: n, piece: blockEdges, edges: edges}, nil
}

// openGrid numbers the vertices row by row. At random, each edge goes either way
// with probability 1/2, independently of the others: vertex v's number in the
// stream has a bit for the edge to its right and one for that below it.
func openGrid(s Spec, _ bool) (graph.IDs, generator, error) {
	rows, cols := uint32(s.Rows), uint32(s.Cols)
	turns := func(uint32) uint64 { return 0 }
	if s.Orient == random {
		orients := newStream(s.Seed, forOrients)
		turns = func(v uint32) uint64 { return orients.at(uint64(v)) }
	}
	return newShape(s.Rows*s.Cols, func(b *block, v uint32) {
		turned := turns(v)
		if v%cols+1 < cols {
			b.addTurned(v, v+1, turned>>63 != 0)
		}
		if v/cols+1 < rows {
			b.addTurned(v, v+cols, turned>>62&1 != 0)
		}
	})
}

// addTurned adds the edge from u to v, or from v to u.
func (b *block) addTurned(u, v uint32, turned bool) {
	if turned {
		u, v = v, u
	}
	b.add(u, v)
}

func openPath(s Spec, _ bool) (graph.IDs, generator, error) {
	return newShape(s.N, func(b *block, v uint32) {
		if v > 0 {
			b.add(v-1, v)
		}
	})
}

func openCycle(s Spec, _ bool) (graph.IDs, generator, error) {
	last := uint32(s.N - 1)
	return newShape(s.N, func(b *block, v uint32) {
		if v == last {
			b.add(last, 0)
		} else {
			b.add(v, v+1)
		}
	})
}

func openStar(s Spec, _ bool) (graph.IDs, generator, error) {
	return newShape(s.N, func(b *block, v uint32) {
		if v > 0 {
			b.add(0, v)
		}
	})
}

func openTree(s Spec, _ bool) (graph.IDs, generator, error) {
	return newShape(s.N, func(b *block, v uint32) {
		if v > 0 {
			b.add((v-1)/2, v)
		}
	})
}

func openComplete(s Spec, directed bool) (graph.IDs, generator, error) {
	g := shape{n: s.N, piece: max(1, blockEdges/s.N)}
	g.edges = func(b *block, v uint32) {
		for w := range v {
			b.add(w, v)
			if directed {
				b.add(v, w)
			}
		}
	}
	return graph.RangeIDs(0, s.N), g, nil
}
