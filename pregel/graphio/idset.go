package graphio

import (
	"math/bits"
	"slices"
	"sync/atomic"

	"gopregel/pregel/mem"
)

// An idSet collects the ids that occur in a file, from several workers.
//
// Ids below a limit, which is about the number of bytes of the file so that
// the set stays much smaller than the graph, are bits of a bitmap; the vertex
// of such an id is the number of bits set before it. Greater ids are kept in
// one sorted run a worker, and at last in one sorted list. Both keep the order
// of the ids.
//
// Cost: O(1) an id below the limit, amortised O(log) for others; n/8 bytes up
// to the greatest id below the limit and 12 bytes for each id above.
type idSet struct {
	limit uint64
	bits  []uint64
	runs  []run // of the workers
}

// A run holds ids: the first sorted ones without repetition, the rest as they
// came.
type run struct {
	ids    []uint64
	sorted int
	least  uint64 // of the ids below the limit
	most   uint64
	any    bool
	_      [64]byte // keeps the workers' runs on different cache lines
}

const leastLimit = 1 << 20

func newIDSet(limit uint64, workers int) *idSet {
	limit = (max(limit, leastLimit) + 63) &^ 63
	return &idSet{limit: limit, bits: make([]uint64, limit/64), runs: make([]run, workers)}
}

// add puts ids into the set.
func (s *idSet) add(worker int, ids []uint64) {
	r := &s.runs[worker]
	least, most := r.least, r.most
	if !r.any {
		least = s.limit
	}
	last := s.limit
	for _, id := range ids {
		if id == last {
			continue
		}
		if id >= s.limit {
			r.add(id)
			continue
		}
		last = id
		least, most = min(least, id), max(most, id)
		word, bit := &s.bits[id/64], uint64(1)<<(id%64)
		if atomic.LoadUint64(word)&bit == 0 {
			atomic.OrUint64(word, bit)
		}
	}
	r.least, r.most, r.any = least, most, r.any || least < s.limit
}

const leastRun = 1 << 12

// add appends an id, and sorts when the room is used up; when that does not
// free half of it, the room is doubled.
func (r *run) add(id uint64) {
	if len(r.ids) == cap(r.ids) {
		r.compact()
		if len(r.ids) >= cap(r.ids)/2 {
			r.ids = slices.Grow(r.ids, max(leastRun, cap(r.ids)))
		}
	}
	r.ids = append(r.ids, id)
}

func (r *run) compact() {
	if r.sorted < len(r.ids) {
		slices.Sort(r.ids)
		r.ids = slices.Compact(r.ids)
		r.sorted = len(r.ids)
	}
}

// finish returns the numbering of the ids of the set and how many there are.
func (s *idSet) finish() (*ranks, uint64) {
	least, most := s.limit, uint64(0)
	var high []uint64
	for i := range s.runs {
		r := &s.runs[i]
		if r.any {
			least, most = min(least, r.least), max(most, r.most)
		}
		r.compact()
		high = append(high, r.ids...)
		r.ids = nil
	}
	slices.Sort(high)
	high = slices.Compact(high)
	k := &ranks{least: least, greatest: most}
	if least < s.limit {
		k.bits = s.bits[:most/64+1]
		k.countBits()
	}
	k.high = newHighIDs(high)
	return k, k.low + uint64(len(high))
}

// ranks numbers ids: the vertex of an id is the number of lesser ids.
type ranks struct {
	bits     []uint64
	before   []uint32 // bits set in the words before each
	low      uint64   // ids in bits
	least    uint64   // of them
	greatest uint64
	high     highIDs
}

func (k *ranks) countBits() {
	k.before = mem.Make[uint32](len(k.bits))
	for i, w := range k.bits {
		k.before[i] = uint32(k.low)
		k.low += uint64(bits.OnesCount64(w))
	}
}

// list returns all ids in order.
func (k *ranks) list() []uint64 {
	if k.low == 0 {
		return k.high.ids
	}
	ids := mem.Make[uint64](int(k.low) + len(k.high.ids))[:0]
	for i, w := range k.bits {
		for ; w != 0; w &= w - 1 {
			ids = append(ids, uint64(i)*64+uint64(bits.TrailingZeros64(w)))
		}
	}
	return append(ids, k.high.ids...)
}

// vertices maps ids to vertices and returns -1, or the first that has none.
func (k *ranks) vertices(ids []uint64, to []uint32) int {
	to = to[:len(ids)]
	for i, id := range ids {
		if word := id / 64; word < uint64(len(k.bits)) {
			w, bit := k.bits[word], uint64(1)<<(id%64)
			if w&bit == 0 {
				return i
			}
			to[i] = k.before[word] + uint32(bits.OnesCount64(w&(bit-1)))
			continue
		}
		at, ok := k.high.find(id)
		if !ok {
			return i
		}
		to[i] = uint32(k.low) + at
	}
	return -1
}
