package sssp

import (
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file makes the columns of an answer of the labels of inplace.go.
//
// From many a vertex of a web little is reached. So workers note, of each part of the
// vertices, whether any label there has been lowered; where none has, columns are filled
// without a look. Distances in 32 bits are then all made far again, which those there are, for
// the next search to begin with: where its vertices stand close together such a search costs
// what it reaches, and one pass that writes. Ways become the distances themselves, as another
// array in turn with theirs would be fresh memory every other time.

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

// eachRun calls f for runs of vertices of parts that were seen, and of such that were not.
func (r *relaxing[T]) eachRun(p pregel.Pool, f func(lo, hi int, seen bool, w *pregel.Worker)) error {
	n, size := len(r.dist), 1<<r.partBit
	piece := max(partsPiece, size)
	return p.For((n+piece-1)/piece, func(i int, w *pregel.Worker) {
		for lo, end := i*piece, min(n, (i+1)*piece); lo < end; {
			hi, seen := lo+size, r.seen(lo>>r.partBit)
			for hi < end && r.seen(hi>>r.partBit) == seen {
				hi += size
			}
			f(lo, min(hi, end), seen, w)
			lo = hi
		}
	})
}

// widened is a search's distances in 32 bits as the answer has them, and their extent. T is
// int64: distances that are floats are not tried in 32 bits.
func widened[T distance](r *relaxing[uint32], far T, p pregel.Pool) ([]T, *extent[T], error) {
	wide, found := mem.Take[T](len(r.dist)), make([]extent[T], p.Workers())
	to := mem.View[int64](mem.Bytes(wide))
	err := r.eachRun(p, func(lo, hi int, seen bool, w *pregel.Worker) {
		if !seen {
			mem.Fill(wide[lo:hi], far)
			return
		}
		reached, longest := mem.Widen(to[lo:hi], r.dist[lo:hi], int64(far))
		found[w.Slot].add(extent[T]{reached: reached, longest: T(longest)})
		mem.Fill(r.dist[lo:hi], r.far)
	})
	if err == nil {
		mem.GiveBlank(r.dist)
	}
	return wide, sumOf(found), err
}

// parted takes a search's ways apart, the distances in their memory: place has the vertex of
// each number, nil if that is the number.
func parted[T distance](r *relaxing[way], far T, place []uint32, p pregel.Pool) (Paths[T], error) {
	paths := Paths[T]{Distance: mem.View[T](mem.Bytes(r.dist)), Parent: mem.Take[uint32](len(r.dist))}
	found := make([]extent[T], p.Workers())
	err := r.eachRun(p, func(lo, hi int, seen bool, w *pregel.Worker) {
		distance, parent := paths.Distance[lo:hi], paths.Parent[lo:hi]
		if seen {
			found[w.Slot].add(part(r.dist[lo:hi], far, distance, parent, place))
			return
		}
		mem.Fill(distance, far)
		mem.Fill(parent, graph.None)
	})
	paths.extent = sumOf(found)
	return paths, err
}

// part takes ways apart, and tells of their distances.
func part[T distance](ways []way, far T, distance []T, parent, place []uint32) extent[T] {
	distance, parent = distance[:len(ways)], parent[:len(ways)]
	longest, reached := way(0), len(ways)
	for i, x := range ways {
		known, d, none := x, T(x>>distanceBit), 0
		if x == unreached {
			known = 0
		}
		if x == unreached {
			d = far
		}
		if x == unreached {
			none = 1
		}
		parent[i], distance[i] = uint32(x), d // none where no way is known
		longest, reached = max(longest, known), reached-none
	}
	if place != nil {
		for i, u := range parent {
			if u != graph.None {
				parent[i] = place[u]
			}
		}
	}
	return extent[T]{reached: reached, longest: T(longest >> distanceBit)}
}
