package cpu

import (
	"time"

	"gopregel/pregel"
)

// This file pushes and applies in one, for thin frontiers of programs whose message is
// the sender (pregel.Traits.Forwards): by one worker alone, or by several, each with a
// share of the frontier. What they compute is the same, and nothing in a trace tells
// who did. Which is faster the run finds out (parallel.Pace), as it hangs on the
// machine: on a quiet one two workers gain, on one that gives away a processor each
// waits for the other.

// shareWork is the least of a share: arcs and vertices.
const shareWork = 1 << 8

func (r *edgeRun) forward() error {
	r.front.asList()
	r.front.ascend()
	work := r.front.arcs + r.front.count
	shares := int(min(work/shareWork, uint64(r.engine.Workers)))
	switch {
	case r.engine.shares > 0:
		return r.forwardShares(r.engine.shares)
	case shares <= 1 || !r.pool.team.lingers:
		return r.forwardOne()
	}
	begin := time.Now()
	var err error
	if r.pace.Together() {
		err = r.forwardShares(shares)
	} else {
		err = r.forwardOne()
	}
	r.pace.Note(work, time.Since(begin))
	return err
}

func (r *edgeRun) forwardOne() error {
	err := r.pool.alone(1, func(_ int, w *pregel.Worker) { r.task.Forward(r.front.list, w) })
	r.collect(false)
	return err
}

// forwardShares is forward by so many workers.
func (r *edgeRun) forwardShares(n int) error {
	r.task.Shares(n)
	list := r.front.list
	err := r.pool.Brief(n, func(k int, w *pregel.Worker) {
		r.task.GatherShare(k, list[len(list)*k/n:len(list)*(k+1)/n], w)
	})
	if err != nil {
		return err
	}
	err = r.pool.Brief(n, r.task.ApplyShare)
	r.collect(false)
	return err
}
