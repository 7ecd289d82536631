package cpu

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"gopregel/pregel"
)

// drive is the superstep loop: run, barrier, verdict, until a reason to stop.
// What a program panics with between supersteps ends the run as an error does.
func drive(ctx context.Context, t pregel.Task, run superstepper, p *pool, l pregel.Limits) (stop pregel.Stop) {
	s, metric := -1, pregel.Metric{}
	defer func() {
		if r := recover(); r != nil {
			stop = failed(&pregel.ProgramError{Program: t.Name(), Superstep: s, Cause: r, Stack: string(debug.Stack())}, s, metric)
		}
	}()
	p.setSuperstep(s)
	if err := run.init(); err != nil {
		return failed(err, s, metric)
	}
	verdict := t.Barrier(s)
	for s = 0; ; s++ {
		metric = verdict.Metric
		if stop, ended := judge(ctx, verdict, run.pending(), s, l); ended {
			return named(stop, t, s-1)
		}
		start := time.Now()
		p.setSuperstep(s)
		rec := pregel.StepRecord{Program: t.Name(), Superstep: s}
		if err := run.superstep(s, &rec); err != nil {
			return failed(err, s, metric)
		}
		verdict = t.Barrier(s)
		rec.Time, rec.Metric = time.Since(start), verdict.Metric
		if l.Observe != nil {
			l.Observe(rec)
		}
	}
}

// named gives the error of a barrier its program and superstep.
func named(stop pregel.Stop, t pregel.Task, s int) pregel.Stop {
	if stop.Err != nil {
		stop.Err = &pregel.ProgramError{Program: t.Name(), Superstep: s, Cause: stop.Err}
	}
	return stop
}

// begin prepares a task; a panic of its program is an error.
func begin(t pregel.Task, workers int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &pregel.ProgramError{Program: t.Name(), Superstep: -1, Cause: r, Stack: string(debug.Stack())}
		}
	}()
	return t.Begin(workers)
}

// judge says whether the run ends before superstep s, and why.
func judge(ctx context.Context, v pregel.Verdict, pending uint64, s int, l pregel.Limits) (pregel.Stop, bool) {
	stop := pregel.Stop{Supersteps: s, Metric: v.Metric}
	switch {
	case v.Err != nil:
		stop.Reason, stop.Err = pregel.Failed, v.Err
	case v.Converged:
		stop.Reason = pregel.Converged
	case v.Halt || pending == 0:
		stop.Reason = pregel.Halted
	case ctx.Err() != nil:
		stop.Reason = pregel.Cancelled
	case l.MaxSupersteps != 0 && s >= l.MaxSupersteps:
		stop.Reason = pregel.MaxSupersteps
	default:
		return stop, false
	}
	return stop, true
}

// failed is the record of a run whose superstep s broke; s supersteps stand.
func failed(err error, s int, m pregel.Metric) pregel.Stop {
	var at *pregel.VertexError
	if errors.As(err, &at) {
		at.Superstep = s
	}
	return pregel.Stop{Reason: pregel.Failed, Supersteps: max(s, 0), Metric: m, Err: err}
}
