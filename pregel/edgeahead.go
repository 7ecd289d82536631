package pregel

// This file makes the offers of the next superstep while a range of vertices is pulled:
// its values and rows are then in the cache, and there is no other pass over all of them,
// with a barrier of its own. Where vertices have few arcs that pass is a third of a
// superstep of PageRank.
//
// Who is pulled still reads the offers of this superstep: the next ones go into an array
// of their own, and the two are exchanged at the barrier.
//
// Invariant: later holds offers of the vertices of ranges all of whom are awake in the
// next superstep; they are used if those are all there are.

// AheadDegree is how many arcs a vertex sends along in the mean, at most, where that pays:
// where there are more, the pass over vertices is a small part of a superstep, and the
// second array takes room in caches from the first, which is read at random.
const AheadDegree = 8

// prepareAhead makes the room for the next offers, where they are made ahead.
func (t *edgeTask[V, M]) prepareAhead() {
	c := t.sending[0]
	if t.later == nil && t.spec.Local && len(t.sending) == 1 && t.spec.Edge.kind != opSource && c.Arcs() <= AheadDegree*uint64(t.g.N()) {
		t.later = t.room()
	}
}

// emitAhead makes those of a range of vertices who are all awake then. A failure is left
// to the superstep that it belongs to, if that comes: the offers of this range are then
// not made, and all are made there.
func (t *edgeTask[V, M]) emitAhead(lo, hi uint32, w *Worker) {
	at := w.At
	w.Superstep++
	defer func() {
		_ = recover()
		w.Superstep--
		w.At = at
	}()
	t.emitEach(lo, hi, w, t.later)
	t.corners[w.Slot].ahead += int(hi - lo)
}

// offersAhead tells, between two supersteps, whether those of all vertices have been made,
// and forgets it.
func (t *edgeTask[V, M]) offersAhead() bool {
	n := 0
	for i := range t.corners {
		n += t.corners[i].ahead
		t.corners[i].ahead = 0
	}
	return n == t.g.N() && n > 0
}
