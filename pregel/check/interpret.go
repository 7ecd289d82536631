package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime/debug"

	"gopregel/pregel"
)

// A manner is how an interpreter goes about a run.
type manner struct {
	name  string
	seed  uint64 // of the order of vertices, blocks and messages; 0: ascending
	only  int    // the superstep of the job that takes that order; -1: all
	audit bool   // look at every call
	// eager forgets priorities; chaotic delivers messages of Relaxers at once.
	eager, chaotic bool
	inOrder        bool // messages are combined in the order of their senders all the same
}

// slots is the number of workers that a program believes in.
const slots = 4

// An interpreter is an engine that runs programs by calling their functions one by
// one. Messages lie in lists; there is nothing that makes it fast.
type interpreter struct {
	manner
	rand  *rand.Rand
	at    uint32 // the vertex under way
	steps int    // of the job
	seen  *record
}

// A record is what an interpreted run has shown.
type record struct {
	manner     manner
	answer     Answer
	programs   bool       // one at least is no phase
	steps      int        // of the job
	limited    bool       // a limit ended it
	values     []snapshot // after Init of each program, and after each of its supersteps
	names      []string   // of the programs, by superstep of the job
	phases     bool       // not all tasks were programs
	floats     int        // bits of the shortest floats that are added up, 0: none are
	anyOne     bool
	settles    bool
	waits      bool
	relaxes    bool
	signals    bool
	anew       bool
	absorbs    bool
	many       bool
	weightless bool             // such an operation was called with the weight of an arc that is not 1
	messages   map[string][]any // sent, by program: a sample
	laws       []claim
	findings   []Finding
	err        error
}

// A snapshot is the values of a program after a superstep.
type snapshot struct {
	program   string
	superstep int   // of the program; -1: Init
	values    []any // nil: not known
}

// A claim is a combiner with who uses it.
type claim struct {
	pregel.Laws
	program string
	of      string // "messages", "aggregator 1"
}

// Interpreter returns the engine that others are compared with, for small graphs: it calls
// a program's functions one by one, in ascending order of vertices.
func Interpreter() pregel.Engine { return newInterpreter(manner{only: -1}) }

func newInterpreter(m manner) *interpreter {
	return &interpreter{manner: m, rand: rand.New(rand.NewPCG(m.seed, 1)), seen: &record{manner: m, messages: map[string][]any{}}}
}

// Name says that no engine is at work.
func (e *interpreter) Name() string { return "check" }

// Pool returns one worker, who takes pieces of work in the order of the manner.
func (e *interpreter) Pool() pregel.Pool { return pool{e} }

// A runner is one task under way.
type runner interface {
	init()
	step(s int)
	next() uint64 // vertices that will run
	arcs() uint64 // that the superstep has read or sent along
}

// Unbounded tells that it heeds no bounds of time and memory: its own are of work.
func (*interpreter) Unbounded() {}

// Run interprets a task.
func (e *interpreter) Run(ctx context.Context, t pregel.Task, l pregel.Limits) (stop pregel.Stop) {
	s, between := -1, true // between: no vertex is at work
	defer func() {
		if r := recover(); r != nil {
			stop = pregel.Stop{Reason: pregel.Failed, Supersteps: max(s, 0), Err: e.failure(t, s, between, r)}
		}
	}()
	if err := t.Begin(slots); err != nil {
		return pregel.Stop{Reason: pregel.Failed, Err: err}
	}
	run, err := e.runner(t)
	if err != nil {
		return pregel.Stop{Reason: pregel.Failed, Err: err}
	}
	between = false
	run.init()
	between = true
	verdict := t.Barrier(s)
	for s = 0; ; s++ {
		if stop, over := e.judge(ctx, run, verdict, s, l); over {
			if stop.Err != nil {
				stop.Err = &pregel.ProgramError{Program: t.Name(), Superstep: s - 1, Cause: stop.Err}
			}
			return stop
		}
		e.seen.names = append(e.seen.names, t.Name())
		record := pregel.StepRecord{Program: t.Name(), Superstep: s, Awake: run.next()}
		between = false
		run.step(s)
		between = true
		e.steps++
		e.seen.steps = e.steps
		verdict = t.Barrier(s)
		record.Next, record.Arcs, record.Metric = run.next(), run.arcs(), verdict.Metric
		if l.Observe != nil {
			l.Observe(&record)
		}
	}
}

// failure is the error of a panic, with its place.
func (e *interpreter) failure(t pregel.Task, s int, between bool, thrown any) error {
	if between {
		return &pregel.ProgramError{Program: t.Name(), Superstep: s, Cause: thrown, Stack: string(debug.Stack())}
	}
	return &pregel.VertexError{Superstep: s, Vertex: e.at, Cause: thrown, Stack: string(debug.Stack())}
}

// judge says whether a run is over before superstep s.
func (e *interpreter) judge(ctx context.Context, run runner, v pregel.Verdict, s int, l pregel.Limits) (pregel.Stop, bool) {
	stop := pregel.Stop{Supersteps: s, Metric: v.Metric}
	switch {
	case v.Err != nil:
		stop.Reason, stop.Err = pregel.Failed, v.Err
	case v.Converged:
		stop.Reason = pregel.Converged
	case v.Halt || run.next() == 0:
		stop.Reason = pregel.Halted
	case ctx.Err() != nil:
		stop.Reason = pregel.Cancelled
	case l.MaxSupersteps != 0 && s >= l.MaxSupersteps:
		stop.Reason, e.seen.limited = pregel.MaxSupersteps, true
	default:
		return stop, false
	}
	return stop, true
}

func (e *interpreter) runner(t pregel.Task) (runner, error) {
	if d, ok := t.(pregel.Dissected); ok {
		p := d.Parts()
		e.note(t, p)
		e.seen.programs = e.seen.programs || p.Phase == nil
		base := base{e: e, task: t, parts: p, n: uint32(t.Graph().N())}
		switch {
		case p.Edge != nil:
			return newEdgeRun(base), nil
		case p.Vertex != nil:
			return newVertexRun(base), nil
		}
		e.seen.phases = true
		return &phaseRun{e: e, f: p.Phase, n: uint32(t.Graph().N())}, nil
	}
	e.seen.phases = true
	if v, ok := t.(pregel.VertexTask); ok {
		return &ownRun{e: e, task: v}, nil
	}
	return nil, fmt.Errorf("program %s: a %T cannot be interpreted", t.Name(), t)
}

// note keeps what a program says of itself.
func (e *interpreter) note(t pregel.Task, p pregel.Parts) {
	r := e.seen
	add := func(l pregel.Laws, of string) {
		r.laws = append(r.laws, claim{l, t.Name(), of})
		if b := floats(l.Type); b > 0 && !l.Exact && (r.floats == 0 || b < r.floats) {
			r.floats = b
		}
	}
	for i, l := range p.Aggregators {
		add(l, fmt.Sprintf("aggregator %d", i+1))
	}
	switch {
	case p.Edge != nil && p.Edge.Apply != nil:
		add(p.Edge.Combine, "messages")
		r.anyOne = r.anyOne || p.Edge.Combine.Func == nil
		r.settles = r.settles || p.Edge.Settled != nil
		r.waits = r.waits || p.Edge.Priority != nil
		r.relaxes = r.relaxes || p.Edge.Relaxes
		r.signals = r.signals || p.Edge.Signals
		r.anew = r.anew || p.Edge.Anew
		r.absorbs = r.absorbs || p.Edge.Absorbs
		r.many = r.many || p.Edge.SendMany != nil
	case p.Vertex != nil && p.Vertex.Combine != nil:
		add(*p.Vertex.Combine, "messages")
	}
}

// shuffled tells whether the superstep under way takes the order of the manner.
func (e *interpreter) shuffled() bool {
	return e.seed != 0 && (e.only < 0 || e.only == e.steps)
}

// order lists n things, ascending, descending or in any order.
func (e *interpreter) order(n int) []uint32 {
	list := make([]uint32, n)
	for i := range list {
		list[i] = uint32(i)
		if e.shuffled() && e.seed == 1 {
			list[i] = uint32(n - 1 - i)
		}
	}
	if e.shuffled() && e.seed > 1 {
		e.rand.Shuffle(n, func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}

// base is what runs of edge and vertex programs have in common.
type base struct {
	e     *interpreter
	task  pregel.Task
	parts pregel.Parts
	n     uint32
	awake []bool
	sends uint64 // messages of the superstep
	calls []call // of this superstep, when audited
}

func (b *base) arcs() uint64 { return b.sends }

func (b *base) begin() {
	b.awake = make([]bool, b.n)
	for _, v := range b.e.order(int(b.n)) {
		b.e.at = v
		at, given := b.parts.At(v, -1, 0), b.parts.Get(v)
		var value any
		b.e.at = v
		value, b.awake[v] = b.parts.Init(at, given)
		b.heard(call{what: "Init", at: at, value: given, run: func(slot int) result {
			x, awake := b.parts.Init(b.parts.At(v, -1, slot), given)
			return result{value: x, awake: awake}
		}, got: result{value: value, awake: b.awake[v]}})
		b.parts.Set(v, value)
	}
}

// snapshot keeps the values after superstep s.
func (b *base) snapshot(s int) {
	list := make([]any, b.n)
	for v := range list {
		list[v] = b.parts.Get(uint32(v))
	}
	b.e.seen.values = append(b.e.seen.values, snapshot{b.task.Name(), s, list})
}
