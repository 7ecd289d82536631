package trace

// A queue has supersteps written beside the run: where those are short, writing
// takes longer than they do.
type queue struct {
	batch []observed
	full  chan []observed
	spare chan []observed // written
	done  chan struct{}
}

const (
	// batchSize supersteps are handed over at once, as waking somebody costs more than
	// a short superstep.
	batchSize   = 1024
	mostBatches = 16 // that wait at most: then the run does
)

func newQueue(write func(*observed)) *queue {
	q := &queue{full: make(chan []observed, mostBatches), spare: make(chan []observed, mostBatches), done: make(chan struct{})}
	go func() {
		defer close(q.done)
		for batch := range q.full {
			for i := range batch {
				write(&batch[i])
			}
			select {
			case q.spare <- batch[:0]:
			default:
			}
		}
	}()
	return q
}

// next is where the next superstep goes. A batch is handed over when there is one
// more.
func (q *queue) next() *observed {
	if len(q.batch) == cap(q.batch) {
		q.hand()
	}
	q.batch = q.batch[:len(q.batch)+1]
	return &q.batch[len(q.batch)-1]
}

func (q *queue) hand() {
	size := max(batchSize/8, min(8*cap(q.batch), batchSize)) // most runs are short
	if len(q.batch) > 0 {
		q.full <- q.batch
	}
	select {
	case q.batch = <-q.spare:
	default:
		q.batch = make([]observed, 0, size)
	}
}

// close waits until all is written.
func (q *queue) close() {
	q.full <- q.batch
	close(q.full)
	<-q.done
}
