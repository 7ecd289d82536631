package trace

import (
	"runtime"

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
	full     chan *steps
	spare    chan *steps // written
	done     chan struct{}
	write    func(*steps) // in the place of who waits for full; nil: somebody does
}

const (
	// mostSteps are handed over at once, as waking somebody costs more than a short
	// superstep.
	mostSteps   = 2048
	mostBatches = 8 // that wait at most: then the run does
)

func newQueue(write func(*steps), vertices int) *queue {
	if runtime.GOMAXPROCS(0) == 1 {
		return &queue{vertices: vertices, write: write, spare: make(chan *steps, 1)}
	}
	q := &queue{vertices: vertices, full: make(chan *steps, mostBatches), spare: make(chan *steps, mostBatches), done: make(chan struct{})}
	go func() {
		defer close(q.done)
		for b := range q.full {
			write(b)
			select {
			case q.spare <- b:
			default:
			}
		}
	}()
	return q
}

// next is where n supersteps from that of a number on go. A batch is handed over when
// there are more than it has room for.
func (q *queue) next(number, n int) *steps {
	if q.batch == nil || q.batch.full(n) {
		q.hand(number)
	}
	return q.batch
}

func (q *queue) hand(number int) {
	q.size = min(max(8*q.size, 128), mostSteps) // most runs are short
	var before shape
	if b := q.batch; b != nil {
		if before = b.before; b.now != nil {
			before = *b.now
		}
		q.give(b)
	}
	select {
	case q.batch = <-q.spare:
	default:
		q.batch = &steps{vertices: q.vertices}
	}
	if q.batch.most < q.size {
		q.batch.room(q.size)
	}
	q.batch.reset(number)
	before.kind = 0
	q.batch.before = before
	q.batch.program(q.edges, q.widths)
}

// program says what runs in the supersteps that follow.
func (q *queue) program(edges bool, w pregel.Widths) {
	if q.edges, q.widths = edges, w; q.batch != nil {
		q.batch.program(edges, w)
	}
}

// give has a batch written. With one processor there is nobody beside the run, and one
// batch, which stays in its cache, is enough.
func (q *queue) give(b *steps) {
	if q.write == nil {
		q.full <- b
		return
	}
	q.write(b)
	q.spare <- b
}

// close waits until all is written.
func (q *queue) close() {
	if q.batch != nil {
		q.give(q.batch)
	}
	if q.write == nil {
		close(q.full)
		<-q.done
	}
}
