package cpu

import (
	"context"
	"errors"
	"time"

	"gopregel/pregel"
)

// drive is the superstep loop: run, barrier, verdict, until a reason to stop.
func drive(ctx context.Context, t pregel.Task, run superstepper, p *pool, l pregel.Limits) pregel.Stop {
	p.setSuperstep(-1)
	if err := run.init(); err != nil {
		return failed(err, -1, pregel.Metric{})
	}
	verdict := t.Barrier(-1)
	for s := 0; ; s++ {
		if stop, ended := judge(ctx, verdict, run.pending(), s, l); ended {
			return stop
		}
		start := time.Now()
		p.setSuperstep(s)
		rec := pregel.StepRecord{Program: t.Name(), Superstep: s}
		if err := run.superstep(s, &rec); err != nil {
			return failed(err, s, verdict.Metric)
		}
		verdict = t.Barrier(s)
		rec.Time, rec.Metric = time.Since(start), verdict.Metric
		if l.Observe != nil {
			l.Observe(rec)
		}
	}
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
