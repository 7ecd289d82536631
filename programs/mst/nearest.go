package mst

import (
	"math"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file is the first round of Borůvka's on an undirected graph. It reads the lists
// of arcs as they lie, and needs no atomics: of every vertex the lightest edge is the
// first of the least weight in its list, since lesser neighbours come first, as lesser
// ends do in the order of edges.

// nearest finds the lightest edge of every vertex. Where the first batch will not be
// everything it collects light edges on the way, as lists are in caches then.
func (s *span) nearest() {
	s.near, s.weight = mem.Take[uint32](s.n), mem.Take[uint32](s.n)
	out, found := s.g.Out(), make([]finder, s.job.Engine.Pool().Workers())
	limit, why := s.earlyLimit()
	account := s.overVertices(edgeBytes-rootBytes, weightBytes(s.g), why)
	account.Beside = func() uint64 { return edgeBytes * count(found) }
	s.Vertices("mst nearest", account, func(lo, hi uint32, w *pregel.Worker) {
		f := &found[w.Slot]
		f.begin(lo, nil)
		if limit == everything {
			s.weights.least(&out, lo, hi, s.near, s.weight)
		} else {
			s.weights.leastAndLight(&out, lo, hi, s.near, s.weight, limit, f)
		}
		f.end()
		w.Arcs += out.Offsets.Between(lo, hi)
	})
	if limit != everything && s.Going() {
		s.at.Limit = limit
		s.early, _ = s.gather(found)
	}
	if s.Going() {
		s.at.Stage = joining
	}
}

// Of so many arcs, all are looked at without branches: in a longer list a lighter one than all
// before is so rare that a branch foresees it.
const wholeArcs = 128

// least finds the neighbours at the other ends of the lightest edges of some vertices, and
// their weights; graph.None where a vertex has no edge.
func (w weights) least(c *graph.CSR, lo, hi uint32, near, weight []uint32) {
	begin := c.Offsets.At(lo)
	for u := lo; u < hi; u++ {
		end := c.Offsets.At(u + 1)
		row := c.Targets[begin:end]
		switch {
		case w.bits == nil:
			near[u], weight[u] = other(row, u), sign|1
		case len(row) > wholeArcs:
			near[u], weight[u] = w.lightest(row, w.bits[begin:end], u)
		default:
			best := uint64(math.MaxUint64)
			for i, x := range w.bits[begin:end] {
				best = min(best, key(w.ordered(x), row[i]))
			}
			if near[u], weight[u] = uint32(best), uint32(best>>32); uint32(best) == u {
				near[u], weight[u] = w.lightest(row, w.bits[begin:end], u)
			}
		}
		begin = end
	}
}

// leastAndLight is least, and takes the edges to greater neighbours that the limit allows. Of
// a list that is not long both are found at once, without branches.
func (w weights) leastAndLight(c *graph.CSR, lo, hi uint32, near, weight []uint32, limit uint64, f *finder) {
	var light [wholeArcs]uint32
	begin := c.Offsets.At(lo)
	for u := lo; u < hi; u++ {
		end, most := c.Offsets.At(u+1), most(limit, u)
		row := c.Targets[begin:end]
		if w.bits == nil || len(row) > wholeArcs {
			w.least(c, u, u+1, near, weight)
			w.long(c, u, most, f)
			f.sift()
			begin = end
			continue
		}
		best, n, bits := uint64(math.MaxUint64), 0, w.bits[begin:end]
		for i, v := range row {
			x := w.ordered(bits[i])
			best = min(best, key(x, v))
			light[n&(wholeArcs-1)] = uint32(i)
			n += int(uint64((int64(x)-most-1)&(int64(u)-int64(v))) >> 63)
		}
		if near[u], weight[u] = uint32(best), uint32(best>>32); uint32(best) == u {
			near[u], weight[u] = w.lightest(row, bits, u)
		}
		f.reserve(n)
		for _, i := range light[:n] {
			f.slab = append(f.slab, edge{u, row[i], w.ordered(bits[i])})
		}
		begin = end
	}
}

// other returns u's first neighbour; graph.None: it has none.
func other(row []uint32, u uint32) uint32 {
	for _, v := range row {
		if v != u {
			return v
		}
	}
	return graph.None
}

// lightest returns the neighbour at the end of u's lightest edge, and its weight.
func (w weights) lightest(row, bits []uint32, u uint32) (v, weight uint32) {
	v, best := graph.None, uint64(math.MaxUint64)
	for i, x := range bits {
		if x := uint64(w.ordered(x)); x < best && row[i] != u {
			v, best = row[i], x
		}
	}
	return v, uint32(best)
}

// join hangs every vertex below its nearest. Of two that have chosen their common
// edge the lesser is the root, and the edge is left to the other.
func (s *span) join() {
	if s.Vertices("mst join", s.overVertices(2*rootBytes, 0, pregel.Choice{}), func(lo, hi uint32, _ *pregel.Worker) {
		s.below(lo, hi)
	}) {
		s.at.Stage = planting
	}
}

// below hangs some vertices, without branches: chance says which are roots. What has no
// edges hangs below vertex 0: where it is, nobody asks, and it is no tree of its own, which every
// round would look at.
func (s *span) below(lo, hi uint32) {
	near, parent := s.near, s.parent
	for u := lo; u < hi; u++ {
		v := near[u]
		back := mem.Load(&near[min(v, uint32(len(near)-1))])
		hung := graph.None
		if v < u {
			hung = v
		}
		if back != u {
			hung = v
		}
		mem.Store(&near[u], hung)
		if hung == graph.None {
			hung = u
		}
		if v == graph.None {
			hung = 0
		}
		parent[u] = hung
	}
}
