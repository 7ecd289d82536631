package pregel

import (
	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// This file applies pushed messages: of vertices in a list, or of ranges of vertices. Pulled ones are applied
// where they are gathered.

// Apply applies the pushed messages of the vertices vs, whose values are read
// batch by batch.
func (t *edgeTask[V, M]) Apply(vs []uint32, w *Worker) {
	var at [batch]Vertex[V]
	for len(vs) > 0 {
		k := min(len(vs), batch)
		for i, v := range vs[:k] {
			at[i] = t.vertex(v, w)
		}
		for i := range vs[:k] {
			t.take(&at[i], w)
		}
		vs = vs[k:]
	}
}

// take applies the message in a vertex's box, which it empties.
func (t *edgeTask[V, M]) take(at *Vertex[V], w *Worker) {
	v, id := at.ID, t.spec.Combine.Identity
	message := t.boxes[v]
	t.boxes[v] = id
	w.At = v
	var b block
	if t.own != nil {
		awake := t.absorbOne(v, message)
		t.store(at.Place, w, t.values[v], awake, 1, &b)
	} else {
		value, awake := t.combine.Apply(*at, message, true)
		t.store(at.Place, w, value, awake, 1, &b)
	}
	if b.awake != 0 {
		w.Next = append(w.Next, v)
	}
	if w.Alone { // every touched vertex is in somebody's list
		t.touched[v>>6] = 0
		if b.settled != 0 {
			t.settled.Set(v)
		}
	} else {
		mem.Store(&t.touched[v>>6], 0)
		if b.settled != 0 {
			t.settled.SetAtomic(v)
		}
	}
	if t.orderer != nil {
		t.wait(v, w, b)
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
