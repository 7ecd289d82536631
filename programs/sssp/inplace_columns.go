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
// without a look. Labels are then all made far again, which those there are, for the next
// search to begin with: where its vertices stand close together a search costs what it
// reaches, and one pass that writes.

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

// mostSeen tells whether half of the parts were seen, or more.
func (r *relaxing[T]) mostSeen() bool {
	k, all := 0, (len(r.dist)-1)>>r.partBit+1
	for part := range all {
		if r.seen(part) {
			k++
		}
	}
	return 2*k >= all
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

// parted takes a search's ways apart: place has the vertex of each number, nil if that is
// the number. Where most of them are known the distances take their memory.
func parted[T distance](r *relaxing[way], far T, place []uint32, p pregel.Pool) (Paths[T], error) {
	paths, inPlace := Paths[T]{Parent: mem.Take[uint32](len(r.dist))}, r.mostSeen()
	found := make([]extent[T], p.Workers())
	if inPlace {
		paths.Distance = mem.View[T](mem.Bytes(r.dist))
	} else {
		paths.Distance = mem.Take[T](len(r.dist))
	}
	err := r.eachRun(p, func(lo, hi int, seen bool, w *pregel.Worker) {
		distance, parent := paths.Distance[lo:hi], paths.Parent[lo:hi]
		if !seen {
			mem.Fill(distance, far)
			mem.Fill(parent, graph.None)
			return
		}
		found[w.Slot].add(part(r.dist[lo:hi], far, distance, parent, place))
		if !inPlace {
			mem.Fill(r.dist[lo:hi], r.far)
		}
	})
	if err == nil && !inPlace {
		mem.GiveBlank(r.dist)
	}
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
