package cpu

import (
	"fmt"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/runtime/superstep"
)

// edgeRun is an edge program under way.
type edgeRun struct {
	engine *Engine
	pool   *pool
	task   pregel.EdgeTask
	traits pregel.Traits
	n      int

	sending []graph.CSR
	bySend  []uint32 // ranges of equal numbers of arcs to push along
	byPull  []uint32 // likewise to pull along; nil before the first pull
	pieces  []pushPiece
	parted  []uint32 // vertices whose arcs are several of those
	parts   []hubPiece

	front *frontier
	next  bitmap.Bitmap

	waiting   uint64         // vertices awake whose priority is not due
	waits     waits          // those
	total     uint64         // arcs
	forwards  uint64         // work up to which a frontier is pushed and applied in one
	briefs    *pregel.Briefs // that are being done
	done      uint64         // arcs at settled vertices
	lastLeft  uint64         // arcs at others, one superstep ago
	pushed    uint64         // arcs pushed along so far
	details   pregel.Details
	why       pregel.Choice // of the last superstep
	forwarded bool          // it was pushed and applied in one
	last      pregel.Direction
	lastCount uint64 // size of the frontier one superstep ago
	pace      parallel.Pace
	callPace  parallel.Pace // of pushes by functions
	shares    shares
	// arriveShare does one of as many equal shares of the frontier as sharing says.
	arriveShare func(k int, w *pregel.Worker)
	sharing     int
	asked       bool // something is asked after each superstep
	sampler     sampler
	untimed     bool // phases of the last superstep were not timed
}

func newEdgeRun(e *Engine, t pregel.EdgeTask, l pregel.Limits) *edgeRun {
	n := t.Graph().N()
	r := &edgeRun{engine: e, pool: e.pool, task: t, traits: t.Traits(), n: n,
		sending: t.Sending(), front: newFrontier(n), next: bitmap.New(n), asked: superstep.Folds(t) || !l.Deadline.IsZero(), sampler: sampler{below: e.sampled}}
	if g, ok := e.grown.Take(); ok {
		r.front.list, r.front.parts = g.list, g.parts
	}
	r.arriveShare = r.arriveShares()
	if r.waits.most = e.waits; e.waits == 0 {
		r.waits.most = min(n/64, serialArcs)
	}
	r.bySend = cut(n, r.sending, e.Workers)
	r.total = total(r.sending)
	r.forwards = forwardsOf(e)
	return r
}

// grown is what the lists of a frontier have grown to.
type grown struct {
	list  []uint32
	parts [][]uint32
}

// forwardsOf is the work up to which one worker pushes and applies in one.
func forwardsOf(e *Engine) uint64 { return max(serialArcs, forwardArcs/uint64(e.Workers*e.Workers)) }

// giveBack ends the use of the run's arrays.
func (r *edgeRun) giveBack() {
	for _, b := range []bitmap.Bitmap{r.next, r.front.bits, r.front.sorter.marks, r.front.sorter.sums, r.shares.marks} {
		mem.Give(b)
	}
	r.engine.grown.Give(grown{r.front.list[:0], r.front.parts})
}

// Pending counts the awake vertices.
func (r *edgeRun) Pending() uint64 { return r.front.count + r.waiting }

// Init sets all values.
func (r *edgeRun) Init() error {
	r.pool.setSuperstep(-1)
	err := r.ranges(r.bySend, func(lo, hi uint32, w *pregel.Worker) { r.task.Init(lo, hi, w, r.next) })
	r.collect(true)
	if err != nil {
		return err
	}
	return r.release()
}

// Snapshot shows the task's state and the frontier.
func (r *edgeRun) Snapshot() (pregel.State, error) {
	t, ok := r.task.(pregel.Stateful)
	if !ok {
		return pregel.State{}, fmt.Errorf("program %s: a %T: %w", r.task.Name(), r.task, pregel.ErrNoState)
	}
	r.front.asBits()
	s := t.State()
	s.Awake = r.front.bits
	return s, nil
}

// Resume goes on from a state.
func (r *edgeRun) Resume(s pregel.State) error {
	if err := restore(r.task, s); err != nil {
		return err
	}
	if len(s.To) > 0 {
		return fmt.Errorf("program %s: a state with messages, which is of schedule relaxed", r.task.Name())
	}
	copy(r.next, s.Awake)
	err := r.ranges(r.bySend, func(lo, hi uint32, w *pregel.Worker) { r.task.Recount(lo, hi, w, r.next) })
	r.collect(true)
	if err != nil {
		return err
	}
	return r.release()
}

// ranges runs f over ranges of vertices.
func (r *edgeRun) ranges(bounds []uint32, f func(lo, hi uint32, w *pregel.Worker)) error {
	return r.pool.near(len(bounds)-1, func(i int, w *pregel.Worker) { f(bounds[i], bounds[i+1], w) })
}

// Computing names the vertices that workers are at.
func (r *edgeRun) Computing() []uint32 { return r.pool.computing() }

// Run does one superstep, or a few that are short.
func (r *edgeRun) Run(s, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	r.details.Reset()
	program, sampled := r.task.Name(), most > 1 && !r.traits.Forwards
	if r.asked {
		most = 1
	}
	for end := s + min(most, shortAtOnce); ; s++ {
		short, before := r.short(), r.untimed
		r.untimed = r.pool.watch != nil && !r.sampler.begin(r.pool.watch, sampled && r.few(sampledWork))
		r.pool.setSuperstep(s)
		records = append(records, pregel.StepRecord{Program: program, Superstep: s})
		if err := r.superstep(&records[len(records)-1], before && r.untimed); err != nil {
			return records[:len(records)-1], err
		}
		goOn := short && r.short() || r.untimed && r.sampler.left > 0 && r.few(sampledWork)
		if s+1 == end || !goOn || r.pool.cancelled() {
			return records, nil
		}
	}
}

const (
	// A superstep that goes to so few vertices and arcs takes less than a microsecond
	// or two; so many of those are done at once.
	shortWork   = 32
	shortAtOnce = 16
)

// short tells whether the superstep that comes is done before one could look whether to
// go on: it is pushed and applied in one, as the last was pushed and the graph is too
// large for so few to be pulled.
func (r *edgeRun) short() bool { return r.traits.Forwards && r.front.isList && r.few(shortWork) }

// few tells whether so few vertices and arcs are pushed along a list, as the last were, and
// nobody is applied but who got a message. How long that takes is not known: if any wait
// for a priority, all vertices may be looked at.
func (r *edgeRun) few(most uint64) bool {
	f, t := r.front, &r.traits
	return f.count > 0 && f.arcs+f.count <= most && !t.Silent && !t.Ordered && r.last == pregel.Push && uint64(r.n) >= 64*most
}

// superstep does one. again: its record has all but numbers in common with the last.
func (r *edgeRun) superstep(rec *pregel.StepRecord, again bool) error {
	d, why := r.choose()
	rec.Awake, rec.Direction = r.front.count, d
	arrive, err := d == pregel.Push && r.arrives(), error(nil)
	if d == pregel.Push && !arrive {
		if arrive, err = r.waves(); err != nil {
			return err
		}
	}
	bins := d == pregel.Push && r.bins()
	together := arrive && r.together()
	rec.List = arrive || bins || d == pregel.Push && (r.front.isList || r.traits.PullOnly || r.front.small(r.front.count))
	forward := arrive || !bins && rec.List && r.traits.Forwards && r.front.arcs+r.front.count <= r.forwards
	if r.pool.watch != nil {
		rec.Detail = r.detail(why, forward, (again || forward && r.forwarded) && !together)
	}
	r.why, r.forwarded = why, forward && !together
	r.lastCount, r.lastLeft = r.front.count, r.left()
	switch {
	case d == pregel.Pull:
		err = r.pull()
	case arrive:
		if err = r.arrive(together); together && rec.Detail != nil {
			*rec.Detail.Atomics = r.atomics()
		}
	case bins:
		err = r.bin(rec)
	case forward:
		err = r.forward()
	default:
		err = r.push(rec)
	}
	r.last = d
	if err != nil {
		return err
	}
	for i := range r.pool.workers {
		rec.Arcs += r.pool.workers[i].Arcs
		r.pool.workers[i].Arcs = 0
	}
	if d == pregel.Push {
		r.pushed += rec.Arcs
	}
	err = r.release()
	rec.Next = r.front.count
	if w := r.pool.watch; w != nil && len(w.phases) > 0 {
		rec.Detail.Phases = r.sampler.end(w)
	}
	return err
}

// detail begins that of a superstep. No clock is looked at for the phase of one that
// pushes and applies in one: it may be over before a second look.
func (r *edgeRun) detail(why pregel.Choice, forward, alike bool) *pregel.Detail {
	if alike && why.Rule == r.why.Rule {
		return r.details.Again(why, r.front.arcs)
	}
	d := r.details.New(why, r.front.arcs)
	if forward {
		d.Whole = "push and apply"
	}
	return d
}

// pull runs a superstep in which every vertex reads.
func (r *edgeRun) pull() error {
	r.preparePull()
	r.front.asBits()
	view := r.front.view()
	if r.task.Prepare(pregel.Pull) {
		r.pool.Phase("emit")
		err := r.ranges(r.bySend, func(lo, hi uint32, w *pregel.Worker) { r.task.Emit(lo, hi, w, view) })
		if err != nil {
			return err
		}
	}
	if len(r.parts) > 0 {
		r.pool.Phase("gather hubs")
	}
	err := r.pool.For(len(r.parts), func(i int, w *pregel.Worker) {
		r.task.PullPart(r.parts[i].hub, r.parts[i].part, w, view)
	})
	if err != nil {
		return err
	}
	r.pool.Phase("pull")
	err = r.ranges(r.byPull, func(lo, hi uint32, w *pregel.Worker) { r.task.Pull(lo, hi, w, view, r.next) })
	r.collect(true)
	return err
}

func (r *edgeRun) preparePull() {
	if r.byPull != nil {
		return
	}
	receiving := r.task.Receiving()
	r.byPull = cut(r.n, receiving, r.engine.Workers)
	if r.traits.First {
		return
	}
	var list []uint32
	list, r.parts = hubs(r.byPull, receiving)
	r.task.Hubs(list, hubPart)
}

// collect makes the next frontier of what the workers have left: bits in
// r.next, or their lists.
func (r *edgeRun) collect(bits bool) {
	f := r.front
	r.empty(bits)
	f.list = f.list[:0]
	for i := range r.pool.workers {
		w := &r.pool.workers[i]
		f.list = append(f.list, w.Next...)
		w.Next = w.Next[:0]
		r.take(w)
	}
	if bits {
		f.bits, r.next = r.next, f.bits
	}
}

// collectParts is collect by lists that stay where they are: to copy what another processor
// has written, for that one to read it there, takes longer than a short superstep.
func (r *edgeRun) collectParts() {
	f := r.front
	r.empty(false)
	f.inParts = true
	for i := range r.pool.workers {
		w := &r.pool.workers[i]
		if i == len(f.parts) {
			f.parts = append(f.parts, nil)
		}
		f.parts[i], w.Next = w.Next, f.parts[i][:0]
		r.take(w)
	}
}

// empty empties the frontier, for one in bits or in lists.
func (r *edgeRun) empty(bits bool) {
	f := r.front
	f.isBits, f.isList, f.ascends, f.inParts = bits, !bits, false, false
	r.waits.listed = r.waits.listed && !bits // nobody lists who a range leaves waiting
	f.count, f.arcs = 0, 0
}

// take adds what a worker has left, but for its list.
func (r *edgeRun) take(w *pregel.Worker) {
	f := r.front
	f.count += w.Awake
	f.arcs += w.AwakeArcs
	r.done += w.DoneArcs
	r.waiting += w.Waiting // modulo 2^64: workers count down too
	r.waits.add(w.Waits)
	w.Awake, w.AwakeArcs, w.DoneArcs, w.Waiting, w.Waits = 0, 0, 0, 0, w.Waits[:0]
}
