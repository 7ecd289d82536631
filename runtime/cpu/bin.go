package cpu

import "gopregel/pregel"

// This file pushes and applies through bins for programs whose values take messages themselves
// (pregel/edgebin.go has the method), while very many arcs leave the frontier: all throw, then all
// empty. Cost: as there, for each round. What is thrown in one takes no more memory than a value of
// four bytes for each vertex, and rows that are not full.

// roundArcs is how many arcs and senders a round takes, for each vertex.
const roundArcs = 1

// bins tells whether the superstep that comes, if it is pushed, goes through bins: neither do values
// take messages one by one, nor does one worker push and apply in one, and it is worth a look
// at all vertices.
func (r *edgeRun) bins() bool {
	f := r.front
	large := f.arcs+f.count > r.forwards && !f.small(f.arcs)
	return r.traits.Arrives && !r.arrives() && (r.engine.binned || large)
}

func (r *edgeRun) bin(rec *pregel.StepRecord) error {
	r.front.asList()
	bins, n := r.task.Bins(r.front.list, r.engine.Workers)
	r.cutList(r.front.list)
	for left := r.pieces; len(left) > 0; {
		k := r.inRound(left)
		if err := r.binRound(bins, n, left[:k]); err != nil {
			return err
		}
		left = left[k:]
	}
	bins.Close()
	r.collect(true)
	if rec.Detail != nil {
		r.details.Combined(r.front.count)
	}
	return nil
}

// inRound tells how many of some pieces are done in a round: one at least.
func (r *edgeRun) inRound(pieces []pushPiece) int {
	work := uint64(0)
	for i, p := range pieces {
		if work += p.work; work > roundArcs*uint64(r.n) && i > 0 {
			return i
		}
	}
	return len(pieces)
}

func (r *edgeRun) binRound(bins pregel.Bins, n int, pieces []pushPiece) error {
	r.pool.Phase("push")
	// A worker has pieces that follow each other: of few bases, then.
	err := r.pool.near(len(pieces), func(i int, w *pregel.Worker) {
		p := pieces[i]
		bins.Throw(p.lo, p.hi, p.from, p.to, w)
	})
	if err != nil {
		return err
	}
	r.pool.Phase("apply")
	if err := r.pool.near(n, func(k int, w *pregel.Worker) { bins.Empty(k, w, r.next) }); err != nil {
		return err
	}
	bins.Round()
	return nil
}
