package trace

import (
	"runtime"
	"sync/atomic"

	"gopregel/pregel"
)

// A queue has supersteps written beside the run: where those are short, writing
// takes longer than they do.
type queue struct {
	batch    *steps // that is being filled; nil: none yet
	size     int    // of it
	edges    bool   // as of steps
	widths   pregel.Widths
	vertices int
	beside   bool         // somebody else can write, as there are several processors
	full     chan parcel  // nil: nobody else writes yet
	waiting  atomic.Int64 // parcels given and not yet written
	spare    chan *steps  // written
	done     chan struct{}
	write    func(*steps)
	late     *steps // of backlogs, for who writes; nil: none waits
}

// A parcel is handed over to be written: supersteps, or a backlog of them.
type parcel struct {
	batch   *steps // nil: a backlog
	backlog *pregel.Backlog
	number  int // of its first superstep
	edges   bool
	widths  pregel.Widths
}

const (
	// mostSteps are handed over at once, as waking somebody costs more than a short
	// superstep.
	mostSteps   = 2048
	leastSteps  = 128
	mostBatches = 8 // that wait at most: then the run does
)

func newQueue(write func(*steps), vertices int) *queue {
	return &queue{vertices: vertices, write: write, beside: runtime.GOMAXPROCS(0) > 1, spare: make(chan *steps, mostBatches)}
}

// give has a parcel written. With one processor there is nobody beside the run, and one
// batch, which stays in its cache, is enough. So it is where there are hardly any but
// brief supersteps, which take less to write than to have read by another processor.
func (q *queue) give(p parcel) {
	if !q.beside || p.batch != nil && p.batch.mostlyBrief() && q.waiting.Load() == 0 {
		q.take(p)
		return
	}
	if q.full == nil {
		q.full, q.done = make(chan parcel, mostBatches), make(chan struct{})
		go q.work()
	}
	q.waiting.Add(1)
	q.full <- p
}

// work writes parcels beside the run.
func (q *queue) work() {
	defer close(q.done)
	for p := range q.full {
		q.take(p)
		q.waiting.Add(-1)
	}
}

// take writes a parcel.
func (q *queue) take(p parcel) {
	if p.batch == nil {
		p.backlog.Each(true, func(r *pregel.StepRecord) { q.add(&p, r) })
		return
	}
	q.endLate()
	q.finish(p.batch)
}

// finish writes supersteps, whose room is used again.
func (q *queue) finish(b *steps) {
	q.write(b)
	select {
	case q.spare <- b:
	default:
	}
}

// add takes over a superstep of a backlog.
func (q *queue) add(p *parcel, r *pregel.StepRecord) {
	if q.late != nil && q.late.full(1) {
		q.endLate()
	}
	if q.late == nil {
		q.late = q.empty(p.number, min(max(p.backlog.Count, leastSteps), mostSteps))
	}
	q.late.program(p.edges, p.widths)
	q.late.add(r)
	p.number++
}

// endLate writes what is left of backlogs.
func (q *queue) endLate() {
	if q.late != nil {
		q.finish(q.late)
		q.late = nil
	}
}

// next is where the superstep of a number goes. A batch is handed over when there are
// more than it has room for.
func (q *queue) next(number int) *steps {
	if q.batch == nil || q.batch.full(1) {
		q.hand(number)
	}
	return q.batch
}

// nextOf is where short supersteps from that of a number on go.
func (q *queue) nextOf(number int, b *pregel.Briefs) *steps {
	if q.batch == nil || q.batch.fullOf(b) {
		q.hand(number)
	}
	return q.batch
}

func (q *queue) hand(number int) {
	q.size = min(max(2*q.size, leastSteps), mostSteps) // most runs are short
	var before shape
	if b := q.batch; b != nil {
		if before = b.before; b.now != nil {
			before = *b.now
		}
		q.give(parcel{batch: b})
	}
	q.batch = q.empty(number, q.size)
	before.kind = 0
	q.batch.before = before
	q.batch.program(q.edges, q.widths)
}

// empty has room for so many supersteps from that of a number on.
func (q *queue) empty(number, size int) *steps {
	var b *steps
	select {
	case b = <-q.spare:
	default:
		b = &steps{vertices: q.vertices}
	}
	if b.most < size {
		b.room(size)
	}
	b.reset(number)
	b.before = shape{}
	return b
}

// postpone hands over a backlog of supersteps from that of a number on.
func (q *queue) postpone(number int, b *pregel.Backlog) {
	if q.batch != nil {
		q.give(parcel{batch: q.batch})
		q.batch = nil
	}
	q.give(parcel{backlog: b, number: number, edges: q.edges, widths: q.widths})
}

// program says what runs in the supersteps that follow.
func (q *queue) program(edges bool, w pregel.Widths) {
	if q.edges, q.widths = edges, w; q.batch != nil {
		q.batch.program(edges, w)
	}
}

// close waits until all is written. What is left it writes itself: waking somebody, and
// being woken, takes longer than a short run's supersteps.
func (q *queue) close() {
	if q.full != nil {
		close(q.full)
		if q.waiting.Load() > 0 {
			<-q.done
		}
	}
	if q.batch != nil {
		q.take(parcel{batch: q.batch})
	}
	q.endLate()
}
