package pregel

import (
	"slices"

	"gopregel/pregel/graph"
)

// This file sends and applies in one where any message will do (Any) and vertices settle, by whatever
// operation on arcs: as edgewave.go does where all offers are one, but each message is that of its arc. The first
// that is sent to a vertex closes it, and is applied by its sender.
//
// All offers are made before anybody is applied, unless whoever sends is settled, and so is not applied:
// then they are made as they are sent, by who sends them.
//
// Cost: a look at a bit for each arc, a call of the operation for those to who is not closed, and an atomic
// operation for each vertex reached beside others. To list first, without a branch, whom arcs lead to who are
// not closed took longer than the branches do (runtime/cpu/TUNING.md).

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
		f.rows(c, us[:k])
		if t.byArcs() {
			f.askWeights(k, c.Weights)
		}
		t.sendRows(f, us[:k], w)
		w.Arcs += arcs
		t.receiveLevel(f.vs[:f.kept], f.messages[:f.kept], w, true)
		us = us[k:]
	}
}

// arrivePartFirst is ArrivePart where any message will do: of one whose offer has been made (WholeRow).
func (t *edgeTask[V, M]) arrivePartFirst(u uint32, lo, hi uint64, w *Worker) {
	corner := &t.corners[w.Slot]
	for ; lo < hi; lo += arcsAtOnce {
		f := corner.firsts(arcsAtOnce)
		f.begin[0], f.end[0] = lo, min(lo+arcsAtOnce, hi)
		t.sendRows(f, []uint32{u}, w)
		w.Arcs += f.end[0] - lo
		t.receiveLevel(f.vs[:f.kept], f.messages[:f.kept], w, true)
	}
}

// sendRows sends for us, by offers made before or now, along the arcs that f has of each. It keeps the targets that it is the
// first to send to, whom it closes, with their messages.
func (t *edgeTask[V, M]) sendRows(f *firsts[M], us []uint32, w *Worker) {
	at, c := Place{Superstep: w.Superstep, slot: int32(w.Slot)}, &t.sending[0]
	along, targets, weights, closed, alone := t.spec.Edge.along, c.Targets, c.Weights, t.settled, w.Alone
	for i, u := range us {
		var x M
		w.At = u
		if t.atOnce {
			at.ID, at.OutDegree = u, uint32(f.end[i]-f.begin[i])
			x = t.program.Emit(Vertex[V]{at, t.values[u]})
		} else {
			x = t.offers[u]
		}
		for k, end := f.begin[i], f.end[i]; k < end; k++ {
			v := targets[k]
			if closed.HasAtomic(v) {
				continue
			}
			message, ok := x, true
			if along != nil {
				message, ok = along(x, u, v, weights.At(k))
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
}

// firsts are a batch of rows, and those of their targets that are kept for this worker's messages.
type firsts[M any] struct {
	spans    // the rows
	kept     int
	vs       []uint32 // the targets: the first kept of these
	messages []M      // for them
}

// firsts makes room for so many targets, of which none is kept.
func (c *corner[V, M]) firsts(arcs int) *firsts[M] {
	f := c.first
	f.vs, f.messages, f.kept = slices.Grow(f.vs[:0], arcs)[:arcs], slices.Grow(f.messages[:0], arcs)[:arcs], 0
	return f
}

// rows notes where the rows of us lie.
func (f *firsts[M]) rows(c *graph.CSR, us []uint32) {
	for i, u := range us {
		f.begin[i], f.end[i] = c.Offsets.Row(u)
	}
}
