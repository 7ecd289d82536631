package sssp

import (
	"math"
	"slices"

	"gopregel/pregel/mem"
)

// This file is the memory of a worker's buckets: chunks of one size.
//
// Lists that grow by append, and are kept with all that they have grown to, take three to five
// times what is in them at any time (measured: 41 MB for 9.8 on a uniform graph of 2^20
// vertices). Chunks go from a bucket that is done to whichever is next in want of one, so that
// they take what the fullest moment needs, and of each bucket that is not empty a part of one.
//
// A chunk begins with two numbers: that of the chunk that was filled before it, or that is free
// after it, and its own. Of the chunks of a bucket all but the last are full.

const (
	ringSize = 1 << 12

	chunkHead  = 2
	leastChunk = 1 << 6 // numbers
	mostChunk  = 1 << 10
	chunkShift = 1 << 4 // numbers more: else all chunks began in the same few sets of a cache
	noChunk    = math.MaxUint32

	// Memory comes in slabs, each of about a quarter of what there is, but for these bounds.
	leastSlab = 1 << 13
	mostSlab  = 1 << 18
)

// lists are the chunks of a worker, and which bucket has them. Those of a search that is over are
// the next one's: to make them took a fifth of a search of half a millisecond.
type lists struct {
	ring   [][]uint32 // the last chunk of each bucket from base on, ringSize of them; nil: it is empty
	chunks [][]uint32 // all, by number, in their whole length
	free   uint32     // the first that no bucket has
	size   int        // of a chunk
}

// keptLists are lists whose rings are empty.
var keptLists mem.Shelf[lists]

// takeLists returns lists, of chunks of a size, whose ring is empty.
func takeLists(size int) lists {
	l, ok := keptLists.Take()
	if !ok {
		l.ring = make([][]uint32, ringSize)
	}
	if l.size != size {
		l.chunks, l.free, l.size = nil, noChunk, size
	}
	return l
}

// chunkSize is the size of chunks on a graph of n vertices where each worker has so many
// buckets at a time. Rooms that stay empty, of less than a chunk for each, are no more than the
// vertices, unless chunks would be too small.
func chunkSize(n, workers int, buckets uint64) int {
	size, most := leastChunk, uint64(n)/(uint64(workers)*max(min(buckets, ringSize), 1))
	for size < mostChunk && uint64(2*size) <= most {
		size *= 2
	}
	return size + chunkShift
}

// room is how many vertices a chunk has room for.
func (l *lists) room() int { return l.size - chunkHead }

// extend gives a bucket of the ring an empty chunk.
func (l *lists) extend(at uint64) {
	if l.free == noChunk {
		l.grow()
	}
	c := l.chunks[l.free]
	l.free, c[0] = c[0], noChunk
	if last := l.ring[at]; last != nil {
		c[0] = last[1]
	}
	l.ring[at] = c[:chunkHead]
}

// grow makes more chunks. There are none that are free.
func (l *lists) grow() {
	more := min(max(len(l.chunks)*l.size/4, leastSlab), mostSlab) / l.size
	slab := mem.Take[uint32](more * l.size)
	l.free = uint32(len(l.chunks))
	for range more {
		number := uint32(len(l.chunks))
		c := slab[:l.size:l.size]
		c[0], c[1] = number+1, number
		l.chunks, slab = append(l.chunks, c), slab[l.size:]
	}
	l.chunks[len(l.chunks)-1][0] = noChunk
}

// before returns the chunk of a bucket that was filled before c; nil: there is none.
func (l *lists) before(c []uint32) []uint32 {
	if c[0] == noChunk {
		return nil
	}
	return l.chunks[c[0]]
}

// take empties a bucket of the ring, and appends its chunks to a list, in the order in which they
// were filled.
func (l *lists) take(at uint64, list [][]uint32) [][]uint32 {
	begin := len(list)
	for c := l.ring[at]; c != nil; c = l.before(c) {
		list = append(list, c)
	}
	if l.ring[at] = nil; len(list)-begin > 1 {
		slices.Reverse(list[begin:])
	}
	return list
}

// give takes chunks back that no bucket has.
func (l *lists) give(list [][]uint32) {
	for _, c := range list {
		c[0], l.free = l.free, c[1]
	}
}

// count returns how many vertices a bucket of the ring has, or, where those are more than a
// bound, a number above it.
func (l *lists) count(at uint64, bound int) (n int) {
	for c := l.ring[at]; c != nil && n <= bound; c = l.before(c) {
		n += len(c) - chunkHead
	}
	return n
}
