package pregel

import (
	"math"
	"math/bits"

	"gopregel/pregel/bitmap"
)

// This file keeps what calls of the program have made of vertices, 64 at a time: a
// block is one word of each bitmap, and no two workers have the same. Who waits for
// a priority, and is released by it, is found here too.

// Init sets the first values of the vertices from lo to hi.
func (t *edgeTask[V, M]) Init(lo, hi uint32, w *Worker, next bitmap.Bitmap) {
	if t.seeded.is {
		t.initSeeds(lo, hi, w, next)
		return
	}
	if !t.given {
		clear(t.values[lo:hi])
	}
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		var b block
		if n := bits.OnesCount64(bitmap.Mask(i, hi)); t.inits != nil && t.orderer == nil && len(t.sending) == 1 {
			t.initWhole(i*BlockSize, n, w, &b)
		} else {
			t.initBlock(i*BlockSize, n, w, &b)
		}
		t.finish(i, w, b, next)
	}
}

// A block collects what becomes of 64 vertices, as bits.
type block struct {
	awake, settled, waiting uint64
}

// store keeps what the program has made of a vertex, and notes it under bit.
func (t *edgeTask[V, M]) store(at Place, w *Worker, value V, awake bool, bit uint64, b *block) {
	t.values[at.ID] = value
	if awake {
		if t.orderer != nil && t.orderer.Priority(value) > t.current {
			b.waiting |= bit
		} else {
			w.Awake++
			w.AwakeArcs += uint64(at.OutDegree)
			b.awake |= bit
		}
	}
	if t.settler != nil && t.settler.Settled(value) {
		b.settled |= bit
		w.DoneArcs += uint64(at.OutDegree)
	}
}

// finish writes the bits of block i, which is this worker's alone.
func (t *edgeTask[V, M]) finish(i int, w *Worker, b block, next bitmap.Bitmap) {
	next[i] = b.awake
	if b.settled != 0 {
		t.settled[i] |= b.settled
	}
	if t.orderer != nil {
		before := bits.OnesCount64(t.waiting[i])
		t.waiting[i] = (t.waiting[i] | b.waiting) &^ b.awake
		w.Waiting += uint64(bits.OnesCount64(t.waiting[i]) - before)
	}
	t.setup.flush(w.Slot, uint32(i*64))
}

// LeastWaiting returns the least priority of the vertices that wait.
func (t *edgeTask[V, M]) LeastWaiting(lo, hi uint32) uint64 {
	least := uint64(math.MaxUint64)
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		for run := t.waiting[i]; run != 0; run &= run - 1 {
			v := uint32(i*64 + bits.TrailingZeros64(run))
			least = min(least, t.orderer.Priority(t.values[v]))
		}
	}
	return least
}

// Release wakes the vertices from lo to hi that wait for the given priority.
func (t *edgeTask[V, M]) Release(lo, hi uint32, priority uint64, w *Worker, next bitmap.Bitmap) {
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		var b block
		for run := t.waiting[i]; run != 0; run &= run - 1 {
			v := uint32(i*64 + bits.TrailingZeros64(run))
			if t.orderer.Priority(t.values[v]) <= priority {
				b.awake |= run & -run
				w.Awake++
				w.AwakeArcs += t.degree(v)
			}
		}
		next[i] = b.awake
		if b.awake != 0 {
			t.waiting[i] &^= b.awake
			w.Waiting -= uint64(bits.OnesCount64(b.awake))
		}
	}
}

// ReleaseList makes the least priority of a list the current one and wakes those of the
// list that wait for it. It returns the others that wait.
func (t *edgeTask[V, M]) ReleaseList(vs []uint32, w *Worker) []uint32 {
	least, rest := uint64(math.MaxUint64), vs[:0]
	for _, v := range vs {
		if t.waiting.Has(v) {
			least = min(least, t.orderer.Priority(t.values[v]))
			rest = append(rest, v)
		}
	}
	t.current = least
	vs, rest = rest, rest[:0]
	for _, v := range vs {
		switch {
		case !t.waiting.Has(v): // stood in the list twice
		case t.orderer.Priority(t.values[v]) > least:
			rest = append(rest, v)
		default:
			t.waiting.Clear(v)
			w.Next = append(w.Next, v)
			w.Waiting--
			w.Awake++
			w.AwakeArcs += t.degree(v)
		}
	}
	return rest
}

// SetPriority makes a priority the current one.
func (t *edgeTask[V, M]) SetPriority(priority uint64) { t.current = priority }
