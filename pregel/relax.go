package pregel

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"

	"gopregel/pregel/bitmap"
)

// This file runs an edge program in place: schedule relaxed (see Relaxer for the
// law that makes it right). How is said in relaxvisit.go.

// inPlace is what only a relaxed run needs.
type inPlace[M any] struct {
	ready bitmap.Bitmap // vertices awake that have not sent
	lasting[M]
	inOrder[M]
	loose  bool         // vertices are not claimed: relaxloose.go
	firsts atomic.Int64 // of those in ready, then
	hands  []hand[M]    // by worker
}

// A hand is what one worker of a relaxed run is at.
type hand[M any] struct {
	sendings [2]sending[M]
	improver improver[M] // nil: boxes are not named
	words    wordBlock[M]
	to       touch    // here, as one made for each list was garbage
	_        [64]byte // two workers' are never on one cache line
}

// A Deferred vertex waits, awake, for its priority.
type Deferred struct {
	Vertex   uint32
	Priority uint64
}

// A RelaxTask is an edge task that may be run in place. Calls of its methods, but
// for PrepareRelax, may run at the same time, each with its own worker. Vertices
// that Start, Wake and Relax leave in Worker.Touched are claimed: each must be
// given to Relax, once. Those that wait for their priority are left in
// Worker.Later, those that wait for their turn in the order of messages in
// Worker.Behind, with their rank there, and both are counted in Worker.Waiting while they do.
type RelaxTask interface {
	EdgeTask
	// Relaxable returns why the program cannot be run in place, nil if it can. It is
	// called after Begin.
	Relaxable() error
	// PrepareRelax makes the arrays.
	PrepareRelax()
	// Start claims the vertices from lo to hi that Init has left awake, in next or
	// waiting.
	Start(lo, hi uint32, w *Worker, next bitmap.Bitmap)
	// Relax applies what the claimed vertices vs were sent, and sends from those that
	// are awake and due.
	Relax(vs []uint32, w *Worker)
	// Wake claims those of vs that wait and that nobody has claimed.
	Wake(vs []uint32, w *Worker)
	// Ranks tells whether messages have an order. It is called after PrepareRelax.
	Ranks() bool
	// SetNear says up to which rank vertices send; Turn claims those of vs that wait for
	// their turn in the order.
	SetNear(rank uint64)
	Turn(vs []uint32, w *Worker)
	// Hold tells of all vertices in lists before RelaxState: those of an Absorber are not claimed, and
	// may be there twice.
	Hold(vs []uint32)
	// RelaxState shows the state between two rounds: messages and vertices awake, too.
	// Restore, PrepareRelax, Refill, Start over all ranges with Awake, and Claim of all
	// in To go on from it.
	RelaxState() State
	Refill(s State) error
	Claim(vs []uint32, w *Worker)
}

// Relaxable returns why the program cannot be run in place.
func (t *edgeTask[V, M]) Relaxable() error {
	switch {
	case t.collect != nil:
		return notRelaxed("its messages are combined; this one collects them")
	case !t.relaxes:
		return notRelaxed("it declares that its messages may come at any time (pregel.Relaxer); this one does not")
	case !t.spec.Combine.Idempotent:
		return notRelaxed("its combiner is idempotent (min, max, or, any, or one of its own that says so); this one's is %s", t.spec.Combine.Name)
	case t.spec.Silent:
		return notRelaxed("vertices without messages sleep; those of this one are Silent")
	case len(t.setup.aggregators) > 0:
		return notRelaxed("it has no aggregators; this one's would depend on the order of messages")
	}
	return nil
}

// Relaxable returns why a vertex program cannot be run in place.
func (t *vertexTask[V, M]) Relaxable() error {
	return notRelaxed("it is an edge program; this is a vertex program")
}

func notRelaxed(format string, args ...any) error {
	return fmt.Errorf("schedule relaxed is for a program only if %s; allowed: auto or bsp", fmt.Sprintf(format, args...))
}

// PrepareRelax makes the arrays.
func (t *edgeTask[V, M]) PrepareRelax() {
	t.prepareBoxes()
	n := t.g.N()
	if t.ready = t.waiting; t.ready == nil {
		t.ready = bitmap.New(n)
	}
	t.prepareOrder()
	t.hands = make([]hand[M], len(t.lists))
	most := t.mostWeight()
	for i := range t.hands {
		if t.box == named {
			t.hands[i].improver = t.spec.Combine.loops.improver(t.spec.Edge.kind, t.spec.Combine.Identity, t.rank, most)
		}
	}
}

// mostWeight is the greatest weight that is added to messages, +Inf where some are negative.
func (t *edgeTask[V, M]) mostWeight() float64 {
	if t.spec.Edge.kind != opPlus {
		return math.Inf(1)
	}
	if r := t.g.WeightRange(); r.Negative == t.g.Arcs() {
		return r.Most
	}
	return math.Inf(1)
}

// Start claims the vertices that Init has left awake.
func (t *edgeTask[V, M]) Start(lo, hi uint32, w *Worker, next bitmap.Bitmap) {
	if t.loose {
		t.startLoose(lo, hi, w, next)
		return
	}
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		run := next[i] | t.ready[i]
		t.ready[i], t.touched[i] = run, run
		w.Waiting += uint64(bits.OnesCount64(run))
		for ; run != 0; run &= run - 1 {
			w.Touched = append(w.Touched, uint32(i*64+bits.TrailingZeros64(run)))
		}
	}
}
