package mst

import (
	"math/bits"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// This file finds the first batch of a directed graph's edges, of which an arc either way is
// one. Those whose arc leads to the greater end stand in the lists in their order. The others
// are selected first, and put in order; then the lists are read again, and both are merged.

// apart tells whether a batch is found so: the first one, as later most arcs are within a tree.
func (s *span) apart() bool { return s.at.Directed && s.at.Batches == 0 }

// selectBelow is selectAbove for lesser neighbours in a directed graph: the neighbour is the
// lesser end.
func (s *span) selectBelow(c *graph.CSR, lo, hi uint32, limit uint64, f *finder) {
	for u := lo; u < hi; u++ {
		if u = s.shortBelow(c, u, hi, limit, f); u < hi {
			s.longBelow(c, u, limit, f)
		}
	}
}

// shortBelow does the vertices from u on that have few arcs, and returns the first that has
// more, or hi. It takes an edge without branches.
func (s *span) shortBelow(c *graph.CSR, u, hi uint32, limit uint64, f *finder) (next uint32) {
	begin, tree, to, n := c.Offsets.At(u), f.tree, f.slab[:cap(f.slab)], len(f.slab)
	for ; u < hi; u++ {
		end := c.Offsets.At(u + 1)
		row := c.Targets[begin:end]
		if len(row) > fewArcs {
			break
		}
		if n+len(row) > len(to) {
			to, n = f.fresh(n), 0
		}
		own, last := tree[u], u
		for i, v := range row {
			if v >= u {
				break
			}
			weight := s.weights.at(begin + uint64(i))
			to[n] = edge{v, u, weight}
			_, over := bits.Sub64(limit, key(weight, v), 0)
			n += 1 &^ (same(own, tree[v]) | same(v, last) | int(over))
			last = v
		}
		begin = end
	}
	f.slab = f.slab[:n]
	return u
}

// longBelow does a vertex that has more. Whether ends are in different trees is asked later
// (finder.sift), of many edges at once.
func (s *span) longBelow(c *graph.CSR, u uint32, limit uint64, f *finder) {
	row, base := c.Neighbors(u), c.Offsets.At(u)
	row = row[:above(row, u)]
	for len(row) > 0 {
		part := row[:min(len(row), siftLength)]
		to, n := f.room(len(part)), 0
		for i, v := range part {
			weight := s.weights.at(base + uint64(i))
			to[n] = edge{v, u, weight}
			_, over := bits.Sub64(limit, key(weight, v), 0)
			n += 1 &^ (same(v, u) | int(over))
		}
		f.take(n)
		row, base = row[len(part):], base+uint64(len(part))
	}
	f.sift()
}

// bothWays returns the batch's edges, given those selected below, whose use it ends.
func (s *span) bothWays(below []finder, limit uint64) []finder {
	runs, starts, sum := inRow(below)
	list, workers := mem.Take[edge](sum), s.job.Engine.Pool().Workers()
	parallel.Range(workers, len(runs), 1, func(_, i, _ int) { copy(list[starts[i]:], runs[i].edges) })
	giveSlabs(below)
	found, ahead, d, out := make([]finder, workers), make([]finder, workers), s.deal(nil, nil, list), s.g.Out()
	d.inBuckets(func(w, b int, run []edge) {
		lo, hi := uint32(min(b<<d.shift, s.n)), uint32(min((b+1)<<d.shift, s.n))
		f, a := &found[w], &ahead[w]
		a.begin(lo, s.tree)
		s.selectAbove(&out, lo, hi, limit, a)
		a.sift()
		a.end()
		f.begin(lo, nil)
		for _, r := range a.runs {
			run = f.merge(r.edges, run)
		}
		f.append(run)
		f.end()
		a.clear()
	})
	giveSlabs(ahead)
	mem.Give(list)
	return found
}

// clear has a finder begin anew, in the room that it has.
func (f *finder) clear() {
	f.runs = f.runs[:0]
	if f.slab = f.slab[:0]; len(f.slabs) > 1 {
		for _, slab := range f.slabs[:len(f.slabs)-1] {
			mem.Give(slab)
		}
		f.slabs = f.slabs[len(f.slabs)-1:]
	}
}

// merge takes ascending edges, with those of another list that come before the last, and
// returns the rest of it. Of two with the same ends it takes the lighter. It does so
// without branches.
func (f *finder) merge(list, other []edge) (rest []edge) {
	for len(list) > 0 && len(other) > 0 {
		f.reserve(1)
		steps := min(len(list), len(other), cap(f.slab)-len(f.slab))
		to, i, j := f.slab[len(f.slab):][:steps], 0, 0
		for n := range to {
			a, b := list[i], other[j]
			k, l := key(a.u, a.v), key(b.u, b.v)
			_, later := bits.Sub64(l, k, 0)  // 1: b is first
			_, before := bits.Sub64(k, l, 0) // 1: a is
			weight := min(a.weight, b.weight)
			if later != 0 {
				a, weight = b, b.weight
			}
			if before != 0 {
				weight = a.weight
			}
			to[n] = edge{a.u, a.v, weight}
			i, j = i+1-int(later), j+1-int(before)
		}
		f.slab = f.slab[:len(f.slab)+steps]
		list, other = list[i:], other[j:]
	}
	f.append(list)
	return other
}

// append takes all edges of a list.
func (f *finder) append(list []edge) {
	for len(list) > 0 {
		f.reserve(1)
		n := min(len(list), cap(f.slab)-len(f.slab))
		f.slab = append(f.slab, list[:n]...)
		list = list[n:]
	}
}
