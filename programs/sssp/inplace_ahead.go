package sssp

import (
	"sync/atomic"

	"gopregel/pregel"
)

// This file fills the columns of an answer while a search is under way.
//
// A search that reaches little of a web is one worker's, and to write of all other vertices
// that they are not reached took a quarter of it. So a worker that has nothing to do does
// that meanwhile, piece by piece; if none comes, or not in time, what is left is filled
// after the search. Then distances are written over it.
//
// Invariant: between supersteps the vertices below done are filled.
//
// Cost: where all is reached the work is in vain, but for one who would have waited; the
// search waits for a piece at the most.

// aheadPiece vertices are filled at a time.
const aheadPiece = 1 << 12

// ahead is what there is to fill.
type ahead struct {
	fill func(lo, hi int)
	n    int // vertices; 0: nothing is filled ahead
	next atomic.Int64
	over atomic.Bool // the worker who searches has done its part of a superstep
}

// done is how many vertices are filled.
func (a *ahead) done() int { return min(int(a.next.Load())*aheadPiece, a.n) }

// goOn fills pieces until the superstep is over.
func (a *ahead) goOn() {
	for !a.over.Load() && a.done() < a.n {
		lo := int(a.next.Add(1)-1) * aheadPiece
		if lo < a.n {
			a.fill(lo, min(lo+aheadPiece, a.n))
		}
	}
}

// byOne has one worker search, and another fill columns.
func (r *relaxing[T]) byOne(p pregel.Pool) error {
	if p.Workers() == 1 || r.ahead.done() == r.ahead.n {
		return p.For(1, func(_ int, w *pregel.Worker) { r.alone(w) })
	}
	r.ahead.over.Store(false)
	return p.For(2, func(i int, w *pregel.Worker) {
		if i == 1 {
			r.ahead.goOn()
			return
		}
		defer r.ahead.over.Store(true)
		r.alone(w)
	})
}
