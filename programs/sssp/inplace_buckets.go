package sssp

import (
	"math"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// This file is the buckets of inplace.go: those of each worker, and which one is next.

// buckets are those that one worker has filled.
type buckets[T label] struct {
	lists
	end    uint64     // no list of the ring from here on
	far    []uint32   // vertices of buckets beyond
	list   [][]uint32 // chunks of the bucket under way
	own    [][]uint32 // those with which its worker goes on
	_      [64]byte
	begun  atomic.Int64 // pieces of it: others write it while its owner does what follows
	_      [64]byte
	counts pregel.VertexCounts // of this superstep
	blocks [2]block[T]         // whose arcs are looked at, and the next
	turn   int                 // the block that is next
	asked  []uint32            // the vertices that it will have
	offers mem.Offers[T]       // along them
	seen   [parts]bool         // where it has lowered labels
	_      [64]byte            // the lists of two workers are never on one cache line
}

// keep gives the lists back after a search that has come to its end.
func (r *relaxing[T]) keep() {
	for i := range r.byWorker {
		b := &r.byWorker[i]
		b.recycle()
		keptLists.Give(b.lists)
		b.lists = lists{}
	}
}

// piece returns a piece of the list, of so many, that nobody has; when there is none,
// nothing.
func (b *buckets[T]) piece(size int) []uint32 {
	i, ofChunk := int(b.begun.Add(1)-1), (b.room()+size-1)/size
	k := i / ofChunk
	if k >= len(b.list) {
		return nil
	}
	us := b.list[k][chunkHead:]
	lo := min(i%ofChunk*size, len(us))
	return us[lo:min(lo+size, len(us))]
}

// recycle gives the chunks of the list back.
func (b *buckets[T]) recycle() {
	b.give(b.list)
	b.list = b.list[:0]
	b.begun.Store(0)
}

// each calls f for lists that have the vertices of all buckets.
func (b *buckets[T]) each(f func(list []uint32)) {
	for _, c := range b.list {
		f(c[chunkHead:])
	}
	for _, c := range b.ring[:b.end] {
		for ; c != nil; c = b.before(c) {
			f(c[chunkHead:])
		}
	}
	f(b.far)
}

// bucket is the number of the step that a label belongs to.
func (r *relaxing[T]) bucket(d T) uint64 {
	if r.perStep != 0 {
		return uint64(min(float64(d)*r.perStep, 1<<62))
	}
	return uint64(d) >> r.shift
}

// next makes the least bucket that is not empty the current one.
func (r *relaxing[T]) next() {
	r.pending = 0
	for i := range r.byWorker {
		r.byWorker[i].recycle()
	}
	for r.current != math.MaxUint64 {
		for end := r.base + r.end(); r.current < end; r.current++ {
			if r.take() {
				return
			}
		}
		r.nearest()
	}
}

// end is where the lists of all rings end.
func (r *relaxing[T]) end() (end uint64) {
	for i := range r.byWorker {
		end = max(end, r.byWorker[i].end)
	}
	return end
}

// take takes the vertices of the current bucket, and tells whether there are any.
func (r *relaxing[T]) take() bool {
	at := r.current - r.base
	for i := range r.byWorker {
		b := &r.byWorker[i]
		b.list = b.take(at, b.list)
		if full := len(b.list) - 1; full >= 0 {
			r.pending += uint64(full*b.room() + len(b.list[full]) - chunkHead)
		}
	}
	return r.pending > 0
}

// nearest moves the empty ring to the least bucket of the vertices beyond it;
// when there are none, to the end.
func (r *relaxing[T]) nearest() {
	end, least := r.base+ringSize, uint64(math.MaxUint64)
	for i := range r.byWorker {
		for _, v := range r.byWorker[i].far {
			if k := r.bucket(r.dist[v]); k >= end {
				least = min(least, k)
			}
		}
	}
	r.base, r.current = least, least
	for i := range r.byWorker {
		b := &r.byWorker[i]
		far := b.far
		b.far, b.end = nil, 0
		for _, v := range far {
			if k := r.bucket(r.dist[v]); k >= end { // else it was lowered into the ring
				r.put(b, v, k)
			}
		}
	}
}
