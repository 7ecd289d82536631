// Package cpu is the shared-memory engine: it runs supersteps on the cores of
// one machine.
//
// A superstep pushes (awake vertices write to their targets with atomics) or
// pulls (every vertex reads from its awake sources, without atomics, stopping
// at the first where the combiner allows), whichever the size of the frontier
// makes cheaper (direction.go). Frontiers are lists while small and bitmaps
// otherwise (frontier.go). Work is cut into ranges of about equal numbers of
// arcs, vertices with very many arcs into parts, and taken by the workers as
// they come free (pool.go, cut.go). What is computed does not depend on who
// computes it: see rule 7 of the contract in package pregel.
package cpu

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/parallel"
)

// Options say how an engine runs.
type Options struct {
	Workers   int              // 0: all usable processors
	Direction pregel.Direction // Push holds where the combiner has an atomic form
	// Strict makes float sums and Any bit-identical from run to run: they are
	// pulled, in the order of their sources.
	Strict bool
}

// An Engine runs tasks, one at a time.
type Engine struct {
	Options
	pool *pool
}

// New makes an engine.
func New(o Options) *Engine {
	o.Workers = parallel.Workers(o.Workers)
	return &Engine{Options: o, pool: newPool(o.Workers)}
}

// Name returns "cpu".
func (e *Engine) Name() string { return "cpu" }

// Pool returns the engine's workers.
func (e *Engine) Pool() pregel.Pool { return e.pool }

// A superstepper is one kind of program under way.
type superstepper interface {
	// init sets the first values.
	init() error
	// superstep runs one superstep and fills in the record.
	superstep(s int, r *pregel.StepRecord) error
	// pending counts what keeps the run going: vertices awake, and messages.
	pending() uint64
}

// Run runs a task to its end.
func (e *Engine) Run(ctx context.Context, t pregel.Task, l pregel.Limits) pregel.Stop {
	e.pool.reset()
	if err := begin(t, e.Workers); err != nil {
		return pregel.Stop{Reason: pregel.Failed, Err: err}
	}
	var run superstepper
	switch t := t.(type) {
	case pregel.EdgeTask:
		run = newEdgeRun(e, t)
	case pregel.VertexTask:
		run = &vertexRun{task: t, pool: e.pool}
	}
	return drive(ctx, t, run, e.pool, l)
}

// vertexRun runs a vertex program, which does its own superstep.
type vertexRun struct {
	task pregel.VertexTask
	pool *pool
}

func (r *vertexRun) init() error     { return r.task.Init(r.pool) }
func (r *vertexRun) pending() uint64 { return r.task.Pending() }

func (r *vertexRun) superstep(s int, rec *pregel.StepRecord) error {
	counts, err := r.task.Superstep(s, r.pool)
	rec.Awake, rec.Arcs, rec.Direction = counts.Computed, counts.Sent, pregel.Push
	rec.Next = r.task.Pending()
	return err
}
