package trace

// A queue has supersteps written beside the run: where those are short, writing
// takes longer than they do.
type queue struct {
	batch []observed
	full  chan []observed
	done  chan struct{}
}

// batchSize supersteps are handed over at once, as waking somebody costs more than
// a short superstep.
const batchSize = 256

func newQueue(write func(*observed)) *queue {
	q := &queue{full: make(chan []observed, 16), done: make(chan struct{})}
	go func() {
		defer close(q.done)
		for batch := range q.full {
			for i := range batch {
				write(&batch[i])
			}
		}
	}()
	return q
}

func (q *queue) add(o observed) {
	if q.batch == nil {
		q.batch = make([]observed, 0, batchSize)
	}
	if q.batch = append(q.batch, o); len(q.batch) == batchSize {
		q.full <- q.batch
		q.batch = nil
	}
}

// close waits until all is written.
func (q *queue) close() {
	q.full <- q.batch
	close(q.full)
	<-q.done
}
