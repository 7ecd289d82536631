package cpu

import (
	"math"

	"gopregel/pregel"
)

// This file does short supersteps that follow each other as one item of one worker, and
// leaves no more of each than a Brief: where they take a fifth of a microsecond, what
// surrounds a superstep took as long as it did.

// Briefs does short supersteps, which push and apply in one by the rule of the last, as
// that did. Nothing but numbers of theirs is then others than before.
func (r *edgeRun) Briefs(s, most int, b *pregel.Briefs) error {
	if r.asked || !r.forwarded || r.engine.shares > 0 || !r.short() {
		return nil
	}
	law, ok := r.law()
	if !ok {
		return nil
	}
	b.Law, b.Left, b.Pushed = law, r.lastLeft, r.pushed
	r.briefs = b
	end := s + most
	err := r.pool.alone(1, func(_ int, w *pregel.Worker) {
		for work := uint64(0); s < end && work < workAtOnce; s++ {
			one := r.brief(s, w)
			if one == 0 || r.pool.cancelled() {
				break
			}
			work += one
		}
	})
	b.Next = r.front.count
	return err
}

// brief does one, unless it would not be like the last, and returns how many vertices
// and arcs it has. A program that forwards has nobody who waits for a priority, so that
// nothing is to be released after it.
func (r *edgeRun) brief(s int, w *pregel.Worker) (work uint64) {
	if !r.short() {
		return 0
	}
	f := r.front
	_, why := r.choose()
	left := r.left()
	done := r.lastLeft - left
	if why.Rule != r.why.Rule || done > math.MaxUint8 {
		return 0
	}
	b := pregel.Brief{Awake: uint8(f.count), Done: uint8(done), Times: 1}
	work = f.arcs + f.count
	r.lastCount, r.lastLeft = f.count, left
	begins(w, int32(s))
	f.join()
	if r.arrives() {
		r.task.Arrive(f.list, w)
	} else {
		f.ascend()
		r.task.Forward(f.list, w)
	}
	f.isBits, f.ascends, f.count, f.arcs, f.list = false, false, 0, 0, append(f.list[:0], w.Next...)
	w.Next = w.Next[:0]
	r.take(w)
	r.pushed += w.Arcs
	b.Arcs = uint8(w.Arcs)
	w.Arcs = 0
	r.briefs.Add(b)
	return work
}

const (
	// Of so many vertices and arcs short supersteps are done before one looks whether to
	// go on: for some microseconds.
	workAtOnce = 32 * shortWork

	// A short superstep has numbers that fit.
	_ = uint(math.MaxUint8 - shortWork)
)
