package pregel

import (
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// This file is for pushes that reach many vertices. To note for each message whether
// its target has one already takes an atomic operation more, on words that all workers
// write. Where boxes show it by themselves, as no message is the identity, nothing is
// noted, and who has a message is found in a sweep over the boxes, in order.

// flooding are the loops of a combiner that can do so.
type flooding[M any] interface {
	// flood combines x into the boxes of those of vs that are not settled.
	flood(x M, boxes []M, vs []uint32, t *touch)
	// filled tells which of up to 64 boxes hold anything but id.
	filled(id M, boxes []M) uint64
}

// floods returns these loops, if messages are ids of vertices of which the least
// counts, and no id is the identity.
func (t *edgeTask[V, M]) floods() flooding[M] {
	if t.mode != byFirst || t.spec.Edge.kind != opSource || t.spec.Combine.first != leastSource ||
		t.spec.Silent || t.orderer != nil || t.g.N() > 1<<31-1 {
		return nil
	}
	loops, _ := any(t.spec.Combine.loops).(flooding[M])
	return loops
}

// Flood says whether pushes note nothing from now on, and ApplyRange finds who has a
// message by the boxes.
func (t *edgeTask[V, M]) Flood(yes bool) { t.flood = yes }

func (minLoops[T]) flood(x T, boxes []T, vs []uint32, t *touch) {
	settled, alone := t.settled, t.w.Alone
	for _, v := range vs {
		if settled != nil && settled.Has(v) || !(x < mem.Load(&boxes[v])) {
			continue
		}
		if alone {
			boxes[v] = x
		} else {
			lowers(&boxes[v], x)
		}
	}
}

func (minLoops[T]) filled(id T, boxes []T) (set uint64) {
	for i, x := range boxes {
		bit := uint64(0)
		if x != id {
			bit = 1
		}
		set |= bit << i
	}
	return set
}

// applyFlood is ApplyRange after a flood.
func (t *edgeTask[V, M]) applyFlood(lo, hi uint32, w *Worker, next bitmap.Bitmap) {
	id := t.spec.Combine.Identity
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		first := i * BlockSize
		boxes := t.boxes[first:][:bits.OnesCount64(bitmap.Mask(i, hi))]
		got := t.flooding.filled(id, boxes)
		w.Got += uint64(bits.OnesCount64(got))
		var b block
		t.applySome(first, got, boxes, w, &b)
		for run := got; run != 0; run &= run - 1 {
			boxes[bits.TrailingZeros64(run)] = id
		}
		t.finish(i, w, b, next)
	}
}

// applySome is applyEach, or applySet.
func (t *edgeTask[V, M]) applySome(lo int, got uint64, messages []M, w *Worker, b *block) {
	switch {
	case got == 0:
	case t.sets != nil && t.orderer == nil && len(t.sending) == 1:
		t.applySet(lo, got, messages, w, b)
	default:
		t.applyEach(lo, got, got, messages, w, b)
	}
}
