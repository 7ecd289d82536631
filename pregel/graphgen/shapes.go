package graphgen

import (
	"math"

	"gopregel/pregel/graph"
)

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

// A turning is how the edge {u,v} of an oriented grid goes, u < v: a set of ways.
type turning uint8

const (
	onward turning = 1 << iota // from u to v
	backward
)

// turnings gives how the edges of the grid go to the right of vertex v and below
// it. At random, each goes either way, or when mixed also both ways, with equal
// probability and independently of the others.
func turnings(s Spec) func(v uint32) (right, down turning) {
	orients := newStream(s.Seed, forOrients)
	switch s.Orient {
	case random:
		return func(v uint32) (right, down turning) {
			x := orients.at(uint64(v))
			return onward << (x >> 63), onward << (x >> 62 & 1)
		}
	case mixed:
		third := func(x uint64) turning { return onward + turning(x*3>>32) }
		return func(v uint32) (right, down turning) {
			x := orients.at(uint64(v))
			return third(x >> 32), third(x & math.MaxUint32)
		}
	}
	return func(uint32) (right, down turning) { return onward, onward }
}

// openGrid numbers the vertices row by row.
func openGrid(s Spec, _ bool) (graph.IDs, generator, error) {
	rows, cols := uint32(s.Rows), uint32(s.Cols)
	turned := turnings(s)
	return newShape(s.Rows*s.Cols, func(b *block, v uint32) {
		right, down := turned(v)
		if v%cols+1 < cols {
			b.addTurned(v, v+1, right)
		}
		if v/cols+1 < rows {
			b.addTurned(v, v+cols, down)
		}
	})
}

func (b *block) addTurned(u, v uint32, t turning) {
	if t&onward != 0 {
		b.add(u, v)
	}
	if t&backward != 0 {
		b.add(v, u)
	}
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
