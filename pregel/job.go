package pregel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"gopregel/pregel/graph"
)

// A Job is one execution of an algorithm: the graph, the engine that runs its
// programs, and what bounds and observes them. The phases of an algorithm share
// it, and with it the count of supersteps.
type Job struct {
	Graph  *graph.Graph
	Engine Engine
	// MaxSupersteps bounds all phases together; 0 means no bound.
	MaxSupersteps int
	// Observe is called after each superstep, by one goroutine at a time. A record's
	// Detail is good until it returns.
	Observe func(StepRecord)
	// Unmeasured says that who observes does without the metric of supersteps but the last: an engine
	// may then spare what that alone takes (Twin.Anew).
	Unmeasured bool
	// Batch lets an engine do so many supersteps before it looks at the context
	// and calls Observe for each of them; 0 and 1 mean one. A device that need not
	// come back to its host after every superstep is faster on long thin graphs, and
	// so is the CPU, which does a few at once where each is shorter than that look:
	// each of their records then has an equal part of their time (Detail.Timed). Where
	// supersteps take more than 3 ms, and are observed, it does one.
	Batch int
	// Barrier is called after Init of each program and after its supersteps (after
	// each batch of them), with a function that gives the state of the program then
	// (Limits.Barrier). An error ends the run.
	Barrier func(state func() (State, error)) error
	// Checkpoints keeps the state of the job, for another process to go on from. nil:
	// nothing is kept.
	Checkpoints Checkpointer
	// Begun is called with each task of the run, before its Init.
	Begun func(Task)
	// Detail asks for the Detail of records (Limits.Detail): it is called before
	// Observe, with a record that is good until it returns. nil: nobody asks.
	Detail func(*StepRecord)
	// Briefs is called in place of Detail, where that is asked for, for short supersteps
	// that have all but a few numbers in common with the one before: whoever notes each
	// of them would take as long as a part of them does. Observe is still called for
	// each, with records that have no Detail. nil: Detail, if it is asked for, is called
	// for each.
	Briefs func(*Briefs)
	// Backlog is called in place of Detail, where that is asked for, for supersteps that a
	// device has done without its host: who is told makes their records when it likes, such
	// as while the run goes on. Observe is still called for each, with records that have
	// no Detail. nil: Detail, if it is asked for, is called for each.
	Backlog func(*Backlog)
	// Bounds end a run that takes too much.
	Bounds Bounds

	supersteps int
	deadline   time.Time // of Bounds.Time, from the first run on
	runs       int       // programs and phases begun
	held       commit    // the last
	prepared   *Prepared // that the graph is of
	left       bool      // a last state was kept
	cut        struct {  // what the ranges of phases are, on this graph
		g      *graph.Graph
		bounds []uint32
	}
}

// Supersteps returns how many have been completed so far.
func (j *Job) Supersteps() int { return j.supersteps }

// A Result is what a run of one program has reached.
type Result[V any] struct {
	Values  []V // by vertex
	Stop    Stop
	Ordered bool // by the user's numbers of a prepared graph: see WithUserOrder
}

// An Option changes how one program is run.
type Option func(*options)

type options struct {
	values  any
	memory  []byte
	max     int
	more    bool
	ordered bool
}

// WithValues makes the run start from, and work in, the given column instead of
// a new one. It is how phases share columns.
func WithValues[V any](values []V) Option { return func(o *options) { o.values = values } }

// WithMemory gives the run of an edge program memory to use in place of new: its column of values
// is then at the start, if there is room and values hold no pointers, and its offers are in what
// is left; beside WithValues offers alone. Nothing else may use it until the run has returned, nor
// ever if that has failed, as workers may have been left behind.
func WithMemory(b []byte) Option { return func(o *options) { o.memory = b } }

// WithMaxSupersteps bounds this run, beside the job's own bound.
func WithMaxSupersteps(n int) Option { return func(o *options) { o.max = n } }

// WithMore says that another run, or loop of the engine's workers, follows at once: see
// Limits.More.
func WithMore() Option { return func(o *options) { o.more = true } }

// RunEdge runs an edge program to its end. The result holds the values reached,
// however the run ended; the error is not nil exactly when Stop.Reason is
// Failed.
func RunEdge[V, M any](ctx context.Context, j *Job, p EdgeProgram[V, M], opts ...Option) (Result[V], error) {
	return runSender[V, M](ctx, j, p, opts)
}

// RunCollector runs an edge program that collects its messages, as RunEdge
// does.
func RunCollector[V, M any](ctx context.Context, j *Job, p Collector[V, M], opts ...Option) (Result[V], error) {
	return runSender[V, M](ctx, j, p, opts)
}

func runSender[V, M any](ctx context.Context, j *Job, p sender[V, M], opts []Option) (Result[V], error) {
	o, values, err := collectOptions[V](opts)
	if err != nil {
		return Result[V]{Stop: Stop{Reason: Failed, Err: err}}, err
	}
	t := bindEdge(j.Graph, p, values)
	t.memory, t.bring = o.memory, bringingOf[V](j, p, o)
	stop := j.run(ctx, t, o)
	t.end(stop)
	return Result[V]{t.values, stop, t.bring.Brought()}, stop.Err
}

// RunVertex runs a vertex program to its end, as RunEdge does.
func RunVertex[V, M any](ctx context.Context, j *Job, p VertexProgram[V, M], opts ...Option) (Result[V], error) {
	o, values, err := collectOptions[V](opts)
	if err != nil {
		return Result[V]{Stop: Stop{Reason: Failed, Err: err}}, err
	}
	t := bindVertex(j.Graph, p, values)
	stop := j.run(ctx, t, o)
	return Result[V]{Values: t.values, Stop: stop}, stop.Err
}

func collectOptions[V any](opts []Option) (options, []V, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	if o.values == nil {
		return o, nil, nil
	}
	values, ok := o.values.([]V)
	if !ok {
		return o, nil, fmt.Errorf("pregel: WithValues got a column of type %T for a program with values of type %T", o.values, *new(V))
	}
	return o, values, nil
}

// onlyInit is the limit of a run that may do no superstep, but has to give
// values.
const onlyInit = -1

func (j *Job) run(ctx context.Context, t Task, o options) Stop {
	left, own := j.bound(o)
	if j.deadline.IsZero() && j.Bounds.Time > 0 {
		j.deadline = time.Now().Add(j.Bounds.Time)
	}
	if b, ok := t.(interface{ bound(memory uint64) }); ok {
		b.bound(cmp.Or(j.Bounds.Memory, j.Bounds.Messages))
	}
	l := Limits{MaxSupersteps: left, Batch: j.Batch, More: o.more, Barrier: j.Barrier, Begun: j.Begun, Detail: j.Detail != nil, Unmeasured: j.Unmeasured, Bounds: j.Bounds, Deadline: j.deadline}
	j.observers(&l)
	ends := func(supersteps int) bool { return own && supersteps >= left && ctx.Err() == nil }
	j.checkpoint(&l, ends)
	stop := j.Engine.Run(ctx, t, l)
	j.runs++
	j.supersteps += stop.Supersteps
	stop.Err = withPlace(t, stop.Err)
	if !own || stop.Reason != MaxSupersteps {
		if err := j.leave(stop); err != nil {
			stop.Reason, stop.Err = Failed, err
		}
	}
	return stop
}

// observers has those told who want to know of the supersteps of a run.
func (j *Job) observers(l *Limits) {
	if j.Detail == nil && j.Observe == nil {
		return
	}
	var last StepRecord
	l.Observe = func(r *StepRecord) {
		r.Superstep += j.supersteps
		if j.Detail != nil {
			j.Detail(r)
		}
		if j.Observe != nil {
			last = *r
			j.Observe(last)
		}
	}
	if j.Detail == nil || j.Briefs != nil {
		l.Briefs = func(b *Briefs) {
			b.Superstep += j.supersteps
			if j.Detail != nil {
				j.Briefs(b)
			}
			if j.Observe != nil {
				b.each(&last, j.Observe)
			}
		}
	}
	if j.Detail == nil || j.Backlog != nil {
		l.Backlog = j.backlog
	}
}

// backlog has those told who want to know of supersteps whose records are made later.
func (j *Job) backlog(b *Backlog) {
	b.Superstep += j.supersteps
	if j.Detail != nil {
		j.Backlog(b)
	}
	if j.Observe != nil {
		b.Each(false, func(r *StepRecord) { j.Observe(*r) })
	}
}

// bound is the number of supersteps that a run may do, as in Limits, and whether that
// is its own bound and not the job's.
func (j *Job) bound(o options) (most int, own bool) {
	if j.MaxSupersteps == 0 {
		return max(o.max, 0), o.max > 0
	}
	switch rest := j.MaxSupersteps - j.supersteps; {
	case rest <= 0:
		return onlyInit, false
	case o.max > 0 && o.max < rest:
		return o.max, true
	default:
		return rest, false
	}
}

// withPlace names program and vertex in an error of a vertex. What fails in a phase
// belongs to none that an engine could know.
func withPlace(t Task, err error) error {
	var at *VertexError
	if !errors.As(err, &at) {
		return err
	}
	if int64(at.Vertex) >= int64(t.Graph().N()) {
		return &ProgramError{Program: t.Name(), Superstep: at.Superstep, Cause: at.Cause, Stack: at.Stack}
	}
	at.Program, at.ID = t.Name(), t.Graph().IDs().Text(at.Vertex)
	return err
}

// RunTask runs a task that an engine has made for itself, such as a program of
// own kernels, as one phase of the job.
func (j *Job) RunTask(ctx context.Context, t Task, opts ...Option) Stop {
	var o options
	for _, change := range opts {
		change(&o)
	}
	return j.run(ctx, t, o)
}
