package pregel

import (
	"slices"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file sends and applies in one where any message will do (Any) and vertices settle, by whatever
// operation on arcs: as edgewave.go does where all offers are one, but each message is that of its arc. The first
// that is sent to a vertex closes it, and is applied by its sender.
//
// All offers are made before anybody is applied, unless whoever sends is settled, and so is not applied:
// then they are made as they are sent, by who sends them.
//
// Cost: a look at a bit for each arc, a call of the operation for those to who is not closed, and an atomic
// operation for each vertex reached beside others.

// firstComes tells whether the program is one that this can be done for.
func (t *edgeTask[V, M]) firstComes() bool {
	return t.spec.Combine.first == anySource && t.spec.Edge.kind != opSource && t.collect == nil &&
		!t.spec.Silent && t.settler != nil && len(t.sending) == 1
}

// offerFirst makes the offers of all awake vertices, unless that can wait.
func (t *edgeTask[V, M]) offerFirst(us []uint32, w *Worker) {
	t.atOnce = true
	for _, u := range us {
		t.atOnce = t.atOnce && t.settled.Has(u) && t.offsets.Degree(u) < WholeRow
	}
	if t.atOnce {
		return
	}
	if t.offers == nil {
		t.offers = t.room()
	}
	for _, u := range us {
		t.offers[u] = t.program.Emit(t.vertex(u, w))
	}
}

// arriveFirst is Arrive where any message will do. The rows of a batch are gone through before
// anybody is applied whom they lead to.
func (t *edgeTask[V, M]) arriveFirst(us []uint32, w *Worker) {
	c, corner := &t.sending[0], &t.corners[w.Slot]
	for len(us) > 0 {
		k, arcs := rowsOf(c, us)
		f := corner.firsts(int(arcs))
		f.list(t.settled, c, us[:k])
		if t.byArcs() {
			c.Weights.PrefetchAt(f.begins[:k])
		}
		t.sendRows(f, us[:k], w)
		w.Arcs += arcs
		t.receiveLevel(f.vs[:f.kept], f.messages[:f.kept], w, true)
		us = us[k:]
	}
}

// arrivePartFirst is ArrivePart where any message will do.
func (t *edgeTask[V, M]) arrivePartFirst(u uint32, lo, hi uint64, w *Worker) {
	c, corner := &t.sending[0], &t.corners[w.Slot]
	for ; lo < hi; lo += arcsAtOnce {
		vs := c.Targets[lo:min(lo+arcsAtOnce, hi)]
		f := corner.firsts(len(vs))
		t.sendFirst(f, t.offers[u], u, lo, 0, f.open(t.settled, vs, 0), w)
		w.Arcs += uint64(len(vs))
		t.receiveLevel(f.vs[:f.kept], f.messages[:f.kept], w, true)
	}
}

// sendRows sends for us, by offers made before or now, along the arcs that have been listed.
func (t *edgeTask[V, M]) sendRows(f *firsts[M], us []uint32, w *Worker) {
	at, from := Place{Superstep: w.Superstep, slot: int32(w.Slot)}, 0
	for i, u := range us {
		var x M
		if t.atOnce {
			at.ID, at.OutDegree = u, f.degrees[i]
			w.At = u
			x = t.program.Emit(Vertex[V]{at, t.values[u]})
		} else {
			x = t.offers[u]
		}
		t.sendFirst(f, x, u, f.begins[i], from, f.ends[i], w)
		from = f.ends[i]
	}
}

// sendFirst sends x along arcs from number from to end of the list, which are of u, whose row begins at
// begin. It keeps the targets that it is the first to send to, whom it closes, with their messages.
func (t *edgeTask[V, M]) sendFirst(f *firsts[M], x M, u uint32, begin uint64, from, end int, w *Worker) {
	along, weights, closed, alone := t.spec.Edge.along, t.sending[0].Weights, t.settled, w.Alone
	w.At = u
	for i := from; i < end; i++ {
		v, message, ok := f.vs[i], x, true
		if closed.HasAtomic(v) {
			continue
		}
		if along != nil {
			message, ok = along(x, u, v, weights.At(begin+uint64(f.at[i])))
		}
		if !ok || !alone && !closed.SetAtomic(v) {
			continue
		}
		if alone {
			closed.Set(v)
		}
		f.vs[f.kept], f.messages[f.kept] = v, message
		f.kept++
	}
}

// firsts are the arcs of a batch of rows to who was not closed, and those of their targets that are kept
// for this worker's messages.
type firsts[M any] struct {
	vs, at   []uint32      // targets, and the places of their arcs in their rows
	begins   [batch]uint64 // of the rows
	degrees  [batch]uint32 // arcs of each
	ends     [batch]int    // of each row's part of vs
	kept     int           // of vs, from the first on: no more than have been looked at
	messages []M           // for them
}

// firsts makes room for so many arcs, of which none is kept.
func (c *corner[V, M]) firsts(arcs int) *firsts[M] {
	f := c.first
	f.vs, f.at = slices.Grow(f.vs[:0], arcs)[:arcs], slices.Grow(f.at[:0], arcs)[:arcs]
	f.messages, f.kept = slices.Grow(f.messages[:0], arcs)[:arcs], 0
	return f
}

// list lists the arcs of us.
func (f *firsts[M]) list(closed bitmap.Bitmap, c *graph.CSR, us []uint32) {
	n := 0
	for i, u := range us {
		lo, hi := c.Offsets.Row(u)
		n = f.open(closed, c.Targets[lo:hi], n)
		f.begins[i], f.degrees[i], f.ends[i] = lo, uint32(hi-lo), n
	}
}

// open lists, from number n on, those of a row's arcs that lead to who is not closed, and tells where
// they end. It has no branch on whether one is.
func (f *firsts[M]) open(closed bitmap.Bitmap, row []uint32, n int) int {
	vs, at := f.vs, f.at[:len(f.vs)]
	for k, v := range row {
		vs[n], at[n] = v, uint32(k)
		n += int(^mem.Load(&closed[v>>6]) >> (v & 63) & 1)
	}
	return n
}
