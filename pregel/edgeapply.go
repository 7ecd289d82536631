package pregel

import (
	"slices"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// This file applies pushed messages: of vertices in a list, or of ranges of vertices. Pulled ones are applied
// where they are gathered.

// Apply applies the pushed messages of the vertices vs.
func (t *edgeTask[V, M]) Apply(vs []uint32, w *Worker) { t.applyList(vs, w, w.Alone) }

// applyList is Apply. mine: nobody else has vertices of the same words of a set.
func (t *edgeTask[V, M]) applyList(vs []uint32, w *Worker, mine bool) {
	for some := range slices.Chunk(vs, batch) {
		t.applyBatch(some, w, mine)
	}
}

// applyBatch is applyList for up to a batch of vertices, whose values are read together. It empties their boxes.
func (t *edgeTask[V, M]) applyBatch(vs []uint32, w *Worker, mine bool) {
	program, asked, id, two := t.combine, t.asks(), t.spec.Combine.Identity, len(t.sending) > 1
	values, boxes, offsets, next := t.values, t.boxes, t.offsets, w.Next
	at := Place{Superstep: w.Superstep, slot: int32(w.Slot)}
	var settled [batch]uint32
	awakeArcs, doneArcs, done := uint64(0), uint64(0), 0
	offsets.PrefetchEach(vs)
	mem.Prefetch(values, vs)
	for _, v := range vs {
		message, degree, awake := boxes[v], offsets.Degree(v), false
		boxes[v] = id
		if two {
			degree += t.sending[1].Degree(v)
		}
		at.ID, at.OutDegree, w.At = v, uint32(degree), v
		if t.own != nil {
			awake = t.absorbOne(v, message)
		} else {
			values[v], awake = program.Apply(Vertex[V]{at, values[v]}, message, true)
		}
		if t.orderer != nil {
			awake = t.due(v, awake, w)
		}
		if awake {
			awakeArcs += degree
			next = append(next, v)
		}
		if t.settler != nil && asked.settled(values[v]) {
			doneArcs += degree
			settled[done%batch] = v
			done++
		}
	}
	w.Awake += uint64(len(next) - len(w.Next))
	w.Next = next
	w.AwakeArcs += awakeArcs
	w.DoneArcs += doneArcs
	t.untouch(vs, settled[:done], mine)
}

// due notes whether v, which has been left awake or not, has to wait for its priority, and tells whether it is awake
// otherwise.
func (t *edgeTask[V, M]) due(v uint32, awake bool, w *Worker) bool {
	switch {
	case !awake:
	case t.orderer.Priority(t.values[v]) <= t.current:
		if t.waiting.ClearAtomic(v) {
			w.Waiting--
		}
	default:
		if t.waiting.SetAtomic(v) {
			w.Waiting++
			w.Waits = append(w.Waits, v)
		}
		return false
	}
	return awake
}

// untouch empties the boxes' set of vertices that have been applied; those of the second list have settled.
func (t *edgeTask[V, M]) untouch(vs, settled []uint32, mine bool) {
	if mine { // every touched vertex is in somebody's list
		for _, v := range vs {
			t.touched[v>>6] = 0
		}
		for _, v := range settled {
			t.settled.Set(v)
		}
		return
	}
	for _, v := range vs {
		mem.Store(&t.touched[v>>6], 0)
	}
	for _, v := range settled {
		t.settled.SetAtomic(v)
	}
}

// ApplyRange applies the pushed messages of the vertices from lo to hi.
func (t *edgeTask[V, M]) ApplyRange(lo, hi uint32, w *Worker, f Frontier, next bitmap.Bitmap) {
	if t.flood {
		t.applyFlood(lo, hi, w, next)
		return
	}
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		got := t.touched[i]
		run := got
		if t.spec.Silent {
			run |= f.word(i)
		}
		if t.settled != nil {
			run &^= t.settled[i]
		}
		var b block
		t.applyBoxes(i*BlockSize, run&bitmap.Mask(i, hi), got, w, &b)
		t.touched[i] = 0
		t.finish(i, w, b, next)
	}
}
