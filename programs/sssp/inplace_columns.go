package sssp

import (
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file makes the columns of an answer of the labels of inplace.go.
//
// From many a vertex of a web little is reached. So workers note, of each part of the
// vertices, whether any label there has been lowered; where none has, columns are filled
// without a look, or have been (inplace_ahead.go). Labels are then all made far again, which
// those there are, for the next search to begin with: where its vertices stand close together
// such a search costs what it reaches, and one pass that writes. Ways of a search that has
// reached most become the distances themselves, which takes less memory; so do, from a number of
// vertices on, labels of 32 bits, which then lie in the first half of the distances.

// InPlaceFrom is from how many vertices on labels lie where the distances will be: 4 MB of these.
const InPlaceFrom = 1 << 19

const (
	parts       = 1 << 12 // at most
	leastInPart = 8       // bits of a vertex's number
	partsPiece  = 1 << 14 // vertices that a worker is given at a time, in whole parts
)

// partBits is how many bits of their numbers the n vertices of a part have for themselves.
func partBits(n int) uint {
	bits := uint(leastInPart)
	for uint64(n-1)>>bits >= parts {
		bits++
	}
	return bits
}

// seen tells whether a label of a part was lowered.
func (r *relaxing[T]) seen(part int) bool {
	for i := range r.byWorker {
		if r.byWorker[i].seen[part] {
			return true
		}
	}
	return false
}

// piece is how many vertices a worker is given at a time.
func (r *relaxing[T]) piece() int { return max(partsPiece, 1<<r.partBit) }

// eachRun calls f for runs of vertices of parts that were seen, and of such that were not, from
// the start of one piece to that of another.
func (r *relaxing[T]) eachRun(p pregel.Pool, from, to int, f func(lo, hi int, seen bool, w *pregel.Worker)) error {
	size, piece := 1<<r.partBit, r.piece()
	return p.For((to-from+piece-1)/piece, func(i int, w *pregel.Worker) {
		for lo, end := from+i*piece, min(to, from+(i+1)*piece); lo < end; {
			hi, seen := lo+size, r.seen(lo>>r.partBit)
			for hi < end && r.seen(hi>>r.partBit) == seen {
				hi += size
			}
			f(lo, min(hi, end), seen, w)
			lo = hi
		}
	})
}

// columns are those of an answer.
type columns[T distance] struct {
	distance []T
	parent   []uint32 // nil: it is none of the labels'
	far      T
}

func newColumns[T distance](n int, far T, parents bool) columns[T] {
	c := columns[T]{distance: mem.Take[T](n), far: far}
	if parents {
		c.parent = mem.Take[uint32](n)
	}
	return c
}

// columnsOver are columns in whose distances the labels of a search lie meanwhile: it has not
// begun.
func columnsOver[T distance](r *relaxing[uint32], far T) columns[T] {
	c := newColumns(r.g.N(), far, false)
	r.dist, r.blank = mem.View[uint32](mem.Bytes(c.distance))[:r.g.N()], false
	return c
}

// columnsAhead are columns that are filled while a search is under way.
func columnsAhead[T distance, L label](r *relaxing[L], far T, parents bool) columns[T] {
	c := newColumns(len(r.dist), far, parents)
	r.ahead.n, r.ahead.fill = len(r.dist), c.fill
	return c
}

func (c columns[T]) give() {
	mem.Give(c.distance)
	mem.Give(c.parent)
}

// fill says of the vertices from lo to hi that they are not reached.
func (c columns[T]) fill(lo, hi int) {
	if lo >= hi {
		return
	}
	mem.Fill(c.distance[lo:hi], c.far)
	if c.parent != nil {
		mem.Fill(c.parent[lo:hi], graph.None)
	}
}

// widened makes columns of a search's distances in 32 bits, and tells of their extent. T is
// int64: distances that are floats are not tried in 32 bits.
func widened[T distance](r *relaxing[uint32], c columns[T], p pregel.Pool) (*extent[T], error) {
	found, to := make([]extent[T], p.Workers()), mem.View[int64](mem.Bytes(c.distance))
	filled := r.ahead.done()
	err := r.eachRun(p, 0, len(r.dist), func(lo, hi int, seen bool, w *pregel.Worker) {
		if !seen {
			c.fill(max(lo, filled), hi)
			return
		}
		reached, longest := mem.Widen(to[lo:hi], r.dist[lo:hi], int64(c.far))
		found[w.Slot].add(extent[T]{reached: reached, longest: T(longest)})
		mem.Fill(r.dist[lo:hi], r.far)
	})
	if err == nil {
		mem.GiveBlank(r.dist)
	}
	return sumOf(found), err
}

// widenedInPlace is widened where labels lie in the distances. Label v, at byte 4v, becomes the
// distance at byte 8v: so of those that are left the upper half can be widened at once, up to the
// first piece, which goes over itself.
func widenedInPlace[T distance](r *relaxing[uint32], c columns[T], p pregel.Pool) (*extent[T], error) {
	found, to, n, piece := make([]extent[T], p.Workers()), mem.View[int64](mem.Bytes(c.distance)), len(r.dist), r.piece()
	widen := func(labels []uint32, at int) extent[T] {
		reached, longest := mem.Widen(to[at:at+len(labels)], labels, int64(c.far))
		return extent[T]{reached: reached, longest: T(longest)}
	}
	for hi := (n + piece - 1) / piece; hi > 1; hi = (hi + 1) / 2 {
		err := r.eachRun(p, (hi+1)/2*piece, min(hi*piece, n), func(lo, hi int, seen bool, w *pregel.Worker) {
			if !seen {
				c.fill(lo, hi)
				return
			}
			found[w.Slot].add(widen(r.dist[lo:hi], lo))
		})
		if err != nil {
			return nil, err
		}
	}
	found[0].add(widen(slices.Clone(r.dist[:min(piece, n)]), 0))
	return sumOf(found), nil
}

// parted takes a search's ways apart into c, or into columns that it makes: place has the
// vertex of each number, nil if that is the number. Ways that began blank are so again, or that
// have left most of their memory so; else the distances take their memory, as there may be
// no other yet.
func parted[T distance](r *relaxing[way], c columns[T], far T, place []uint32, p pregel.Pool) (Paths[T], error) {
	blanks := c.distance != nil || !r.most()
	switch {
	case c.distance != nil:
	case blanks:
		c = newColumns(len(r.dist), far, true)
	default:
		c = columns[T]{distance: mem.View[T](mem.Bytes(r.dist)), parent: mem.Take[uint32](len(r.dist)), far: far}
	}
	found, filled := make([]extent[T], p.Workers()), r.ahead.done()
	err := r.eachRun(p, 0, len(r.dist), func(lo, hi int, seen bool, w *pregel.Worker) {
		if !seen {
			c.fill(max(lo, filled), hi)
			return
		}
		found[w.Slot].add(part(r.dist[lo:hi], far, c.distance[lo:hi], c.parent[lo:hi], place))
		if blanks {
			mem.Fill(r.dist[lo:hi], unreached)
		}
	})
	if err == nil && blanks {
		mem.GiveBlank(r.dist)
	}
	return Paths[T]{Distance: c.distance, Parent: c.parent, extent: sumOf(found)}, err
}

// most tells whether labels were lowered in more than half of the parts.
func (r *relaxing[T]) most() bool {
	all, seen := (len(r.dist)-1)>>r.partBit+1, 0
	for part := range all {
		if r.seen(part) {
			seen++
		}
	}
	return 2*seen > all
}

// part takes ways apart, and tells of their distances. T is int64, as for widened.
func part[T distance](ways []way, far T, distance []T, parent, place []uint32) extent[T] {
	parent = parent[:len(ways)]
	from, to := mem.View[uint64](mem.Bytes(ways)), mem.View[int64](mem.Bytes(distance))
	reached, longest := mem.Split(to, parent, from, int64(far)) // no parent where no way is known
	if place != nil {
		for i, u := range parent {
			if u != graph.None {
				parent[i] = place[u]
			}
		}
	}
	return extent[T]{reached: reached, longest: T(longest)}
}
