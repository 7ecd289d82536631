// Package cpu is the shared-memory engine: it runs supersteps on the cores of
// one machine.
//
// A superstep pushes (awake vertices write to their targets with atomics) or
// pulls (every vertex reads from its awake sources, without atomics, stopping
// at the first where the combiner allows), whichever the size of the frontier
// makes cheaper (direction.go). Frontiers are lists while small and bitmaps
// otherwise (frontier.go). Work is cut into ranges of about equal numbers of
// arcs, vertices with very many arcs into parts, and taken by the workers as
// they come free, each beginning with the ranges that it had in the superstep
// before, which its core's cache may still hold (pool.go, cut.go). What is computed does not depend on who
// computes it: see rule 7 of the contract in package pregel.
package cpu

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/runtime/superstep"
)

// Options say how an engine runs.
type Options struct {
	Workers   int              // 0: all usable processors
	Direction pregel.Direction // Push holds where the combiner has an atomic form, or needs none as all offers are one
	// Strict makes float sums and Any bit-identical from run to run: they are
	// pulled, in an order that is the graph's alone.
	Strict bool
	// Schedule is that of edge programs. Relaxed is an error for programs that do not
	// declare it (pregel.Relaxer), with Strict, and with Direction Pull, as messages
	// are then pushed. Phases and other tasks of an algorithm's own run as they are.
	Schedule pregel.Schedule
}

// An Engine runs tasks, one at a time.
type Engine struct {
	Options
	pool *pool
	// shares of every thin frontier, for tests; 0: as many as are worth it.
	shares int
	// waits are listed up to so many, for tests; 0: as many as are worth it.
	waits int
	// binned: who arrives is always thrown into bins, for tests; false: where it is worth it.
	binned bool
	// sampled: a superstep whose phases take less has those of others not timed.
	sampled time.Duration
	grown   mem.Shelf[grown] // of runs before
}

// New makes an engine.
func New(o Options) *Engine {
	o.Workers = parallel.Workers(o.Workers)
	return &Engine{Options: o, pool: newPool(o.Workers), sampled: sampledBelow}
}

// Name returns "cpu".
func (e *Engine) Name() string { return "cpu" }

// Pool returns the engine's workers.
func (e *Engine) Pool() pregel.Pool { return e.pool }

// Run runs a task to its end.
func (e *Engine) Run(ctx context.Context, t pregel.Task, l pregel.Limits) pregel.Stop {
	e.pool.reset()
	e.pool.done = ctx.Done()
	e.pool.running.Store(true)
	defer e.pool.running.Store(false)
	if err := e.checkSchedule(); err != nil {
		return failed(t, err)
	}
	if err := superstep.Begin(t, e.Workers); err != nil {
		return pregel.Stop{Reason: pregel.Failed, Err: err}
	}
	if err := e.checkRelaxed(t); err != nil {
		return failed(t, err)
	}
	if l.Detail {
		e.pool.watch = &watch{base: time.Now()}
	}
	var run superstep.Runner
	var edge *edgeRun
	relax, ok := t.(pregel.RelaxTask)
	switch t := t.(type) {
	case pregel.EdgeTask:
		if ok && e.Schedule == pregel.Relaxed {
			run = newRelaxRun(e, relax)
			break
		}
		edge = newEdgeRun(e, t, l)
		run = edge
	case pregel.VertexTask:
		run = newVertexRun(e, t, l)
	default:
		return pregel.Stop{Reason: pregel.Failed, Err: fmt.Errorf("program %s: the cpu engine cannot run a %T", t.Name(), t)}
	}
	stop := superstep.Drive(ctx, t, run, l)
	if !l.More {
		e.pool.team.dismiss()
	}
	if edge != nil && stop.Reason != pregel.Failed {
		edge.giveBack()
	}
	return stop
}

// checkSchedule finds options that exclude each other.
func (e *Engine) checkSchedule() error {
	switch {
	case e.Schedule != pregel.Relaxed:
		return nil
	case e.Strict:
		return errors.New("schedule relaxed and determinism strict exclude each other, as strict runs use double buffers; allowed with strict: auto or bsp")
	case e.Direction == pregel.Pull:
		return errors.New("schedule relaxed and direction pull exclude each other, as what is relaxed is pushed; allowed with pull: auto or bsp")
	}
	return nil
}

// checkRelaxed finds out why a program cannot be relaxed; tasks that are no program
// have no messages.
func (e *Engine) checkRelaxed(t pregel.Task) error {
	program, ok := t.(interface{ Relaxable() error })
	if e.Schedule != pregel.Relaxed || !ok {
		return nil
	}
	return program.Relaxable()
}

func failed(t pregel.Task, err error) pregel.Stop {
	return pregel.Stop{Reason: pregel.Failed, Err: fmt.Errorf("program %s: %w", t.Name(), err)}
}
