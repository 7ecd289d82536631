package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"gopregel/pregel/graph"
)

// A sketch is a graph as a list that can be made shorter.
type sketch struct {
	n                  int
	arcs               []graph.Arc
	directed, weighted bool
}

// newSketch draws a graph without negative weights; some are larger than a block
// of vertices.
func newSketch(r *rand.Rand) sketch {
	n := 1 + r.IntN(24)
	if r.IntN(4) == 0 {
		n = 60 + r.IntN(90)
	}
	s := sketch{n: n, directed: r.IntN(2) == 0, weighted: r.IntN(2) == 0}
	for range r.IntN(3*n + 1) {
		s.arcs = append(s.arcs, graph.Arc{U: uint32(r.IntN(n)), V: uint32(r.IntN(n)), W: r.Int32N(20)})
	}
	if r.IntN(3) == 0 { // a long way round
		for v := range n - 1 {
			s.arcs = append(s.arcs, graph.Arc{U: uint32(v), V: uint32(v + 1), W: 1 + r.Int32N(9)})
		}
	}
	return s
}

func (s sketch) build() *graph.Graph {
	g, err := graph.FromArcs(s.n, graph.ArcList{List: s.arcs, Weighted: s.weighted}, graph.Options{Directed: s.directed})
	if err != nil {
		panic(err) // all ends are below n
	}
	return g
}

func (s sketch) String() string { return Picture(s.n, s.arcs, s.directed, s.weighted) }

// Picture writes a small graph as something that a reader can draw.
func Picture(vertices int, arcs []graph.Arc, directed, weighted bool) string {
	kind, arc, noun := "an undirected graph", "-", "vertices"
	if directed {
		kind, arc = "a directed graph", "→"
	}
	if vertices == 1 {
		noun = "vertex"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s of %d %s", kind, vertices, noun)
	if len(arcs) == 0 {
		return b.String() + " without edges"
	}
	for i, a := range arcs {
		if i == 40 {
			fmt.Fprintf(&b, " … and %d more", len(arcs)-i)
			break
		}
		fmt.Fprintf(&b, "%s%d%s%d", []string{": ", ", "}[min(i, 1)], a.U, arc, a.V)
		if weighted {
			fmt.Fprintf(&b, " (%d)", a.W)
		}
	}
	return b.String()
}

// most is how many smaller graphs are tried for one counter-example.
const most = 250

// shrink makes the graph smaller while it still fails.
func (s sketch) shrink(fails func(sketch) bool) sketch {
	left := most
	try := func(t sketch) bool {
		if left == 0 {
			return false
		}
		left--
		if !fails(t) {
			return false
		}
		s = t
		return true
	}
	for again := true; again && left > 0; {
		again = false
		for size := len(s.arcs); size > 0; size /= 2 { // runs of arcs, the longest first
			for at := 0; at+size <= len(s.arcs) && left > 0; {
				if !try(s.without(at, size)) {
					at += size
				} else {
					again = true
				}
			}
		}
		for size := s.n / 2; size > 0; size /= 2 {
			for at := 0; at+size <= s.n && s.n > size && left > 0; {
				if !try(s.withoutVertices(at, size)) {
					at += size
				} else {
					again = true
				}
			}
		}
		again = s.simplify(try) || again
	}
	return s
}

// simplify makes weights lighter, or leaves them out.
func (s *sketch) simplify(try func(sketch) bool) (again bool) {
	if s.weighted {
		t := *s
		t.weighted = false
		again = try(t)
	}
	for i := range s.arcs {
		if !s.weighted || s.arcs[i].W <= 1 {
			continue
		}
		t := *s
		t.arcs = slices.Clone(s.arcs)
		t.arcs[i].W = 1
		again = try(t) || again
	}
	return again
}

func (s sketch) without(at, size int) sketch {
	s.arcs = slices.Delete(slices.Clone(s.arcs), at, at+size)
	return s
}

// withoutVertices takes vertices out, and their arcs; those above move down.
func (s sketch) withoutVertices(at, size int) sketch {
	lo, hi := uint32(at), uint32(at+size)
	s.n -= size
	move := func(v uint32) uint32 {
		if v >= hi {
			return v - uint32(size)
		}
		return v
	}
	var arcs []graph.Arc
	for _, a := range s.arcs {
		if a.U >= lo && a.U < hi || a.V >= lo && a.V < hi {
			continue
		}
		arcs = append(arcs, graph.Arc{U: move(a.U), V: move(a.V), W: a.W})
	}
	s.arcs = arcs
	return s
}
