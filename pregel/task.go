package pregel

import (
	"context"
	"time"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// A Task is a program bound to a graph, as an engine sees it: without type
// parameters. It is an EdgeTask or a VertexTask.
type Task interface {
	Name() string
	Graph() *graph.Graph
	// Begin prepares for a run on the given number of workers: it runs the
	// program's Setup and makes the arrays of values.
	Begin(workers int) error
	// Barrier folds the aggregators and asks the program; superstep is the one
	// that has ended, -1 after Init.
	Barrier(superstep int) Verdict
}

// A Verdict is what a program says at a barrier.
type Verdict struct {
	Metric    Metric
	Converged bool
	Halt      bool
	Err       error
}

// BlockSize is the number of vertices whose aggregated numbers are folded as
// one. Ranges given to tasks begin at multiples of it.
const BlockSize = 64

// A Worker is the private memory of one goroutine of an engine: lists it fills
// and counters it raises. The engine empties both.
type Worker struct {
	Slot      int
	Superstep int32
	At        uint32     // the vertex being computed, for error messages
	Alone     bool       // no other worker is at work: no atomics are needed
	Touched   []uint32   // vertices that Push has sent their first message of the superstep; those that Relax has claimed
	Next      []uint32   // vertices that Apply has left awake
	Later     []Deferred // vertices that Relax has left waiting
	Behind    []Deferred // vertices that Relax has left for those with better messages
	Waits     []uint32   // vertices that Apply has left waiting, and did not before

	Awake     uint64 // vertices left awake
	AwakeArcs uint64 // the arcs along which those will send
	Waiting   uint64 // vertices left awake that have to wait, and did not before
	DoneArcs  uint64 // arcs at vertices that have settled
	Arcs      uint64 // arcs read or written
	Atomics   uint64 // atomic operations of a phase
	Got       uint64 // vertices that a flood, or shares of functions, have reached
	_         [64]byte
}

// A Frontier is the set of vertices that are awake.
type Frontier struct {
	All  bool          // every vertex; Bits are then not used
	Bits bitmap.Bitmap // the set, when it is needed as bits
	List []uint32      // the set, when it is small
}

// Has tells whether u is awake.
func (f Frontier) Has(u uint32) bool { return f.All || f.Bits.Has(u) }

// Traits are what an engine must know of an edge program to schedule it.
type Traits struct {
	Silent   bool // Apply runs for awake vertices without messages
	First    bool // pulling stops at the first awake neighbour
	PullOnly bool // messages cannot be combined atomically
	Exact    bool // pushed messages combine to the same bits in any order
	Ordered  bool // vertices must be applied in ranges, for float aggregators
	Settles  bool // vertices get done
	Waits    bool // awake vertices may have to wait for their priority
	Forwards bool // Forward may be called
	Arrives  bool // Arrive, ArrivePart and Bins may be called
	Floods   bool // Flood may be called
	Levels   bool // pulling stops at the first awake neighbour while OneOffer
	Waves    bool // Level may be called
	// Alone: though PullOnly, Push may be called for all awake vertices in ascending
	// order, by one worker alone. Messages are combined in the order of their
	// sources, as by Pull where it neither gathers a hub in parts nor calls functions of many.
	// So they are by Shares, GatherShare and ApplyShare, which then may be called in place of Push and Apply
	// unless the program is Silent or Ordered.
	Alone bool
}

// A Sender is a task whose vertices send along arcs.
type Sender interface {
	Task
	// Sending returns those along which messages are pushed: one or two CSRs.
	Sending() []graph.CSR
	// Settled is the set of vertices that take no more messages, nil where it is
	// not known here, or none does.
	Settled() bitmap.Bitmap
}

// An EdgeTask is an edge program bound to a graph. Calls of one method for
// disjoint ranges or lists may run at the same time, each with its own worker;
// calls of different methods may not.
//
// A superstep that pulls is Emit over all ranges, PullPart over the parts of
// hubs, Pull over all ranges. One that pushes is Push, PushRange or PushPart
// over the frontier, then Apply over the lists of touched vertices or
// ApplyRange over all ranges.
type EdgeTask interface {
	Sender
	Traits() Traits
	// Receiving returns the arcs along which messages are pulled: one or two CSRs.
	// It makes the in-arcs of a directed graph if need be, and is called before Pull is.
	Receiving() []graph.CSR
	// CanReceive tells whether Receiving would return at once.
	CanReceive() bool
	// Touched is the set of vertices with a pushed message.
	Touched() bitmap.Bitmap

	// Prepare makes the arrays that a superstep in direction d needs, and tells
	// whether Emit must run before Pull.
	Prepare(d Direction) (emits bool)
	// LeastWaiting returns the least priority of the waiting vertices from lo to
	// hi. SetPriority makes it the current one, Release wakes the waiting vertices
	// up to it. They are not called unless Traits.Waits.
	LeastWaiting(lo, hi uint32) uint64
	SetPriority(priority uint64)
	Release(lo, hi uint32, priority uint64, w *Worker, next bitmap.Bitmap)
	// Waiting is the set of vertices that wait. ReleaseList does what these do for a
	// list that has all of them, and returns those that are left.
	Waiting() bitmap.Bitmap
	ReleaseList(vs []uint32, w *Worker) []uint32
	Init(lo, hi uint32, w *Worker, next bitmap.Bitmap)
	// Recount is called in place of Init after Restore.
	Recount(lo, hi uint32, w *Worker, awake bitmap.Bitmap)
	Emit(lo, hi uint32, w *Worker, f Frontier)
	Pull(lo, hi uint32, w *Worker, f Frontier, next bitmap.Bitmap)
	// OneOffer tells whether all awake vertices have offered the same in every
	// superstep that was pulled, of a program with Traits.Levels.
	OneOffer() bool
	// Hubs names the vertices whose messages are gathered in parts, each of at
	// most part arcs.
	Hubs(hubs []uint32, part uint64)
	PullPart(hub, part int, w *Worker, f Frontier)
	Push(us []uint32, w *Worker)
	PushRange(lo, hi uint32, w *Worker, f Frontier)
	// OfferParts makes the offers of us, by one worker alone; then PushPart sends that of
	// u, number k of those, along arcs lo to hi in Sending()[csr].
	OfferParts(us []uint32, w *Worker)
	PushPart(k int, u uint32, csr int, lo, hi uint64, w *Worker)
	Apply(vs []uint32, w *Worker)
	// Forward is Push and Apply in one, by one worker alone, for all awake vertices
	// in ascending order.
	Forward(us []uint32, w *Worker)
	// Arrive is Forward, for vertices in any order and beside other workers, of a task
	// with Traits.Arrives; ArrivePart is that for arcs lo to hi of u in Sending()[0].
	Arrive(us []uint32, w *Worker)
	ArrivePart(u uint32, lo, hi uint64, w *Worker)
	// Level makes the offers of all awake vertices, by one worker alone, of a task with
	// Traits.Waves, and tells whether they are one, or any message will do: then some may be left to be
	// made as they are sent. Then Arrive and ArrivePart (of no row of less than WholeRow arcs) may be
	// called in this superstep, and after those Open, alone, for all whom they have left
	// in Worker.Touched; else Push sends what Level has made.
	Level(us []uint32, w *Worker) bool
	Open(vs []uint32)
	// Bins begins a superstep that does the same by a frontier in a list, for so many
	// workers, and tells how many bins there are.
	Bins(list []uint32, workers int) (Bins, int)
	// Shares cuts the vertices into shares at bounds, multiples of 64 but the last, for
	// GatherShare over parts of the frontier and then, when all are gathered,
	// ApplyShare to do what Forward does for: by several workers. The first part has
	// the least vertices awake, and so on. Of a task with Traits.Alone they are called after
	// Prepare, and count in Worker.Got who has got a message.
	Shares(bounds []uint32)
	GatherShare(k int, us []uint32, w *Worker)
	ApplyShare(k int, w *Worker)
	ApplyRange(lo, hi uint32, w *Worker, f Frontier, next bitmap.Bitmap)
	// Flood says whether pushes, until it is called again, leave no lists of whom they
	// touch: their messages are then applied by ApplyRange alone, which counts them.
	Flood(yes bool)
}

// WholeRow is below how many arcs a row of an edge task is never sent along in parts, so that who sends may
// make its offer then.
const WholeRow = 1 << 10

// A VertexTask is a vertex program bound to a graph.
type VertexTask interface {
	Task
	// Init sets all values.
	Init(p Pool) error
	// Superstep computes every vertex that is awake or has messages, and
	// delivers what they send.
	Superstep(superstep int, p Pool) (VertexCounts, error)
	// Pending returns how many vertices are awake or have messages waiting.
	Pending() uint64
}

// VertexCounts are the numbers of a vertex program's superstep.
type VertexCounts struct {
	Computed uint64 // vertices
	Sent     uint64 // messages; of a task that sends none, the arcs it has read
	Atomics  uint64 // operations, of a task with an account
}

// A Pool runs the parts of a superstep.
type Pool interface {
	// Workers returns the number of workers.
	Workers() int
	// For calls f for i = 0 … n-1, as workers come free, and waits. Slot 0 is who calls,
	// and does item 0. A panic in f comes back as a *VertexError with Worker.At as its
	// vertex. A call within a call is an error.
	For(n int, f func(i int, w *Worker)) error
}

// An Engine runs tasks.
type Engine interface {
	Name() string
	// Run runs a task to its end. The error is that of the stop record.
	Run(ctx context.Context, t Task, l Limits) Stop
	// Pool returns the workers, for phases that are not programs.
	Pool() Pool
}

// Limits bound and observe one run.
type Limits struct {
	MaxSupersteps int               // 0: no bound; negative: none after Init
	Observe       func(*StepRecord) // nil: nobody; called between supersteps; the record is good until it returns
	Unmeasured    bool              // likewise, of supersteps but the last, who observes does without the metric
	// Briefs is called in place of Observe for short supersteps that have all but a few
	// numbers in common with the one before. nil: Observe is called for each.
	Briefs func(*Briefs)
	// Backlog is called in place of Observe for supersteps of a device between which
	// nothing was asked: it may make their records later. nil: Observe is called for each.
	Backlog func(*Backlog)
	Batch   int // supersteps that may be done before the next look at the context and the next call of Observe; at least 1
	// More: another run of the job, or a loop of the engine's workers, follows at once, and these
	// need not be woken for it.
	More bool
	// Barrier is called where the engine comes to a barrier: after Init, and after
	// each superstep or batch of them, when those have been observed. state gives the
	// state there, or an error where the engine or the task has none to give. An error
	// of Barrier ends the run as a failure of the program. nil: nobody.
	Barrier func(state func() (State, error)) error
	// Begun is called when the task is ready for Init. nil: nobody.
	Begun func(Task)
	// Detail asks for the Detail of records, as far as the engine has it.
	Detail bool
	// Bounds are those of the job, Deadline when its Time is over; zero: never.
	Bounds   Bounds
	Deadline time.Time
	// Resume is called before Init with the state of the task as it has begun, which
	// shows its types. If it fills that in and returns true, the run goes on from there.
	// Only tasks that are Restorable are asked. nil: nobody.
	Resume func(blank *State) (bool, error)
	// Keep is called where Barrier is, if the run goes on, and with last once more if it
	// ends there though it could go on: at a limit, or because the context has ended.
	// supersteps are those completed. An error ends the run. nil: nobody.
	Keep func(supersteps int, last bool, state func() (State, error)) error
}
