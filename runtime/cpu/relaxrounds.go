package cpu

import (
	"time"

	"gopregel/pregel"
)

// This file does the rounds of a superstep in place: relax.go says what a round is.
//
// A round of few vertices is one worker's, of many several workers'; in an order, what lies between is tried both
// ways, and done as took less of late (parallel.Pace). Rounds of few vertices, whoever does them, are up
// to fusedRounds a superstep there.
//
// Cost: two looks at the clock a round, and a barrier for one that is shared.

const (
	// A worker alone goes ahead with a list of fewer vertices, for so many lists.
	aheadBelow = 1 << 10
	aheadTimes = 1 << 6
	// Vertices given to a worker at a time; a round of fewer than relaxAlone is one
	// worker's. In an order, those of orderAlone or more are for several if that is faster: shortest
	// paths on a grid of 500² are buckets of some hundreds.
	relaxPiece = 1 << 7
	relaxAlone = 1 << 9
	orderAlone = 1 << 7
	// A worker beside others goes ahead, in an order, with a list of fewer vertices until it
	// has sent along so many arcs; and so many rounds of few vertices are one superstep.
	fuseBelow   = 1 << 10
	fuseArcs    = 1 << 13
	fusedRounds = 1 << 4
)

// rounds does a round, and in an order those that follow while they are of few vertices. Which way is
// faster for these is judged by the time an arc takes: sharing may send along more of them, though where
// it was measured it hardly did.
func (r *relaxRun) rounds() error {
	for r.left = fusedRounds; ; {
		fused, paced, arcs, begin := r.ordered() && r.pending < relaxAlone, r.paced(), r.arcs(), time.Now()
		if err := r.round(); err != nil || !fused {
			return err
		}
		if !r.done {
			r.next()
		}
		if paced {
			r.pace.Note(r.arcs()-arcs, time.Since(begin))
		}
		if r.done = true; r.left <= 0 || r.pending == 0 || r.pending >= relaxAlone || r.pool.cancelled() {
			return nil
		}
	}
}

// arcs counts those of the superstep so far.
func (r *relaxRun) arcs() (n uint64) {
	for i := range r.pool.workers {
		n += r.pool.workers[i].Arcs
	}
	return n
}

// round visits the pieces, on one worker when they are few.
func (r *relaxRun) round() error {
	r.done = false
	if workers := min(r.engine.Workers, len(r.pieces)); workers > 1 && !r.few() {
		r.taken.Store(0)
		r.left--
		return r.pool.For(workers, r.shared)
	}
	return r.pool.For(1, r.single)
}

// few tells whether the round is one worker's.
func (r *relaxRun) few() bool {
	return r.pending < relaxAlone && !(r.paced() && r.pace.Together())
}

// paced tells whether that is found out as the run goes on.
func (r *relaxRun) paced() bool {
	return r.pending >= orderAlone && r.pending < relaxAlone && len(r.pieces) > 1 && r.engine.Workers > 1 && r.ordered()
}

// alone does a round, and in an order those that follow while they are of fewer vertices than several
// may do.
func (r *relaxRun) alone(w *pregel.Worker) {
	for r.left > 0 {
		r.taken.Store(0)
		r.share(w)
		if r.left--; !r.ordered() {
			return
		}
		r.next()
		r.done = true
		if r.pending == 0 || r.pending >= relaxAlone || r.paced() || r.pool.cancelled() {
			return
		}
	}
}

// share visits pieces until none is left, and goes ahead.
func (r *relaxRun) share(w *pregel.Worker) {
	for i := r.taken.Add(1) - 1; i < int64(len(r.pieces)); i = r.taken.Add(1) - 1 {
		switch vs := r.pieces[i]; {
		case !r.asleep:
			r.visit(vs, w)
			continue
		case r.behind != nil:
			r.task.Turn(vs, w)
		default:
			r.task.Wake(vs, w)
		}
		r.visitTouched(w)
	}
	r.goAhead(w)
}

// goAhead visits what a worker has woken, and what that wakes, while it is little.
func (r *relaxRun) goAhead(w *pregel.Worker) {
	if w.Alone {
		for times := 0; len(w.Touched) > 0 && len(w.Touched) < aheadBelow && times < aheadTimes && !r.pool.cancelled(); times++ {
			r.visitTouched(w)
		}
	} else if r.ordered() {
		for arcs := w.Arcs; len(w.Touched) > 0 && len(w.Touched) < fuseBelow && w.Arcs-arcs < fuseArcs; {
			r.visitTouched(w)
		}
	}
}

// visitTouched visits what a worker has woken.
func (r *relaxRun) visitTouched(w *pregel.Worker) {
	list := w.Touched
	w.Touched = r.spare[w.Slot][:0]
	r.visit(list, w)
	r.spare[w.Slot] = list
}

func (r *relaxRun) visit(vs []uint32, w *pregel.Worker) {
	r.task.Relax(vs, w)
	r.wait(w)
}
