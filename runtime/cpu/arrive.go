package cpu

import (
	"time"

	"gopregel/pregel"
)

// This file pushes and applies in one for programs whose values take messages
// themselves, in any order (pregel.Traits.Arrives; pregel/edgearrive.go has the method), while
// few arcs leave a vertex, or there are few vertices: by one worker, or by several, each with a share of a thin
// frontier or pieces of another. Which is faster for a thin one the run finds out, as for
// the shares of forward.go. Cost: a look at the value of each arc's target, and, beside others, a
// compare and swap for each vertex reached.

const (
	// Values take messages themselves where so few arcs leave a vertex, in the mean, that
	// many lead to who has not been reached or was so lately: of more a bit tells
	// faster that they lead to nobody new.
	arriveDegree = 64
	// Or there are so few vertices that a core's cache holds most values.
	arriveAll = 1 << 17
	// Nor are these more arcs and vertices than that: atomic operations on values that lie
	// in no cache wait for each other.
	arriveMost = 1 << 18
)

// arrives tells whether they do in the superstep that comes, if it is pushed.
func (r *edgeRun) arrives() bool {
	f := r.front
	return r.traits.Arrives && !r.engine.binned && (f.arcs <= arriveDegree*f.count || r.n <= arriveAll) && f.arcs+f.count <= arriveMost
}

// waves tells whether all that is offered in the superstep that comes, which is pushed, is one, or any of it
// will do, so that targets are applied by whoever comes first (pregel/edgewave.go, edgefirst.go). That is found
// out only where it would be used.
func (r *edgeRun) waves() (one bool, err error) {
	if !r.wavy() || !r.task.OneOffer() {
		return false, nil
	}
	r.front.asList()
	err = r.pool.alone(1, func(_ int, w *pregel.Worker) { one = r.task.Level(r.front.list, w) })
	return one, err
}

// wavy tells whether that may be.
func (r *edgeRun) wavy() bool {
	return r.traits.Waves && r.front.arcs+r.front.count <= arriveMost
}

// reopen has those who were applied and are not settled take messages again.
func (r *edgeRun) reopen() {
	for i := range r.pool.workers {
		if w := &r.pool.workers[i]; len(w.Touched) > 0 {
			r.task.Open(w.Touched)
			w.Touched = w.Touched[:0]
		}
	}
}

// together tells whether several workers are to do the superstep that comes.
func (r *edgeRun) together() bool {
	switch {
	case r.engine.shares > 0:
		return r.engine.shares > 1
	case r.engine.Workers == 1:
		return false
	case r.thin():
		return r.paced() && r.pace.Together()
	}
	return true
}

// paced tells whether the run is to find out what takes less.
func (r *edgeRun) paced() bool {
	return r.engine.shares == 0 && r.engine.Workers > 1 && r.pool.team.lingers && r.thin() && r.front.arcs+r.front.count >= 2*shareWork
}

// arrive does a superstep.
func (r *edgeRun) arrive(together bool) (err error) {
	if !r.front.isList {
		r.front.asList()
	}
	begin, work, paced := time.Time{}, r.front.arcs+r.front.count, r.paced()
	if paced {
		begin = time.Now()
	}
	switch {
	case !together:
		r.sharing = 1
		err = r.pool.alone(1, r.arriveShare)
	case r.thin():
		r.sharing = max(r.engine.shares, min(int(work/shareWork), r.engine.Workers))
		err = r.pool.For(r.sharing, r.arriveShare)
	default:
		r.front.join()
		err = r.arrivePieces(r.front.list)
	}
	r.reopen()
	if paced {
		r.pace.Note(work, time.Since(begin))
	}
	if together {
		r.collectParts()
	} else {
		r.collect(false)
	}
	return err
}

// arriveShares makes what gives each worker an equal share of the list: that of which it
// has made most in the superstep before, so that what belongs to it lies in its own cache.
func (r *edgeRun) arriveShares() func(k int, w *pregel.Worker) {
	return func(k int, w *pregel.Worker) {
		r.front.share(k, r.sharing, func(us []uint32) { r.task.Arrive(us, w) })
	}
}

// arrivePieces gives workers pieces of about equal numbers of arcs as they come free.
func (r *edgeRun) arrivePieces(list []uint32) error {
	r.cutList(list)
	return r.pool.For(len(r.pieces), func(i int, w *pregel.Worker) {
		if p := r.pieces[i]; p.to > 0 {
			r.task.ArrivePart(list[p.lo], p.from, p.to, w)
		} else {
			r.task.Arrive(list[p.lo:p.hi], w)
		}
	})
}
