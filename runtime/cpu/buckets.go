package cpu

import (
	"math"

	"gopregel/pregel"
)

// ringSize buckets are lists; what lies beyond is one list, gone through again when
// the ring has been.
const ringSize = 1 << 12

// buckets are the vertices that one worker has left waiting, by priority. Entries
// are not taken out when a vertex no longer waits: who takes it out finds that.
//
// Invariant: buckets before current are empty, and all priorities in far are beyond the
// ring.
type buckets struct {
	ring    [][]uint32 // of priorities base, base+1, …
	far     []pregel.Deferred
	base    uint64
	current uint64
	end     uint64 // no list of the ring is filled from this place on
	spare   [][]uint32
	_       [64]byte // two workers' are never on one cache line
}

// add puts vertices into their buckets.
func (b *buckets) add(list []pregel.Deferred) {
	if b.ring == nil {
		b.ring = make([][]uint32, ringSize)
	}
	for _, d := range list {
		b.put(d)
	}
}

func (b *buckets) put(d pregel.Deferred) {
	b.current = min(b.current, d.Priority)
	at := d.Priority - b.base
	if at >= ringSize {
		b.far = append(b.far, d)
		return
	}
	if b.ring[at] == nil {
		b.ring[at] = b.empty()
		b.end = max(b.end, at+1)
	}
	b.ring[at] = append(b.ring[at], d.Vertex)
}

// each calls f for lists that have all vertices of the buckets.
func (b *buckets) each(f func(vs []uint32)) {
	for _, list := range b.ring {
		f(list)
	}
	for _, d := range b.far {
		f([]uint32{d.Vertex})
	}
}

// empty returns a list to fill.
func (b *buckets) empty() []uint32 {
	k := len(b.spare)
	if k == 0 {
		return nil
	}
	list := b.spare[k-1]
	b.spare = b.spare[:k-1]
	return list[:0]
}

// least returns the least priority that has a bucket, if any has.
func (b *buckets) least() (priority uint64, ok bool) {
	for ; b.current < b.base+b.end; b.current++ {
		if len(b.ring[b.current-b.base]) > 0 {
			return b.current, true
		}
	}
	priority = math.MaxUint64
	for _, d := range b.far {
		priority = min(priority, d.Priority)
	}
	return priority, len(b.far) > 0
}

// least returns the least bucket of all workers, if any is left.
func least(list []buckets) (number uint64, ok bool) {
	number = math.MaxUint64
	for i := range list {
		if k, some := list[i].least(); some {
			number, ok = min(number, k), true
		}
	}
	return number, ok
}

// take takes the bucket of a priority that is the least of all workers', and gives
// old, which is empty, to be filled. Every worker's ring begins there when it
// has come to its end.
func (b *buckets) take(priority uint64, old []uint32) []uint32 {
	if priority-b.base >= ringSize {
		b.move(priority)
	}
	if b.ring == nil || len(b.ring[priority-b.base]) == 0 {
		b.current = max(b.current, priority)
		return old[:0]
	}
	list := b.ring[priority-b.base]
	b.ring[priority-b.base] = nil
	b.current = priority
	b.spare = append(b.spare, old)
	return list
}

// move makes the empty ring begin at a priority.
func (b *buckets) move(priority uint64) {
	b.base, b.current, b.end = priority, priority, 0
	far := b.far
	b.far = nil
	for _, d := range far {
		b.put(d)
	}
}
