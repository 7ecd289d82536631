package cpu

import (
	"time"

	"gopregel/pregel"
)

// This file pushes what functions combine (pregel.Traits.Alone), and applies it: by one worker alone, or by several, each
// with a share of the frontier (pregel/pushshares.go has the method). What they compute is the same, and a trace tells
// who did by times alone; of several functions that fail in a superstep either may meet another first. Of thin frontiers the run finds out which is faster, as in forward.go.

// sharedCalls is up to how many vertices and arcs a frontier of functions is shared: what is sent along them is
// kept until all of it is.
const sharedCalls = 1 << 18

// callShares tells in how many shares the superstep that comes may be pushed, by functions; less than two: in none.
func (r *edgeRun) callShares() int {
	work := r.front.arcs + r.front.count
	switch t := &r.traits; {
	case !t.PullOnly || !t.Alone || t.Silent || t.Ordered || work > sharedCalls:
		return 0
	case r.engine.shares > 0:
		return r.engine.shares
	case !r.pool.team.lingers:
		return 0
	}
	return int(min(work/shareWork, uint64(r.engine.Workers)))
}

// pushCalls pushes and applies in so many shares, or by one worker alone.
func (r *edgeRun) pushCalls(rec *pregel.StepRecord, shares int) error {
	if !r.thin() || r.engine.shares > 0 {
		return r.pushCallShares(rec, shares)
	}
	begin, work, err := time.Now(), r.front.arcs+r.front.count, error(nil)
	if r.callPace.Together() {
		err = r.pushCallShares(rec, shares)
	} else {
		err = r.pushAndApply(rec, false)
	}
	r.callPace.Note(work, time.Since(begin))
	return err
}

// pushCallShares does so in shares.
func (r *edgeRun) pushCallShares(rec *pregel.StepRecord, n int) error {
	r.front.asList()
	r.front.ascend()
	list := r.front.list
	r.shares.byArcs(list, &r.sending[0], r.front.arcs, n)
	r.shares.cut(list, r.n)
	if err := r.gatherShares(); err != nil {
		return err
	}
	r.pool.Phase("apply")
	err := r.applyShares()
	got := uint64(0)
	for i := range r.pool.workers {
		got += r.pool.workers[i].Got
		r.pool.workers[i].Got = 0
	}
	if rec.Detail != nil {
		*rec.Detail.Atomics = 0
		r.details.Combined(got)
	}
	return err
}
