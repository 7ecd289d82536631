// Package phase runs the phases of an algorithm one after the other and
// remembers how they ended: once one has ended for any other reason than
// having done its work, the rest are skipped.
//
// A phase is a superstep of the job, whatever its form: it counts against the
// job's limit and is observed under its name. What it adds to Worker.Arcs, the
// arcs it has read, is in its record.
package phase

import (
	"context"
	"sync/atomic"

	"gopregel/pregel"
)

// A Run is an algorithm's phases under way.
type Run struct {
	ctx  context.Context
	job  *pregel.Job
	stop pregel.Stop
	err  error
}

// New begins a run of phases on the job.
func New(ctx context.Context, j *pregel.Job) *Run { return &Run{ctx: ctx, job: j} }

// Going tells whether all phases so far have done their work.
func (r *Run) Going() bool { return r.err == nil && r.stop.Reason == pregel.Halted }

// Stop returns how the last phase ended, with the supersteps of all.
func (r *Run) Stop() pregel.Stop {
	stop := r.stop
	stop.Supersteps = r.job.Supersteps()
	return stop
}

// Err returns the error of the phase that failed.
func (r *Run) Err() error { return r.err }

// Note takes the end of a program as the end of a phase, and returns Going.
func (r *Run) Note(stop pregel.Stop, err error) bool {
	r.stop, r.err = stop, err
	return r.Going()
}

// Spent tells whether a program that stopped at a limit has used up the job's
// supersteps, not only its own.
func (r *Run) Spent() bool {
	return r.job.MaxSupersteps > 0 && r.job.Supersteps() >= r.job.MaxSupersteps
}

// Vertices runs f over ranges of vertices that together are the whole graph.
func (r *Run) Vertices(name string, f func(lo, hi uint32, w *pregel.Worker)) bool {
	if !r.Going() {
		return false
	}
	return r.Note(r.job.Phase(r.ctx, name, f))
}

// Items runs f for 0 … n-1, as workers come free: for loops over other things
// than vertices. It stops early when the context ends.
func (r *Run) Items(name string, n int, f func(i int, w *pregel.Worker)) bool {
	var next, done atomic.Int64
	r.Vertices(name, func(_, _ uint32, w *pregel.Worker) {
		for i := next.Add(1) - 1; i < int64(n) && r.ctx.Err() == nil; i = next.Add(1) - 1 {
			f(int(i), w)
			done.Add(1)
		}
	})
	if r.Going() && done.Load() < int64(n) && r.ctx.Err() != nil {
		r.stop.Reason = pregel.Cancelled
	}
	return r.Going()
}

// Pieces runs f over 0 … n in pieces of at most grain.
func (r *Run) Pieces(name string, n, grain int, f func(lo, hi int, w *pregel.Worker)) bool {
	return r.Items(name, (n+grain-1)/grain, func(i int, w *pregel.Worker) {
		f(i*grain, min(n, (i+1)*grain), w)
	})
}

// Serial runs f on one worker. f returns early when it finds the context
// ended; the phase then counts as cancelled.
func (r *Run) Serial(name string, f func(ctx context.Context, w *pregel.Worker)) bool {
	r.Items(name, 1, func(_ int, w *pregel.Worker) { f(r.ctx, w) })
	if r.Going() && r.ctx.Err() != nil {
		r.stop.Reason = pregel.Cancelled
	}
	return r.Going()
}
