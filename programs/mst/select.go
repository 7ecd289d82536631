package mst

import (
	"slices"

	"gopregel/pregel/graph"
)

// selectIn finds the edges of the batch among the arcs of some vertices, and returns how
// many it has read: each edge once in an undirected graph; in a directed one, as often as
// there are arcs. Of parallel arcs the first is the lightest.
func (s *span) selectIn(lo, hi uint32, limit uint64, f *finder) (read int) {
	out := s.g.Out()
	if s.apart() {
		s.selectBelow(&out, lo, hi, limit, f)
		return int(out.Offsets.Between(lo, hi))
	}
	if s.at.Giant == graph.None && !s.at.Directed {
		return s.selectAbove(&out, lo, hi, limit, f)
	}
	for u := lo; u < hi; u++ {
		if s.at.Directed || s.at.Giant != s.tree[u] {
			read += s.selectAll(&out, u, limit, f)
		}
	}
	return read
}

// selectAbove is selectIn for greater neighbours alone. As u is the lesser end, what
// is left of the limit is a number. Whether ends are in different trees is asked later
// (finder.sift), of many edges at once.
func (s *span) selectAbove(c *graph.CSR, lo, hi uint32, limit uint64, f *finder) (read int) {
	short := s.weights.short
	if limit == everything {
		short = s.weights.shortAll
	}
	for u := lo; u < hi; u++ {
		var above int
		u, above = short(c, u, hi, limit, f)
		if read += above; u < hi {
			read += s.weights.long(c, u, most(limit, u), f)
		}
	}
	return read
}

// most is the most that an edge of the batch may weigh if u is its lesser end.
func most(limit uint64, u uint32) int64 {
	if u > uint32(limit) {
		return int64(limit>>32) - 1
	}
	return int64(limit >> 32)
}

// Of so few arcs, all are looked at: that is sooner done than the greater are found.
const fewArcs = 16

// short does the vertices from u on that have few arcs, and returns the first that has
// more, or hi, and how many arcs to greater neighbours it has read. Chance says which these
// are and what they weigh: it takes an edge without branches.
func (w *weights) short(c *graph.CSR, u, hi uint32, limit uint64, f *finder) (next uint32, read int) {
	begin, to, n := c.Offsets.At(u), f.found[:siftLength], len(f.found)
	for ; u < hi; u++ {
		end := c.Offsets.At(u + 1)
		row := c.Targets[begin:end]
		if len(row) > fewArcs {
			break
		}
		if n+len(row) > siftLength {
			f.found = to[:n]
			f.sift()
			n = 0
		}
		most := most(limit, u)
		for i, v := range row {
			weight := uint32(sign | 1)
			if w.bits != nil {
				weight = w.ordered(w.bits[begin+uint64(i)])
			}
			to[n&(siftLength-1)] = edge{u, v, weight}
			greater := int(uint64(int64(u)-int64(v)) >> 63)
			read += greater
			n += greater &^ int((most-int64(weight))>>63)
		}
		begin = end
	}
	f.found = to[:n]
	return u, read
}

// shortAll is short for a batch of all edges. Most arcs to greater neighbours are taken
// then, if they lead to other trees: it asks that at once.
func (w *weights) shortAll(c *graph.CSR, u, hi uint32, _ uint64, f *finder) (next uint32, read int) {
	f.sift()
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
		at := len(row)
		for at > 0 && row[at-1] > u {
			at--
		}
		read += len(row) - at
		own, last, first := tree[u], u, begin+uint64(at)
		for i, v := range row[at:] {
			to[n] = edge{u, v, w.at(first + uint64(i))}
			n += 1 &^ (same(own, tree[v]) | same(v, last))
			last = v
		}
		begin = end
	}
	f.slab = f.slab[:n]
	return u, read
}

// same is 1 if two numbers are the same, else 0.
func same(a, b uint32) int { return int((uint64(a^b) - 1) >> 63) }

// long does a vertex that has more, and returns how many of its arcs it has read.
func (w *weights) long(c *graph.CSR, u uint32, most int64, f *finder) (read int) {
	row := c.Neighbors(u)
	row = row[above(row, u):]
	base := c.Offsets.At(u+1) - uint64(len(row))
	for at := 0; at < len(row); at += siftLength {
		part := row[at:min(at+siftLength, len(row))]
		f.take(w.light(f.room(len(part)), u, part, base+uint64(at), most))
	}
	return len(row)
}

// light puts the edges to neighbours that weigh at most so much into a list that has
// room for all, and returns how many they are. It does so without branches.
func (w *weights) light(to []edge, u uint32, row []uint32, base uint64, most int64) (n int) {
	to = to[:len(row)]
	if w.bits == nil {
		for i, v := range row {
			to[i] = edge{u, v, sign | 1}
		}
		if most < sign|1 {
			return 0
		}
		return len(row)
	}
	bits := w.bits[base:][:len(row)]
	for i, v := range row {
		weight := w.ordered(bits[i])
		to[n] = edge{u, v, weight}
		next := n
		if int64(weight) <= most {
			next = n + 1
		}
		n = next
	}
	return n
}

// above returns where the neighbours that are greater than u begin.
func above(row []uint32, u uint32) int {
	if len(row) > shortRow {
		at, found := slices.BinarySearch(row, u)
		for found && at < len(row) && row[at] == u {
			at++
		}
		return at
	}
	at := len(row)
	for at > 0 && row[at-1] > u {
		at--
	}
	return at
}

const shortRow = 64

// selectAll is selectIn for all neighbours. In an undirected graph an edge is left to
// its lesser end, if that end's list is read. Most arcs are within a tree by then: it asks that
// first.
func (s *span) selectAll(c *graph.CSR, u uint32, limit uint64, f *finder) (read int) {
	base, tree, last := c.Offsets.At(u), s.tree[u], u
	row := c.Neighbors(u)
	for i, v := range row {
		if v == last || v == u {
			continue
		}
		last = v
		other := s.tree[v]
		if other == tree || v < u && other != s.at.Giant && !s.at.Directed {
			continue
		}
		weight := s.weights.at(base + uint64(i))
		if key(weight, min(u, v)) <= limit {
			f.add(edge{min(u, v), max(u, v), weight})
		}
	}
	return len(row)
}
