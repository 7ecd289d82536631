package pregel

import (
	"math/bits"

	"gopregel/pregel/mem"
)

// This file is for programs that go through a graph level by level: in a superstep
// all awake vertices offer the same, such as their distance. Then any one message
// is all of them combined, by idempotence, and who pulls may stop at the first.
// Whether it is so is seen when the offers are made; nothing need be declared.

// level is the one offer of a superstep, if there is one.
type level[M any] struct {
	offers []workerLevel[M] // by worker; nil: the program is not of this kind
	mixed  bool             // there were several in a superstep: it is not looked for any more
	// The offers of those who sleep are not made in this superstep: if all others are one,
	// nobody reads them. If not, which a run finds once, each is looked at whether it sleeps.
	bare    bool
	message M     // the one offer that is pushed
	held    int32 // the superstep after that for which offers hold what is pushed; 0: none
}

type workerLevel[M any] struct {
	offer       M
	some, mixed bool
	_           [64]byte // those of two workers are never on one cache line
}

// prepareLevel finds out whether the program may be of this kind: messages change
// nothing but vertices that have none yet. A combiner may be a function of one's own,
// which is not called then, but for messages whose bits tell whether they are the same.
func (t *edgeTask[V, M]) prepareLevel(workers int) {
	combines := t.mode == byLoops || t.mode == byCalls && mem.Swappable[M](nil)
	if combines && t.spec.Edge.kind == opCopy && t.spec.Combine.Idempotent && !t.spec.Silent && t.settler != nil && len(t.sending) == 1 {
		t.level.offers = make([]workerLevel[M], workers)
	}
}

// beginLevel forgets the offers of the superstep before.
func (t *edgeTask[V, M]) beginLevel() {
	l := &t.level
	l.mixed = l.mixed || l.offers != nil && !t.OneOffer()
	for i := range l.offers {
		l.offers[i].some, l.offers[i].mixed = false, l.mixed
	}
	l.bare = l.offers != nil && !l.mixed
}

// of is the part of a worker, nil where nobody looks.
func (l *level[M]) of(w *Worker) *workerLevel[M] {
	if l.offers == nil || l.mixed {
		return nil
	}
	return &l.offers[w.Slot]
}

// add notes an offer. Those that differ only as zeros do are two: what is combined
// is the same to the last bit.
func (l *workerLevel[M]) add(x M) {
	switch {
	case l == nil || l.mixed:
	case !l.some:
		l.offer, l.some = x, true
	default:
		l.mixed = !mem.Same(x, l.offer)
	}
}

// addAll notes the offers of a set, as bits.
func (l *workerLevel[M]) addAll(offers []M, set uint64) {
	for ; set != 0 && l != nil; set &= set - 1 {
		l.add(offers[bits.TrailingZeros64(set)])
	}
}

// oneOffer returns what all have offered in this superstep, if that is one.
func (t *edgeTask[V, M]) oneOffer() (offer M, one bool) {
	if t.level.mixed {
		return offer, false
	}
	for i := range t.level.offers {
		l := &t.level.offers[i]
		switch {
		case l.mixed, l.some && one && !mem.Same(l.offer, offer):
			return offer, false
		case l.some:
			offer, one = l.offer, true
		}
	}
	return offer, one
}

// oneMessage is oneOffer as the combiner makes it of one or more of those: Min, of NaNs, nothing less
// than its identity.
func (t *edgeTask[V, M]) oneMessage() (message M, one bool) {
	if message, one = t.oneOffer(); one {
		message = t.spec.Combine.Func(t.spec.Combine.Identity, message)
	}
	return message, one
}

// OneOffer tells whether there was no superstep with several.
func (t *edgeTask[V, M]) OneOffer() bool {
	if t.level.mixed {
		return false
	}
	some := false
	for i := range t.level.offers {
		some = some || t.level.offers[i].some
	}
	_, one := t.oneOffer()
	return one || !some
}

// pullLevel is pull for the vertices run of block i when all offers are one, which all
// messages of a block are then.
func (t *edgeTask[V, M]) pullLevel(i int, run uint64, w *Worker, f Frontier, s *seeker, messages []M, b *block) {
	lo, hit := i*BlockSize, s.awake(i, run, f)
	t.applySome(lo, hit, messages[:min(BlockSize, len(t.values)-lo)], w, b)
}

// levelMessages are those of a block when all are one.
func (t *edgeTask[V, M]) levelMessages(message M, w *Worker) []M {
	messages := t.corners[w.Slot].room[:BlockSize]
	for k := range messages {
		messages[k] = message
	}
	return messages
}
