package reference

import (
	"cmp"

	"gopregel/pregel/graph"
)

// An Edge is an edge of a graph without directions: U < V.
type Edge struct {
	U, V   uint32
	Weight float64
}

// before is the order of edges: by weight, then by lesser, then by greater end.
func before(a, b Edge) int {
	return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.U, b.U), cmp.Compare(a.V, b.V))
}

// Forest is kernels/mst.cu without threads.
type Forest struct {
	Graph *graph.Graph
	// Share is the part of all ends of arcs that makes a component the giant, which
	// chooses no edges; more than 1: there is none.
	Share float64
	// Rounds is set to the number of rounds.
	Rounds int

	component []uint32
	giant     uint32
	best      []*Edge // by root
}

// Run returns the edges of the minimum spanning forest, in no order.
func (f *Forest) Run() (forest []Edge) {
	n := f.Graph.N()
	f.component, f.best, f.giant, f.Rounds = make([]uint32, n), make([]*Edge, n), graph.None, 0
	for v := range f.component {
		f.component[v] = uint32(v)
	}
	for {
		f.Rounds++
		f.propose()
		chosen := f.hook()
		if len(chosen) == 0 {
			return forest
		}
		forest = append(forest, chosen...)
		if f.giant == graph.None {
			f.choose()
		}
	}
}

// propose finds the least edge out of every component but the giant.
func (f *Forest) propose() {
	clear(f.best)
	for u := range uint32(f.Graph.N()) {
		out := f.Graph.Out()
		base := out.Offsets.At(u)
		for i, v := range out.Neighbors(u) {
			e := Edge{min(u, v), max(u, v), out.Weights.At(base + uint64(i))}
			if f.component[u] != f.component[v] {
				f.lower(f.component[u], &e)
				f.lower(f.component[v], &e)
			}
		}
	}
}

func (f *Forest) lower(c uint32, e *Edge) {
	if c != f.giant && (f.best[c] == nil || before(*e, *f.best[c]) < 0) {
		f.best[c] = e
	}
}

// hook hangs every root with an edge below the component at its other end, but
// for the lesser of two that have the same edge, and makes component flat again.
func (f *Forest) hook() (chosen []Edge) {
	parent := make([]uint32, len(f.component))
	for c := range uint32(len(parent)) {
		parent[c] = c
		e := f.best[c]
		if e == nil {
			continue
		}
		o := f.component[e.U]
		if o == c {
			o = f.component[e.V]
		}
		if c < o && f.best[o] != nil && before(*f.best[o], *e) == 0 {
			continue
		}
		parent[c] = o
		chosen = append(chosen, *e)
	}
	for v, c := range f.component {
		for parent[c] != c {
			c = parent[c]
		}
		f.component[v] = c
	}
	return chosen
}

// choose makes the first component with its share of all arcs the giant.
func (f *Forest) choose() {
	count := make([]int, len(f.component))
	for _, v := range f.Graph.Out().Targets {
		c := f.component[v]
		count[c]++
		if float64(count[c]) >= f.Share*float64(f.Graph.Arcs()) {
			f.giant = c
			return
		}
	}
}
