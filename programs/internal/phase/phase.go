// Package phase runs the phases of an algorithm one after the other and
// remembers how they ended: once one has ended for any other reason than
// having done its work, the rest are skipped.
//
// A phase is a superstep of the job, whatever its form: it counts against the
// job's limit and is observed under its name. What it adds to Worker.Arcs, the
// arcs it has read, and to Worker.Atomics is in its record, with its account.
package phase

import (
	"context"

	"gopregel/pregel"
)

// A Run is an algorithm's phases under way.
type Run struct {
	// More is set before a phase that another follows at once: see pregel.Limits.
	More bool

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
func (r *Run) Vertices(name string, a pregel.Account, f func(lo, hi uint32, w *pregel.Worker)) bool {
	if !r.Going() {
		return false
	}
	return r.Note(r.job.Ranges(r.ctx, pregel.Ranges{Name: name, Do: f, Account: &a, More: r.More}))
}

// Commit has the rest of the algorithm depend on some parts: see pregel.Job.CommitBy.
// It returns Going, and does nothing where that is over.
func (r *Run) Commit(ready func(), parts ...any) bool {
	if !r.Going() {
		return false
	}
	if err := r.job.CommitBy(ready, parts...); err != nil {
		r.stop, r.err = pregel.Stop{Reason: pregel.Failed, Err: err}, err
	}
	return r.Going()
}

// Whole is the context of what is no phase, between two Commits: where checkpoints
// are kept it is done as a whole.
func (r *Run) Whole() context.Context {
	if r.job.Checkpoints != nil {
		return context.WithoutCancel(r.ctx)
	}
	return r.ctx
}

// Long runs a phase that can be left between its pieces.
func (r *Run) Long(p pregel.Pieces) bool {
	if !r.Going() {
		return false
	}
	return r.Note(r.job.Pieces(r.ctx, p))
}

// Items runs f for 0 … n-1, as workers come free: for loops over other things
// than vertices. It stops early when the context ends.
func (r *Run) Items(name string, n int, a pregel.Account, f func(i int, w *pregel.Worker)) bool {
	return r.Long(pregel.Pieces{Name: name, N: n, Account: &a, Do: f, More: r.More})
}

// Pieces runs f over 0 … n in pieces of at most grain.
func (r *Run) Pieces(name string, n, grain int, f func(lo, hi int, w *pregel.Worker)) bool {
	return r.Items(name, (n+grain-1)/grain, pregel.Account{}, func(i int, w *pregel.Worker) {
		f(i*grain, min(n, (i+1)*grain), w)
	})
}

// Serial runs f on one worker. f returns early when it finds the context
// ended; the phase then counts as cancelled.
func (r *Run) Serial(name string, a pregel.Account, f func(ctx context.Context, w *pregel.Worker)) bool {
	whole := r.Whole()
	r.Long(pregel.Pieces{Name: name, N: 1, Alone: true, Account: &a, Do: func(_ int, w *pregel.Worker) { f(whole, w) }})
	if r.Going() && whole.Err() != nil {
		r.stop.Reason = pregel.Cancelled
	}
	return r.Going()
}
