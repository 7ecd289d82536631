package pregel

import (
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// This file runs an Absorber in place.
//
// A box has what its vertex began with and all that it was ever sent, which is the value to
// be; the value is what it has offered last. There is nothing to apply, so nobody need own a
// vertex, and nobody claims one: whoever changes a box puts the vertex into a list, once more if it is
// in others, and who takes it out sends what is in the box unless the value says that it was sent.
// Two who take it out at the same time send the same, which says nothing new: idempotence. To claim a
// vertex and to have it wait for its turn are four locked operations, on words that other workers
// write for other vertices.
//
// Invariant: who has changed a box has its vertex in a list afterwards, by the rank of what is
// there then. A vertex that was awake at first is in ready until it has sent.
//
// Cost: an entry of 4 or 16 bytes for each change of a box, and two reads for each entry.

// loosen decides whether a run is of this kind, and makes its boxes.
func (t *edgeTask[V, M]) loosen() {
	if t.loose = t.own != nil; !t.loose {
		return
	}
	t.boxes = mem.Take[M](len(t.own))
	parallel.Range(t.setup.slots, len(t.own), 1<<16, func(_, lo, hi int) {
		copy(t.boxes[lo:hi], t.own[lo:hi])
	})
}

// startLoose is Start.
func (t *edgeTask[V, M]) startLoose(lo, hi uint32, w *Worker, next bitmap.Bitmap) {
	to := t.touching(w)
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		run := next[i] | t.ready[i]
		t.ready[i] = run
		t.firsts.Add(int64(bits.OnesCount64(run)))
		w.Waiting += uint64(bits.OnesCount64(run))
		for ; run != 0; run &= run - 1 {
			t.relist(uint32(i*64+bits.TrailingZeros64(run)), to)
		}
	}
}

// relist puts a vertex into the list of what is in its box.
func (t *edgeTask[V, M]) relist(v uint32, to *touch) {
	if t.rank == nil {
		to.mark(v)
	} else {
		to.come(v, t.rank.of(mem.Load(&t.boxes[v])))
	}
}

// list puts a vertex into the list of a rank.
func (t *touch) list(v uint32, rank uint64) {
	if rank <= t.near {
		t.w.Touched = append(t.w.Touched, v)
		return
	}
	t.w.Waiting++
	t.w.Behind = append(t.w.Behind, Deferred{v, rank})
}

// send notes those of a batch who are to send.
func (t *edgeTask[V, M]) send(vs []uint32, s *sending[M], w *Worker) {
	firsts := t.firsts.Load() > 0
	for _, v := range vs {
		x, news := t.latest(v, w.Alone)
		if firsts && t.ready.HasAtomic(v) && t.ready.ClearAtomic(v) {
			t.firsts.Add(-1)
			w.Waiting--
			news = true
		}
		if news {
			s.us[s.n], s.xs[s.n] = v, x
			s.n++
		}
	}
	if w.Awake += uint64(s.n); t.spec.Edge.kind == opSource {
		for i, u := range s.us[:s.n] {
			s.xs[i] = t.offer(u, w)
		}
	}
}

// latest makes the value of v what is in its box, and tells whether that has changed it. The box is read
// after the value, so that no value is put in the place of a later one.
func (t *edgeTask[V, M]) latest(v uint32, alone bool) (x M, news bool) {
	for {
		old := mem.Load(&t.own[v])
		switch x = mem.Load(&t.boxes[v]); {
		case mem.Same(x, old):
			return x, false
		case alone:
			t.own[v] = x
			return x, true
		case mem.Swap(&t.own[v], old, x):
			return x, true
		}
	}
}

// Hold notes vertices of lists for RelaxState, which forgets them; claimed ones are known.
func (t *edgeTask[V, M]) Hold(vs []uint32) {
	if !t.loose {
		return
	}
	for _, v := range vs {
		t.touched.Set(v)
	}
}
