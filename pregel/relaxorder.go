package pregel

import "gopregel/pregel/bitmap"

// This file says which vertices of a relaxed run go first.
//
// Any order is right (Relaxer), but a vertex that sends before the best message has come
// sends again. Where messages are lengths of paths, or widths, those of the least lengths
// or the greatest widths are the last that their vertices hear; so vertices are visited by
// ranks of their messages. A program's own priorities are then not asked for.
//
// Method: Δ-stepping (Meyer, Sanders 2003) with the step that a rank is; unlike there light and
// heavy arcs are sent along together. Cost: a rank for each message that changes a box, 16 bytes for each
// that waits, and a bit a vertex.
//
// Invariant: a vertex that waits for its turn is claimed, and parked has it; one entry of it is
// in a list by its message's rank, or was when the message came. Others may be in lists of
// higher ranks. Who takes it out of parked has the claim.

// inOrder is the order of a run.
type inOrder[M any] struct {
	rank   *ranking[M]   // nil: there is none
	near   uint64        // vertices with messages of higher ranks wait
	begins bool          // some may be claimed whose messages have higher ranks: none is after SetNear
	parked bitmap.Bitmap // those that do
}

// A ranking counts steps of messages from the first on, perStep of them for each unit.
type ranking[M any] struct {
	first, perStep float64
	of             func(message M) uint64 // rankIn, where M is not known to be a Number
	asked          bool                   // of asks the program: there are no steps
}

// ranks chooses the ranks: of arcs of one weight the first message is the best, and with
// negative ones those that come later may be better.
func (t *edgeTask[V, M]) ranks() *ranking[M] {
	if t.box != named || t.spec.Edge.kind != opPlus && t.spec.Edge.kind != opLeast {
		return nil
	}
	r, arcs := t.g.WeightRange(), t.g.Arcs()
	if r.Negative < arcs || r.NotFinite < arcs || r.Least == r.Most {
		return nil
	}
	least := 0.0
	if t.sending[0].Weights.Int != nil {
		least = 1
	}
	return t.spec.Combine.loops.ranks(t.spec.Edge.kind, r.Most, least, float64(arcs)/float64(t.g.N()))
}

// rankedBy makes ranks of steps up from a message, or down from it.
func rankedBy[T Number](first, perStep float64) *ranking[T] {
	r := &ranking[T]{first: first, perStep: perStep}
	r.of = func(x T) uint64 { return rankIn(r, x) }
	return r
}

// rankIn is the step in which x lies; before the first, and NaN, are in the first.
func rankIn[T Number](r *ranking[T], x T) uint64 {
	switch y := (float64(x) - r.first) * r.perStep; {
	case y >= 1<<62:
		return 1 << 62
	case y > 0:
		return uint64(y)
	}
	return 0
}

// ranks of lengths are such that few arcs are shorter than a step: half of the mean
// distance of a vertex's nearest neighbours to an eighth, as a step costs less on graphs
// that are wide.
func (minLoops[T]) ranks(k opKind, most, least, mean float64) *ranking[T] {
	if k != opPlus {
		return nil
	}
	step := max(most/max(mean, 1)/min(max(mean/2, 2), 8), least)
	return rankedBy[T](0, 1/step)
}

// widthSteps are those of widths.
const widthSteps = 64

func (maxLoops[T]) ranks(k opKind, most, _, _ float64) *ranking[T] {
	if k != opLeast {
		return nil
	}
	return rankedBy[T](most, -widthSteps/most)
}

func (orLoops[T]) ranks(opKind, float64, float64, float64) *ranking[T]  { return nil }
func (sumLoops[T]) ranks(opKind, float64, float64, float64) *ranking[T] { return nil }

// Ranks tells whether vertices may be left in Worker.Behind.
func (t *edgeTask[V, M]) Ranks() bool { return t.rank != nil }

// SetNear makes a rank the highest whose vertices do not wait.
func (t *edgeTask[V, M]) SetNear(rank uint64) { t.near, t.begins = rank, false }

// prepareOrder chooses the order.
func (t *edgeTask[V, M]) prepareOrder() {
	t.rank = t.ranks()
	if p, ok := any(t.orderer).(Prioritizer[M]); ok && t.loose && t.rank == nil {
		t.rank = &ranking[M]{of: p.Priority, asked: true}
	}
	if t.rank != nil && !t.loose {
		t.begins = true
		t.parked = bitmap.New(t.g.N())
	}
}

// touching is what a worker notes vertices in.
func (t *edgeTask[V, M]) touching(w *Worker) *touch {
	to := &t.hands[w.Slot].to
	*to = touch{touched: t.touched, w: w, parked: t.parked, near: t.near, loose: t.loose}
	return to
}

// behind tells whether v, which the worker has claimed, has to wait for its turn, and has
// it wait: if a better message has come since this one was read it may wait for less.
func (t *edgeTask[V, M]) behind(v uint32, message M, to *touch) bool {
	rank := t.rank.of(message)
	if rank <= t.near {
		return false
	}
	to.park(v, rank)
	if now, got := t.read(v); t.changed(v, message, got) {
		to.again(v, t.rank.of(now))
	}
	return true
}

// come notes that v was sent a message of a rank that changes its box.
func (t *touch) come(v uint32, rank uint64) {
	switch {
	case t.loose:
		t.list(v, rank)
	case t.touched.HasAtomic(v):
		if t.parked.HasAtomic(v) {
			t.again(v, rank)
		}
	case rank <= t.near:
		t.first(v)
	case t.w.Alone:
		t.touched.Set(v)
		t.park(v, rank)
	case t.touched.SetAtomic(v):
		t.park(v, rank)
	}
}

// park has a claimed vertex wait.
func (t *touch) park(v uint32, rank uint64) {
	if t.w.Alone {
		t.parked.Set(v)
	} else {
		t.parked.SetAtomic(v)
	}
	t.w.Waiting++
	t.w.Behind = append(t.w.Behind, Deferred{v, rank})
}

// again has a vertex that waits wait for less, or no more.
func (t *touch) again(v uint32, rank uint64) {
	if rank > t.near {
		t.w.Behind = append(t.w.Behind, Deferred{v, rank})
	} else {
		t.unpark(v)
	}
}

// unpark takes a vertex that waits, unless another worker does.
func (t *touch) unpark(v uint32) {
	if t.w.Alone {
		if !t.parked.Has(v) {
			return
		}
		t.parked.Clear(v)
	} else if !t.parked.HasAtomic(v) || !t.parked.ClearAtomic(v) {
		return
	}
	t.w.Waiting--
	t.w.Touched = append(t.w.Touched, v)
}

// Wake claims those of vs that wait for their priority and that nobody has claimed.
func (t *edgeTask[V, M]) Wake(vs []uint32, w *Worker) {
	to := t.touching(w)
	for _, v := range vs {
		if t.ready.HasAtomic(v) {
			to.mark(v)
		}
	}
}

// Turn takes those of vs that wait for their turn.
func (t *edgeTask[V, M]) Turn(vs []uint32, w *Worker) {
	if t.loose {
		w.Waiting -= uint64(len(vs))
		w.Touched = append(w.Touched, vs...)
		return
	}
	to := t.touching(w)
	for _, v := range vs {
		to.unpark(v)
	}
}
