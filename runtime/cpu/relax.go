package cpu

import (
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/parallel"
	"gopregel/runtime/superstep"
)

// This file runs edge programs in place, in rounds.
//
// A round takes the lists that the workers have left, cuts them into pieces, and
// the workers visit these as they come free. What is woken goes to the end of a
// list. A round of few vertices is one worker's, who goes ahead with what it has
// woken itself, without a barrier, while that is little; in an order a run finds out whether
// several do it in less time (parallel.Pace).
//
// The order is first in, first out: in it label-correcting sends along no more
// than arcs times the longest path (Bellman, Moore), out of it along exponentially
// many. Workers that go ahead beside others break it: on a grid of 700² without
// priorities they sent along 2.4 times the arcs of double buffers for shortest
// paths, though 0.75 times for widest paths, which are not worse for being long.
//
// With priorities, vertices above the current one wait in buckets (buckets.go), and where
// messages have ranks, those with a message of a higher rank. When nothing else is left,
// the least bucket is the next round. In such an order workers go ahead beside others, too.

// relaxRun is an edge program under way in place.
type relaxRun struct {
	engine *Engine
	pool   *pool
	task   pregel.RelaxTask
	n      int
	bounds []uint32

	asleep  bool       // the round's vertices wait, and are not claimed
	lists   [][]uint32 // of the round, by worker, to be filled again
	spare   [][]uint32 // by worker, empty
	pieces  [][]uint32
	pending uint64 // vertices in them
	waiting uint64 // vertices awake whose priority is not due
	later   []buckets
	behind  []buckets // likewise by the rank of their message
	done    bool      // the round has made the next one
	left    int       // rounds that the superstep may have yet
	pace    parallel.Pace

	// What a round is for several workers and for one, made once: there are thousands.
	shared, single func(i int, w *pregel.Worker)
	_              [64]byte
	taken          atomic.Int64 // pieces
	_              [64]byte
}

func newRelaxRun(e *Engine, t pregel.RelaxTask) *relaxRun {
	r := &relaxRun{engine: e, pool: e.pool, task: t, n: t.Graph().N(),
		lists: make([][]uint32, e.Workers), spare: make([][]uint32, e.Workers)}
	r.shared, r.single = func(_ int, w *pregel.Worker) { r.share(w) }, func(_ int, w *pregel.Worker) { r.alone(w) }
	r.bounds = cut(r.n, t.Sending(), e.Workers)
	if t.Traits().Waits {
		r.later = make([]buckets, e.Workers)
	}
	return r
}

// Pending counts vertices with a message, and those that wait.
func (r *relaxRun) Pending() uint64 { return r.pending + r.waiting }

// Init sets all values and claims the vertices awake.
func (r *relaxRun) Init() error {
	r.pool.setSuperstep(-1)
	next := bitmap.New(r.n)
	err := r.ranges(func(lo, hi uint32, w *pregel.Worker) { r.task.Init(lo, hi, w, next) })
	if err != nil {
		return err
	}
	for i := range r.pool.workers {
		w := &r.pool.workers[i]
		w.Awake, w.AwakeArcs, w.DoneArcs, w.Waiting = 0, 0, 0, 0
	}
	r.prepare()
	err = r.start(next)
	r.next()
	return err
}

// Snapshot shows the state between two rounds.
func (r *relaxRun) Snapshot() (pregel.State, error) {
	r.each(r.task.Hold)
	s := r.task.RelaxState()
	if s.Awake == nil {
		s.Awake = bitmap.New(r.n)
	}
	return s, nil
}

// each calls f for lists that have all vertices of this round and of those that wait.
func (r *relaxRun) each(f func(vs []uint32)) {
	for _, list := range r.lists {
		f(list)
	}
	for i := range r.behind {
		r.behind[i].each(f)
	}
}

// Resume goes on from a state: all who are awake or have messages are visited in the
// first round.
func (r *relaxRun) Resume(s pregel.State) error {
	if err := restore(r.task, s); err != nil {
		return err
	}
	r.prepare()
	if err := r.task.Refill(s); err != nil {
		return err
	}
	err := r.start(s.Awake)
	if err == nil {
		err = r.pool.For(1, func(_ int, w *pregel.Worker) {
			r.task.Claim(s.To, w)
			r.wait(w)
		})
	}
	r.next()
	return err
}

// start has workers list the vertices awake.
func (r *relaxRun) start(awake bitmap.Bitmap) error {
	return r.ranges(func(lo, hi uint32, w *pregel.Worker) {
		r.task.Start(lo, hi, w, awake)
		r.wait(w)
	})
}

// prepare makes the arrays.
func (r *relaxRun) prepare() {
	r.task.PrepareRelax()
	if r.task.Ranks() {
		r.behind = make([]buckets, r.engine.Workers)
	}
}

// ordered tells whether vertices wait for others.
func (r *relaxRun) ordered() bool { return r.later != nil || r.behind != nil }

func (r *relaxRun) ranges(f func(lo, hi uint32, w *pregel.Worker)) error {
	return r.pool.For(len(r.bounds)-1, func(i int, w *pregel.Worker) { f(r.bounds[i], r.bounds[i+1], w) })
}

// Computing names the vertices that workers are at.
func (r *relaxRun) Computing() []uint32 { return r.pool.computing() }

// Run does one round.
func (r *relaxRun) Run(s, _ int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	r.pool.setSuperstep(s)
	rec := pregel.StepRecord{Program: r.task.Name(), Superstep: s, Direction: pregel.Push, List: true, Relaxed: true}
	r.pool.Phase("relax")
	if err := r.rounds(); err != nil {
		return records, err
	}
	if w := r.pool.watch; w != nil {
		rec.Detail = &pregel.Detail{Why: pregel.Choice{Rule: superstep.InPlace}, Phases: w.take()}
	}
	for i := range r.pool.workers {
		w := &r.pool.workers[i]
		rec.Awake += w.Awake
		rec.Arcs += w.Arcs
		w.Awake, w.Arcs = 0, 0
	}
	if !r.done {
		r.next()
	}
	rec.Next = r.Pending()
	return append(records, rec), nil
}

// wait puts those that are left waiting into buckets.
func (r *relaxRun) wait(w *pregel.Worker) {
	if len(w.Later) > 0 {
		r.later[w.Slot].add(w.Later)
		w.Later = w.Later[:0]
	}
	if len(w.Behind) > 0 {
		r.behind[w.Slot].add(w.Behind)
		w.Behind = w.Behind[:0]
	}
}

// next makes the round of what the workers have left, or else of the least bucket.
func (r *relaxRun) next() {
	r.asleep, r.pending, r.pieces = false, 0, r.pieces[:0]
	for i := range r.pool.workers {
		w := &r.pool.workers[i]
		r.waiting += w.Waiting // modulo 2^64: workers count down too
		w.Waiting = 0
		r.lists[i], w.Touched = w.Touched, r.lists[i][:0]
		r.pending += uint64(len(r.lists[i]))
	}
	if r.pending == 0 && r.waiting > 0 && r.ordered() {
		r.release()
	}
	for _, list := range r.lists {
		r.cut(list)
	}
}

// release makes the least bucket that is not empty the next round: of the ranks of
// the current priority, or else of priorities, whose least is then the current one.
func (r *relaxRun) release() {
	r.asleep = true
	if rank, ok := least(r.behind); ok {
		r.task.SetNear(rank)
		r.take(r.behind, rank)
	} else if priority, ok := least(r.later); ok {
		r.task.SetPriority(priority)
		r.take(r.later, priority)
	}
}

// take makes a bucket of all workers the round's.
func (r *relaxRun) take(from []buckets, number uint64) {
	for i := range from {
		r.lists[i] = from[i].take(number, r.lists[i])
		r.pending += uint64(len(r.lists[i]))
	}
}

func (r *relaxRun) cut(list []uint32) {
	size := max(int(r.pending)/(16*r.engine.Workers), relaxPiece)
	for len(list) > 0 {
		k := min(len(list), size)
		r.pieces = append(r.pieces, list[:k])
		list = list[k:]
	}
}
