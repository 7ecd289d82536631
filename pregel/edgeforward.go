package pregel

import "gopregel/pregel/bitmap"

// This file sends and applies in one, for thin frontiers of programs whose message
// is the id of the sender and whose first or least message counts: the first to
// send in ascending order is the least, so that its message may be applied at
// once, and what else comes is dropped. What one sends does not hang on its value,
// which may have changed by then.

// forwards tells whether the program is of that kind.
func (t *edgeTask[V, M]) forwards() bool {
	return t.mode == byFirst && t.spec.Edge.kind == opSource && len(t.sending) == 1 &&
		!t.spec.Silent && t.orderer == nil && !t.setup.ordered()
}

// Forward sends for the vertices us, and applies what comes first. Whoever has been
// sent to takes no more: its bit is that of settled vertices, where the program has
// such, until it turns out that it is none.
func (t *edgeTask[V, M]) Forward(us []uint32, w *Worker) {
	t.markSettled()
	c, closed := t.sending[0], t.closed()
	to := touch{w: w}
	var a arrivals[V]
	for len(us) > 0 {
		k := min(len(us), batch)
		spans := spansOf(us[:k], c, &to)
		for i, u := range us[:k] {
			for _, v := range spans.of(i, c) {
				if closed.Has(v) {
					continue
				}
				closed.Set(v)
				if a.add(v, u) {
					t.receive(&a, w)
				}
			}
		}
		us = us[k:]
	}
	t.receive(&a, w)
	for _, v := range w.Touched {
		closed.Clear(v)
	}
	w.Touched = w.Touched[:0]
}

// closed is the set that Forward marks who has been sent to in.
func (t *edgeTask[V, M]) closed() bitmap.Bitmap {
	if t.settler != nil {
		return t.settled
	}
	t.prepareTouched()
	return t.touched
}

// arrivals are vertices that were sent to and have not been applied yet: what is read
// for several is under way at the same time.
type arrivals[V any] struct {
	n       int
	v, by   [arrived]uint32
	degrees [arrived]uint32
	values  [arrived]V
}

const arrived = 64

// add notes that u was the first to send to v, and tells whether that was the last
// there is room for.
func (a *arrivals[V]) add(v, u uint32) (full bool) {
	a.v[a.n], a.by[a.n] = v, u
	a.n++
	return a.n == arrived
}

// receive applies the messages of those who have arrived. It does what apply and store
// do for programs of this kind.
func (t *edgeTask[V, M]) receive(a *arrivals[V], w *Worker) {
	n := min(a.n, arrived)
	for i, v := range a.v[:n] {
		a.degrees[i] = uint32(t.offsets.Degree(v))
	}
	for i, v := range a.v[:n] {
		a.values[i] = t.values[v]
	}
	at := Vertex[V]{Place: Place{Superstep: w.Superstep, slot: int32(w.Slot)}}
	for i, v := range a.v[:n] {
		at.ID, at.OutDegree, at.Value = v, a.degrees[i], a.values[i]
		w.At = v
		message, _ := t.spec.Edge.along(t.spec.Combine.Identity, a.by[i], v, 0)
		value, awake := t.combine.Apply(at, message, true)
		t.values[at.ID] = value
		if awake {
			w.Awake++
			w.AwakeArcs += uint64(at.OutDegree)
			w.Next = append(w.Next, at.ID)
		}
		if t.settler == nil || !t.settler.Settled(value) {
			w.Touched = append(w.Touched, at.ID)
		} else {
			w.DoneArcs += uint64(at.OutDegree)
		}
	}
	a.n = 0
}
