package graph

import (
	"context"
	"errors"
	"fmt"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// ErrRenumbered says that a renumbered graph cannot be written.
var ErrRenumbered = errors.New("the graph has been renumbered: write the one it was made of")

// OrderVersion is that of ByDegree, ByLocality, ByTiles and Renumbered, taken
// together: where one of them makes something else of a graph than before, it goes up, as
// renumbered graphs are kept in files that name it.
const OrderVersion = 1

// Renumbered returns the graph with its vertices in another order: vertex v of
// it is vertex order[v] of g, which must be a permutation. Ids stay with their
// vertices. The in-arcs of a directed graph are made too. Memory is that of
// another graph, and for a while that of the arcs once more.
//
// Lists come out sorted because arcs are turned round: transpose writes every
// list in order of the other ends.
func (g *Graph) Renumbered(ctx context.Context, order []uint32, workers int) (*Graph, error) {
	place, err := inverse(order, g.N())
	if err != nil {
		return nil, err
	}
	mixed := g.permuted(order, place, workers)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	in := transpose(mixed, workers)
	if !g.directed {
		return g.reorder(order, place, in, nil)
	}
	mixed = CSR{}
	return g.reorder(order, place, transpose(in, workers), &in)
}

// RenumberedAs is Renumbered with the arrays that it has made before; in is nil
// for an undirected graph. Of the arrays it looks at the lengths alone.
func (g *Graph) RenumberedAs(order []uint32, out CSR, in *CSR) (*Graph, error) {
	place, err := inverse(order, g.N())
	switch {
	case err != nil:
		return nil, err
	case out.Arcs() != g.Arcs():
		return nil, fmt.Errorf("graph: %d arcs for a graph of %d", out.Arcs(), g.Arcs())
	case g.directed != (in != nil):
		return nil, errors.New("graph: in-arcs go with a directed graph, and must")
	}
	return g.reorder(order, place, out, in)
}

func (g *Graph) reorder(order, place []uint32, out CSR, in *CSR) (*Graph, error) {
	r, err := New(Parts{Directed: g.directed, IDs: g.ids.reordered(order, place), Out: out, In: in})
	if r != nil {
		r.reordered = true
	}
	return r, err
}

// Reordered tells whether the graph was made by Renumbered: many runs are
// expected of it, so that an engine may spend time once on more forms of it.
func (g *Graph) Reordered() bool { return g.reordered }

// inverse returns where each vertex stands in an order.
func inverse(order []uint32, n int) ([]uint32, error) {
	if len(order) != n {
		return nil, fmt.Errorf("graph: an order of %d vertices for a graph of %d", len(order), n)
	}
	place := mem.Make[uint32](n)
	for i := range place {
		place[i] = None
	}
	for i, v := range order {
		switch {
		case int(v) >= n:
			return nil, fmt.Errorf("graph: vertex %d in the order of a graph of %d", v, n)
		case place[v] != None:
			return nil, fmt.Errorf("graph: vertex %d stands twice in the order", v)
		}
		place[v] = uint32(i)
	}
	return place, nil
}

// permuted returns the out-arcs under their new names, lists as they were.
func (g *Graph) permuted(order, place []uint32, workers int) CSR {
	from := g.out
	c := CSR{Offsets: MakeOffsets(g.N()+1, from.Arcs()), Targets: mem.Make[uint32](len(from.Targets))}
	sum := uint64(0)
	for i, v := range order {
		sum += from.Degree(v)
		c.Offsets.Set(uint32(i)+1, sum)
	}
	switch from.Weights.Kind() {
	case Int32:
		c.Weights.Int = mem.Make[int32](len(from.Targets))
	case Float32:
		c.Weights.Float = mem.Make[float32](len(from.Targets))
	}
	eachChunk(c, workers, func(_ int, lo, hi uint32) {
		for i := lo; i < hi; i++ {
			at, end := c.Offsets.Row(i)
			start := from.Offsets.At(order[i])
			for j, v := range from.Targets[start : start+end-at] {
				c.Targets[at+uint64(j)] = place[v]
			}
			w := from.Weights.Slice(start, start+end-at)
			copy(c.Weights.Slice(at, end).Int, w.Int)
			copy(c.Weights.Slice(at, end).Float, w.Float)
		}
	})
	return c
}

// ByDegree returns the vertices by their number of arcs, out and in, the most
// first; those with as many, in the order they have. Hubs then share cache
// lines, stand first in every list, and vertices without arcs come last.
func (g *Graph) ByDegree(workers int) []uint32 {
	n := g.N()
	keys := mem.Make[uint64](n)
	in := g.In()
	parallel.Range(workers, n, 1<<14, func(_, lo, hi int) {
		for v := uint32(lo); v < uint32(hi); v++ {
			degree := g.out.Degree(v)
			if g.directed {
				degree += in.Degree(v)
			}
			keys[v] = (1<<32-1-min(degree, 1<<32-1))<<32 | uint64(v)
		}
	})
	sortBits(keys, mem.Make[uint64](n), 32, 64)
	order := mem.Make[uint32](n)
	for i, k := range keys {
		order[i] = uint32(k)
	}
	return order
}

// ByLocality returns the vertices in the reverse of the order in which
// breadth-first searches meet them, arcs taken as edges; each search starts at a
// vertex of least degree and takes neighbours by degree. Neighbours then lie near
// each other where the graph is like a net of roads. (Cuthill, McKee, Reducing
// the bandwidth of sparse symmetric matrices, ACM 1969; George, Computer
// implementation of the finite element method, 1971.)
//
// Cost: O(n + m log d), one worker.
func (g *Graph) ByLocality(workers int) []uint32 {
	n := g.N()
	starts := g.ByDegree(workers)
	rank := mem.Make[uint32](n) // least degree first
	for i, v := range starts {
		rank[v] = uint32(n - 1 - i)
	}
	s := &search{g: g, order: mem.Make[uint32](n)[:0], rank: rank, met: mem.Make[bool](n)}
	for i := n - 1; i >= 0; i-- {
		s.from(starts[i])
	}
	order := s.order
	for i, j := 0, n-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// search is a breadth-first search; order is its queue, too.
type search struct {
	g     *Graph
	order []uint32
	rank  []uint32 // of vertices by degree
	met   []bool
	next  []uint64 // neighbours just met, with their ranks
	spare []uint64
}

func (s *search) from(start uint32) {
	if s.met[start] {
		return
	}
	s.met[start] = true
	first := len(s.order)
	s.order = append(s.order, start)
	for i := first; i < len(s.order); i++ {
		u := s.order[i]
		s.next = s.next[:0]
		s.meet(s.g.out.Neighbors(u))
		if s.g.directed {
			s.meet(s.g.In().Neighbors(u))
		}
		if len(s.spare) < len(s.next) {
			s.spare = make([]uint64, 2*len(s.next))
		}
		sortBits(s.next, s.spare, 32, 64)
		for _, x := range s.next {
			s.order = append(s.order, uint32(x))
		}
	}
}

func (s *search) meet(list []uint32) {
	for _, v := range list {
		if !s.met[v] {
			s.met[v] = true
			s.next = append(s.next, uint64(s.rank[v])<<32|uint64(v))
		}
	}
}
