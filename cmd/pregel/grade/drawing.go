package grade

import (
	"iter"
	"math/rand/v2"
	"slices"

	"gopregel/pregel/check"
	"gopregel/pregel/graph"
)

// A Drawing is a hidden graph as a list that can be made shorter, with the parameters
// of the run on it.
type Drawing struct {
	N        int
	Arcs     []graph.Arc
	Directed bool
	Source   uint32
	Hops     int
}

// shapes are graphs on which programs go wrong that are right on most. A source and
// an amount of hops go with each.
func shapes() []Drawing {
	path := func(n int) (list []graph.Arc) {
		for v := range n - 1 {
			list = append(list, graph.Arc{U: uint32(v), V: uint32(v + 1)})
		}
		return list
	}
	star := []graph.Arc{{U: 0, V: 1}, {U: 0, V: 2}, {U: 0, V: 3}, {U: 0, V: 4}}
	ring := append(path(6), graph.Arc{U: 5, V: 0})
	diamond := []graph.Arc{{U: 0, V: 1}, {U: 0, V: 2}, {U: 1, V: 3}, {U: 2, V: 3}}
	two := []graph.Arc{{U: 0, V: 1}, {U: 2, V: 3}, {U: 3, V: 4}}
	odd := []graph.Arc{{U: 0, V: 0}, {U: 0, V: 1}, {U: 0, V: 1}, {U: 1, V: 2}, {U: 2, V: 2}}
	return []Drawing{
		{N: 1}, {N: 3, Source: 1, Hops: 2},
		{N: 2, Arcs: path(2), Directed: true, Hops: 1}, {N: 2, Arcs: path(2), Directed: true, Source: 1, Hops: 1},
		{N: 7, Arcs: path(7), Hops: 3}, {N: 7, Arcs: path(7), Source: 3, Hops: 9}, {N: 7, Arcs: path(7), Directed: true, Hops: 6},
		{N: 5, Arcs: star, Hops: 1}, {N: 5, Arcs: star, Source: 2, Hops: 2}, {N: 6, Arcs: ring, Directed: true, Hops: 5},
		{N: 4, Arcs: diamond, Hops: 2}, {N: 5, Arcs: diamond, Directed: true, Hops: 3},
		{N: 8, Arcs: two, Hops: 2}, {N: 8, Arcs: two, Source: 3, Hops: 1}, {N: 4, Arcs: odd, Hops: 3}, {N: 4, Arcs: odd, Directed: true, Hops: 2},
		{N: 1, Arcs: []graph.Arc{{}}, Hops: 1}, {N: 2, Arcs: path(2)},
	}
}

// draw makes a graph: most are small, and some have work for several workers.
func draw(r *rand.Rand) Drawing {
	n := 1 + r.IntN(24)
	switch r.IntN(12) {
	case 0:
		n = 60 + r.IntN(90)
	case 1:
		n = 3000 + r.IntN(1500)
	}
	d := Drawing{N: n, Directed: r.IntN(2) == 0, Source: r.Uint32N(uint32(n)), Hops: 1 + r.IntN(5)}
	skewed := r.IntN(3) == 0
	for range r.IntN(4*n + 1) {
		u := r.IntN(n)
		if skewed {
			u = r.IntN(1 + r.IntN(n))
		}
		d.Arcs = append(d.Arcs, graph.Arc{U: uint32(u), V: r.Uint32N(uint32(n))})
	}
	if r.IntN(3) == 0 { // a long way round
		for v := range min(n, 200) - 1 {
			d.Arcs = append(d.Arcs, graph.Arc{U: uint32(v), V: uint32(v + 1)})
		}
	}
	return d
}

// hidden are the graphs of a seed, the smallest first.
func hidden(seed uint64, random int, empty bool) []Drawing {
	list := shapes()
	if empty {
		list = append([]Drawing{{}}, list...)
	}
	for i := range random {
		list = append(list, draw(rand.New(rand.NewPCG(seed, uint64(i)))))
	}
	for i := range list {
		list[i].Hops = max(list[i].Hops, 1)
	}
	slices.SortStableFunc(list, func(a, b Drawing) int { return a.puzzle() - b.puzzle() })
	return list
}

// puzzle is how large a graph is to a reader. A loop is the last thing to think of.
func (d *Drawing) puzzle() int {
	size := d.N + len(d.Arcs)
	for _, a := range d.Arcs {
		if a.U == a.V {
			size += 8
		}
	}
	return size
}

// Build makes the graph.
func (d *Drawing) Build() *graph.Graph {
	g, err := graph.FromArcs(d.N, graph.ArcList{List: d.Arcs}, graph.Options{Directed: d.Directed})
	if err != nil {
		panic(err) // all ends are below N
	}
	return g
}

// out lists the targets of every vertex, made without package graph.
func (d *Drawing) out() [][]uint32 {
	list := make([][]uint32, d.N)
	for _, a := range d.Arcs {
		list[a.U] = append(list[a.U], a.V)
		if !d.Directed && a.U != a.V {
			list[a.V] = append(list[a.V], a.U)
		}
	}
	return list
}

// in lists the sources of every vertex, ascending.
func (d *Drawing) in() [][]uint32 {
	list := make([][]uint32, d.N)
	for u, targets := range d.out() {
		for _, v := range targets {
			list[v] = append(list[v], uint32(u))
		}
	}
	return list
}

// String writes the graph as something that a reader can draw.
func (d *Drawing) String() string { return check.Picture(d.N, d.Arcs, d.Directed, false) }

// Smaller graphs are looked at for one counter-example until so many have been, or
// have had so many vertices and arcs together: not by time, so that a seed finds the
// same again.
const (
	tries = 3000
	work  = 3e6
)

// shrink makes the graph smaller while it still fails.
func (d Drawing) shrink(fails func(*Drawing) bool) Drawing {
	count, sum := 0, 0
	for again := true; again; {
		again = false
		for e := range d.smaller() {
			count, sum = count+1, sum+e.N+len(e.Arcs)
			if count > tries || sum > work {
				return d
			}
			if fails(&e) {
				d, again = e, true
				break
			}
		}
	}
	return d
}

// smaller lists graphs that are, the smallest first: without runs of arcs or of
// vertices, with an arc or two contracted, with fewer hops.
func (d Drawing) smaller() iter.Seq[Drawing] {
	return func(yield func(Drawing) bool) {
		for size := len(d.Arcs); size > 0; size /= 2 {
			for at := 0; at+size <= len(d.Arcs); at += size {
				if !yield(d.withoutArcs(at, size)) {
					return
				}
			}
		}
		for size := d.N / 2; size > 0; size /= 2 {
			for at := 0; at+size <= d.N; at += size {
				if e, ok := d.withoutVertices(at, size); ok && !yield(e) {
					return
				}
			}
		}
		for i := range d.Arcs {
			e, ok := d.contracted(i)
			if ok && !yield(e) {
				return
			}
			for j := range e.Arcs[:min(len(e.Arcs), i)] { // two ways of the same length stay so
				if e, both := e.contracted(j); ok && both && !yield(e) {
					return
				}
			}
		}
		if d.Hops > 1 {
			d.Hops--
			yield(d)
		}
	}
}

// contracted makes one vertex of the ends of an arc, so that ways become shorter.
func (d Drawing) contracted(i int) (Drawing, bool) {
	u, v := d.Arcs[i].U, d.Arcs[i].V
	if u == v {
		return d, false
	}
	d = d.withoutArcs(i, 1)
	for j, a := range d.Arcs {
		if a.U == v {
			d.Arcs[j].U = u
		}
		if a.V == v {
			d.Arcs[j].V = u
		}
	}
	if d.Source == v {
		d.Source = u
	}
	return d.withoutVertices(int(v), 1)
}

func (d Drawing) withoutArcs(at, size int) Drawing {
	d.Arcs = slices.Delete(slices.Clone(d.Arcs), at, at+size)
	return d
}

// withoutVertices takes vertices out, but not the source, and their arcs; those above
// move down.
func (d Drawing) withoutVertices(at, size int) (Drawing, bool) {
	lo, hi := uint32(at), uint32(at+size)
	if d.Source >= lo && d.Source < hi {
		return d, false
	}
	move := func(v uint32) uint32 {
		if v >= hi {
			return v - uint32(size)
		}
		return v
	}
	var arcs []graph.Arc
	for _, a := range d.Arcs {
		if a.U >= lo && a.U < hi || a.V >= lo && a.V < hi {
			continue
		}
		arcs = append(arcs, graph.Arc{U: move(a.U), V: move(a.V)})
	}
	d.N, d.Arcs, d.Source = d.N-size, arcs, move(d.Source)
	return d, true
}
