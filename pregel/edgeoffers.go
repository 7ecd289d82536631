package pregel

import (
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// This file makes the offers that pulling reads: what each awake vertex sends, the same along all
// of its arcs, and the identity for those who sleep, unless nobody will read that (edgelevel.go).
// One for each vertex, O(n) a superstep; none where a message is the sender's id, and none here
// where they have been made ahead (edgeahead.go).

// Emit stores the offers of the awake vertices from lo to hi.
func (t *edgeTask[V, M]) Emit(lo, hi uint32, w *Worker, f Frontier) {
	if f.All && t.spec.Edge.kind != opSource && len(t.sending) == 1 {
		t.emitEach(lo, hi, w, t.offers)
		return
	}
	bare, id := t.level.bare, t.spec.Combine.Identity
	for i := int(lo / BlockSize); i < int((hi+BlockSize-1)/BlockSize); i++ {
		awake, block := f.word(i)&bitmap.Mask(i, hi), i*BlockSize
		if !bare {
			mem.Fill(t.offers[block:min(block+BlockSize, int(hi))], id)
		}
		if awake != 0 {
			t.emitSome(block, awake, w)
		}
	}
}

// emitSome is Emit for those of a set, as bits, of the block from lo on.
func (t *edgeTask[V, M]) emitSome(lo int, awake uint64, w *Worker) {
	level, offers := t.level.of(w), t.offers[lo:]
	if t.own != nil && t.spec.Edge.kind != opSource {
		for own := t.own[lo:]; awake != 0; awake &= awake - 1 {
			k := bits.TrailingZeros64(awake)
			offers[k] = own[k]
			level.add(offers[k])
		}
		return
	}
	if t.spec.Edge.kind == opSource || len(t.sending) > 1 {
		for ; awake != 0; awake &= awake - 1 {
			k := bits.TrailingZeros64(awake)
			offers[k] = t.offer(uint32(lo+k), w)
			level.add(offers[k])
		}
		return
	}
	if s := t.sweep(lo, min(BlockSize, len(t.values)-lo), awake, w); s != nil {
		t.degreesOf(lo, len(s.Values), awake, w)
		s.Offers = offers[:len(s.Values)]
		t.sweeps.EmitSweep(s)
		level.addAll(offers, awake)
		return
	}
	program, values, offsets := t.program, t.values[lo:], t.offsets
	at := Place{Superstep: w.Superstep, slot: int32(w.Slot)}
	for ; awake != 0; awake &= awake - 1 {
		k := bits.TrailingZeros64(awake)
		at.ID, at.OutDegree = uint32(lo+k), uint32(offsets.Degree(uint32(lo+k)))
		w.At = at.ID
		offers[k] = program.Emit(Vertex[V]{at, values[k]})
		level.add(offers[k])
	}
}

// emitEach is Emit when everybody is awake.
func (t *edgeTask[V, M]) emitEach(lo, hi uint32, w *Worker, offers []M) {
	if t.blocks != nil {
		t.emitBlocks(lo, hi, w, offers)
		return
	}
	t.emitAll(lo, hi, w, offers)
}

// needsOffers makes the array of offers before the first pull, and tells
// whether pulling reads it.
func (t *edgeTask[V, M]) needsOffers() bool {
	if t.mode == byFirst && t.spec.Edge.kind == opSource {
		return false
	}
	if t.offers == nil {
		t.offers = t.room()
	}
	return true
}

// room is an array of offers, of which the last is nobody's.
func (t *edgeTask[V, M]) room() []M {
	offers, rest := mem.Carve[M](t.memory, t.g.N()+1)
	if offers != nil {
		t.memory, t.lent = rest, append(t.lent, offers)
	} else {
		offers = mem.Take[M](t.g.N() + 1)
	}
	offers[t.g.N()] = t.spec.Combine.Identity
	return offers
}
