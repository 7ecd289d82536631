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
	end    uint64   // no list of the ring from here on
	far    []uint32 // vertices of buckets beyond
	list   []uint32 // of the bucket under way
	_      [64]byte
	begun  atomic.Int64 // pieces of it: others write it while its owner does what follows
	_      [64]byte
	counts pregel.VertexCounts // of this superstep
	blocks [2]block[T]         // whose arcs are looked at, and the next
	offers mem.Offers[T]       // along them
	seen   [parts]bool         // where it has lowered labels
	_      [64]byte            // the lists of two workers are never on one cache line
}

const ringSize = 1 << 12

// lists are what a worker needs memory for. Those of a search that is over are the next
// one's: to make them, and to grow each, took a fifth of a search of half a millisecond.
type lists struct {
	ring  [][]uint32 // buckets from base on, ringSize of them
	spare [][]uint32 // empty lists
}

// keptLists are lists whose rings are empty.
var keptLists mem.Shelf[lists]

// takeLists returns lists whose ring is empty.
func takeLists() lists {
	if l, ok := keptLists.Take(); ok {
		return l
	}
	return lists{ring: make([][]uint32, ringSize)}
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

// empty returns a list to fill.
func (b *buckets[T]) empty() []uint32 {
	k := len(b.spare)
	if k == 0 {
		return nil
	}
	list := b.spare[k-1]
	b.spare = b.spare[:k-1]
	return list
}

// piece returns a piece of the list, of so many, that nobody has; when there is none,
// nothing.
func (b *buckets[T]) piece(size int) []uint32 {
	lo := min(int(b.begun.Add(1)-1)*size, len(b.list))
	return b.list[lo:min(lo+size, len(b.list))]
}

// recycle keeps the list that is done.
func (b *buckets[T]) recycle() {
	if cap(b.list) > 0 {
		b.spare = append(b.spare, b.list[:0])
	}
	b.list = nil
	b.begun.Store(0)
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
		if list := b.ring[at]; list != nil {
			b.recycle() // an empty list
			b.list, b.ring[at] = list, nil
			r.pending += uint64(len(list))
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
