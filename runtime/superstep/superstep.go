// Package superstep is the loop that every engine runs: supersteps, the barrier
// after each, the verdict, until there is a reason to stop. What a superstep is
// made of is the engine's own (Runner).
package superstep

import (
	"context"
	"errors"
	"runtime/debug"
	"sync/atomic"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// A Runner is one task under way on an engine.
type Runner interface {
	// Init sets the first values.
	Init() error
	// Run does superstep s, or s and up to most-1 that follow it where nothing
	// has to be asked between them, and appends a record for each. It may do
	// fewer; none only where it then finds that nothing is pending. With an error
	// there are those of supersteps that were over by then.
	Run(s, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error)
	// Pending counts what keeps the run going: vertices awake, and messages.
	Pending() uint64
}

// A Snapshotter is a Runner that can show its state at a barrier, but for the
// number of supersteps.
type Snapshotter interface {
	Snapshot() (pregel.State, error)
}

// A Resumer is a Snapshotter, or a Saver, that can go on from a state, in place of
// Init.
type Resumer interface {
	Resume(s pregel.State) error
}

// A Saver has a state to go on from, with nothing in it to look at.
type Saver interface {
	Save() (pregel.State, error)
}

// Drive runs a task to its end. What a program panics with between supersteps
// ends the run as an error does.
func Drive(ctx context.Context, t pregel.Task, run Runner, l pregel.Limits) (stop pregel.Stop) {
	d := &driver{ctx: ctx, task: t, run: run, limits: l, superstep: -1, begun: time.Now()}
	guarded := debug.SetPanicOnFault(true)
	if m, ok := t.(pregel.Measured); ok && l.Detail {
		d.measured = m
	}
	d.folds = l.Detail && Folds(t)
	if !Folds(t) && (l.Observe == nil || l.Backlog != nil) {
		d.postponer, _ = run.(Postponer)
	}
	d.chained = l.Detail && l.Barrier == nil && l.Keep == nil
	if l.Observe == nil || l.Briefs != nil {
		d.briefer, _ = run.(Briefer)
	}
	defer func() {
		debug.SetPanicOnFault(guarded)
		if r := recover(); r != nil {
			stop = d.failed(thrown(t, d.superstep, r))
		}
	}()
	d.enter()
	defer d.watch()()
	return d.drive()
}

// A folder is a task that can tell whether its Barrier has anything to do.
type folder interface{ Folds() bool }

// Folds tells whether a task has to be asked at the barrier after each superstep.
func Folds(t pregel.Task) bool {
	f, ok := t.(folder)
	return !ok || f.Folds()
}

type driver struct {
	ctx       context.Context
	task      pregel.Task
	run       Runner
	limits    pregel.Limits
	superstep int // under way; -1: Init
	verdict   pregel.Verdict
	records   []pregel.StepRecord
	measured  pregel.Measured // the task; nil: it is not
	briefer   Briefer         // the runner; nil: it is none, or who observes wants a record of each superstep
	briefs    pregel.Briefs
	postponer Postponer       // the runner; nil: it is none, has to be asked, or who observes wants a record of each superstep at once
	backlog   *pregel.Backlog // the supersteps done last; nil: they have records, or are briefs
	folds     bool            // its Barrier has something to do, and details are asked for

	under  atomic.Int64 // superstep, as watch sees it
	since  atomic.Int64 // when it began
	looked time.Time    // at the size of the process

	// chained: a superstep's time begins where that of the one before has ended, which
	// saves a look at the clock; nothing that takes time lies between.
	chained bool
	begun   time.Time
	ended   time.Duration // the last, since begun; 0: there is none
	slow    bool          // the last took so long that one has to look after each
}

// slowFrom is how long supersteps take that are not done several at once: who ends a
// run, or watches it, would wait for all of them.
const slowFrom = 3 * time.Millisecond

// now is the time since the run has begun: a third cheaper than that of the day.
func (d *driver) now() time.Duration { return time.Since(d.begun) }

func (d *driver) drive() pregel.Stop {
	if d.limits.Begun != nil {
		d.limits.Begun(d.task)
	}
	if err := d.begin(); err != nil {
		return d.failed(err)
	}
	for {
		stop, ended := d.judge()
		if err := d.keep(stop, ended); err != nil {
			return d.failed(err)
		}
		if ended {
			return d.named(stop)
		}
		start := d.start()
		d.enter()
		n, err := d.supersteps()
		if err != nil {
			return d.broke(start, n, err)
		}
		if n == 0 {
			continue
		}
		d.superstep += n - 1
		folding := d.folding()
		d.verdict = d.task.Barrier(d.superstep)
		d.observe(start, folding)
		d.superstep++
		if err := d.bounded(d.superstep - 1); err != nil {
			return d.broken(d.superstep-1, err)
		}
		if err := d.barrier(); err != nil {
			return d.failed(err)
		}
	}
}

// broke ends the run in a superstep; the n that were done with it stand.
func (d *driver) broke(start time.Duration, n int, err error) pregel.Stop {
	if n > 0 {
		d.superstep += n
		d.observe(start, 0)
	}
	return d.failed(d.placed(err))
}

// start is when a superstep begins, where anybody asks.
func (d *driver) start() time.Duration {
	switch {
	case d.limits.Observe == nil:
		return 0
	case d.chained && d.ended != 0:
		return d.ended
	}
	return d.now()
}

// begin sets the first values, or those of a state that the run goes on from.
func (d *driver) begin() error {
	if resumed, err := d.resume(); resumed || err != nil {
		return err
	}
	if err := d.run.Init(); err != nil {
		return d.placed(err)
	}
	d.verdict = d.task.Barrier(d.superstep)
	if err := d.bounded(-1); err != nil {
		return err
	}
	d.superstep = 0
	return d.barrier()
}

// most is how many supersteps may be done without asking.
func (d *driver) most() int {
	most := max(d.limits.Batch, 1)
	if d.limits.Bounds.NaN || d.slow {
		most = 1 // every barrier is looked at
	}
	if d.limits.MaxSupersteps > 0 {
		most = min(most, d.limits.MaxSupersteps-d.superstep)
	}
	return most
}

// judge says whether the run ends before the next superstep, and why.
func (d *driver) judge() (pregel.Stop, bool) {
	v := d.verdict
	stop := pregel.Stop{Supersteps: d.superstep, Metric: v.Metric}
	switch {
	case v.Err != nil:
		stop.Reason, stop.Err = pregel.Failed, v.Err
	case v.Converged:
		stop.Reason = pregel.Converged
	case v.Halt || d.run.Pending() == 0:
		stop.Reason = pregel.Halted
	case d.ctx.Err() != nil:
		stop.Reason = pregel.Cancelled
	case d.limits.MaxSupersteps != 0 && d.superstep >= d.limits.MaxSupersteps:
		stop.Reason = pregel.MaxSupersteps
	case !d.limits.Deadline.IsZero() && time.Now().After(d.limits.Deadline):
		stop.Reason = pregel.TimeLimit
	default:
		return stop, false
	}
	return stop, true
}

// named gives the error of a barrier its program and superstep.
func (d *driver) named(stop pregel.Stop) pregel.Stop {
	if stop.Err != nil {
		stop.Err = &pregel.ProgramError{Program: d.task.Name(), Superstep: d.superstep - 1, Cause: stop.Err}
	}
	return stop
}

// placed gives an error of a runner that names no program its place.
func (d *driver) placed(err error) error {
	var vertex *pregel.VertexError
	var program *pregel.ProgramError
	if errors.As(err, &vertex) || errors.As(err, &program) {
		return err
	}
	return &pregel.ProgramError{Program: d.task.Name(), Superstep: d.superstep, Cause: err}
}

// failed is the record of a run whose superstep broke; those before it stand.
func (d *driver) failed(err error) pregel.Stop {
	var at *pregel.VertexError
	if errors.As(err, &at) {
		at.Superstep = d.superstep
	}
	return pregel.Stop{Reason: pregel.Failed, Supersteps: max(d.superstep, 0), Metric: d.verdict.Metric, Err: err}
}

// broken is the record of a run that a bound ends at the barrier after a superstep.
func (d *driver) broken(superstep int, err error) pregel.Stop {
	return pregel.Stop{Reason: pregel.Failed, Supersteps: superstep + 1, Metric: d.verdict.Metric, Err: err}
}

// Begin prepares a task for a run on so many workers; a panic of its program is
// an error.
func Begin(t pregel.Task, workers int) (err error) {
	guarded := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(guarded)
		if r := recover(); r != nil {
			err = thrown(t, -1, r)
		}
	}()
	return t.Begin(workers)
}

// thrown is the error of what was panicked with. A fault in a mapped file is not the
// program's: its stack is of no use.
func thrown(t pregel.Task, superstep int, r any) error {
	if fault := mem.Fault(r); fault != nil {
		return &pregel.ProgramError{Program: t.Name(), Superstep: superstep, Cause: fault}
	}
	return &pregel.ProgramError{Program: t.Name(), Superstep: superstep, Cause: r, Stack: string(debug.Stack())}
}
