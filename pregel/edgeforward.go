package pregel

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

// Forward sends for the vertices us, and applies what comes first.
func (t *edgeTask[V, M]) Forward(us []uint32, w *Worker) {
	t.prepareTouched()
	c, settled, touched := t.sending[0], t.settled, t.touched
	to := touch{w: w}
	for len(us) > 0 {
		k := min(len(us), batch)
		spans := spansOf(us[:k], c, &to)
		for i, u := range us[:k] {
			x := t.offer(u, w)
			for _, v := range spans.of(i, c) {
				if settled != nil && settled.Has(v) || touched.Has(v) {
					continue
				}
				t.receive(v, x, w)
			}
		}
		us = us[k:]
	}
	for _, v := range w.Touched {
		touched[v>>6] = 0 // every touched vertex is in the list
	}
	w.Touched = w.Touched[:0]
}

// receive applies the first message to v, and sees to it that it stays the only
// one. It does what apply and store do for programs of this kind.
func (t *edgeTask[V, M]) receive(v uint32, message M, w *Worker) {
	w.At = v
	degree := t.offsets[v+1] - t.offsets[v]
	at := Vertex[V]{Place{ID: v, OutDegree: uint32(degree), Superstep: w.Superstep, slot: int32(w.Slot)}, t.values[v]}
	value, awake := t.combine.Apply(at, message, true)
	t.values[v] = value
	if awake {
		w.Awake++
		w.AwakeArcs += degree
		w.Next = append(w.Next, v)
	}
	if t.settler != nil && t.settler.Settled(value) {
		w.DoneArcs += degree
		t.settled.Set(v)
		return
	}
	t.touched.Set(v)
	w.Touched = append(w.Touched, v)
}
