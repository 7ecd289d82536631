package pregel

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"gopregel/pregel/graph"
)

// Phase runs a superstep written as a plain loop, for the parts of an algorithm
// that are no vertex or edge program: f is called for ranges of vertices that
// together are the whole graph, at the same time for different ranges. Like a
// superstep it counts against the job's limit and is observed under its name.
// Ranges begin at multiples of BlockSize. The arcs that f reads it adds to
// w.Arcs, once for many of them: their sum is that of the record.
func (j *Job) Phase(ctx context.Context, name string, f func(lo, hi uint32, w *Worker)) (Stop, error) {
	return j.Ranges(ctx, Ranges{Name: name, Do: f})
}

// Ranges is a phase over ranges of vertices.
type Ranges struct {
	Name    string
	Do      func(lo, hi uint32, w *Worker)
	Account *Account // nil: none
	More    bool     // see Limits.More
}

// Ranges runs a phase over ranges, as Phase does.
func (j *Job) Ranges(ctx context.Context, r Ranges) (Stop, error) {
	t := &phaseTask{once{name: r.Name, g: j.Graph, account: r.Account}, j, r.Do}
	stop := j.run(ctx, t, options{more: r.More})
	return stop, stop.Err
}

// ranges cuts the job's graph, once for all its phases.
func (j *Job) ranges() []uint32 {
	if j.cut.g != j.Graph {
		j.cut.g, j.cut.bounds = j.Graph, j.Graph.Out().Cut(rangeArcs, BlockSize)
	}
	return j.cut.bounds
}

// once is what is common to tasks of one superstep.
type once struct {
	name    string
	g       *graph.Graph
	account *Account
	done    bool
}

func (t *once) Name() string        { return t.name }
func (t *once) Graph() *graph.Graph { return t.g }
func (t *once) Begin(int) error     { return nil }
func (t *once) Folds() bool         { return false }
func (t *once) Barrier(int) Verdict { return Verdict{} }
func (t *once) Init(Pool) error     { return nil }
func (t *once) Account() *Account   { return t.account }
func (t *once) Aggregates() []any   { return nil }

// Retold: see Retold.
func (t *once) Retold() {}

// Chosen is the account's Why.
func (t *once) Chosen() Choice {
	if t.account == nil {
		return Choice{}
	}
	return t.account.Why
}

// Widths are those of the account.
func (t *once) Widths() Widths {
	if t.account == nil {
		return Widths{}
	}
	w := t.account.Widths
	if t.account.Beside != nil {
		w.Beside += t.account.Beside()
	}
	return w
}

func (t *once) Pending() uint64 {
	if t.done {
		return 0
	}
	return uint64(max(t.g.N(), 1))
}

// phaseTask is a plain phase.
type phaseTask struct {
	once
	job *Job
	f   func(lo, hi uint32, w *Worker)
}

func (t *phaseTask) Superstep(_ int, p Pool) (VertexCounts, error) {
	t.done = true
	bounds := t.job.ranges()
	var arcs, atomics atomic.Uint64
	err := p.For(len(bounds)-1, func(i int, w *Worker) {
		t.f(bounds[i], bounds[i+1], w)
		if w.Arcs > 0 {
			arcs.Add(w.Arcs)
		}
		if w.Atomics > 0 {
			atomics.Add(w.Atomics)
		}
		w.Arcs, w.Atomics = 0, 0
	})
	return VertexCounts{Computed: uint64(t.g.N()), Sent: arcs.Load(), Atomics: atomics.Load()}, err
}

// Pieces is a phase in pieces, given to workers in ascending order as they come free.
// Between any two of them it can be left, kept and gone on with.
type Pieces struct {
	Name string
	N    int
	Do   func(i int, w *Worker)
	// Alone: one worker does them, one after the other.
	Alone bool
	// Progress is how far the phase is: a part of the Commit before it, or nil.
	Progress *PhaseProgress
	Account  *Account // nil: none
	More     bool     // see Limits.More
}

// PhaseProgress is how far a phase of pieces is.
type PhaseProgress struct {
	Done    int    // pieces, the first of all
	Arcs    uint64 // that those have read
	Atomics uint64 // operations that those have done
}

// Pieces runs a phase of pieces to its end, as a superstep. If the context ends, or the
// time of Bounds is over, what is under way is completed, and the superstep is not
// counted. What the pieces change must be in the parts of the Commit before, when that
// is asked for them (CommitBy), if there is a Progress; without one the phase is done
// as a whole where checkpoints are kept.
func (j *Job) Pieces(ctx context.Context, p Pieces) (Stop, error) {
	t := &piecesTask{once: once{name: p.Name, g: j.Graph, account: p.Account}, ctx: ctx, job: j, pieces: p}
	if p.Progress == nil {
		t.pieces.Progress = new(PhaseProgress)
		if j.Checkpoints != nil {
			t.ctx, t.whole = context.WithoutCancel(ctx), true
		}
	}
	t.leaves = j.Checkpoints != nil && p.Progress != nil
	stop := j.run(ctx, t, options{more: p.More})
	if errors.Is(stop.Err, errLeft) {
		stop = Stop{Reason: t.ended()}
	}
	return stop, stop.Err
}

var errLeft = errors.New("left between two pieces")

// piecesTask is a phase of pieces.
type piecesTask struct {
	once
	ctx    context.Context // that it heeds
	job    *Job
	pieces Pieces
	leaves bool // states between pieces are kept
	whole  bool // it may not be left
}

// ended says why the phase is to be left: Halted where it is not.
func (t *piecesTask) ended() Reason {
	switch over := t.job.deadline; {
	case t.ctx.Err() != nil:
		return Cancelled
	case !t.whole && !over.IsZero() && time.Now().After(over):
		return TimeLimit
	}
	return Halted
}

// due tells whether a state is to be kept when so many pieces are done.
func (t *piecesTask) due(pieces int) bool {
	j := t.job
	return t.leaves && j.Checkpoints.Due(Mark{Run: j.held.run, Before: j.held.before, Pieces: pieces, Commit: true})
}

func (t *piecesTask) Superstep(_ int, p Pool) (VertexCounts, error) {
	t.done = true
	progress := t.pieces.Progress
	for progress.Done < t.pieces.N {
		if err := t.some(p); err != nil {
			return VertexCounts{}, err
		}
		if err := t.pause(); err != nil {
			return VertexCounts{}, err
		}
	}
	counts := VertexCounts{Computed: uint64(t.g.N()), Sent: progress.Arcs, Atomics: progress.Atomics}
	*progress = PhaseProgress{}
	return counts, nil
}

// some does pieces until all are done, or there is a reason to pause. Those that were
// done are then the first ones.
func (t *piecesTask) some(p Pool) error {
	var next atomic.Int64
	var arcs, atomics atomic.Uint64
	var enough atomic.Bool
	next.Store(int64(t.pieces.Progress.Done))
	workers := min(p.Workers(), t.pieces.N-t.pieces.Progress.Done)
	if t.pieces.Alone {
		workers = 1
	}
	err := p.For(workers, func(_ int, w *Worker) {
		for !enough.Load() {
			i := next.Add(1) - 1
			if i >= int64(t.pieces.N) {
				break
			}
			t.pieces.Do(int(i), w)
			if t.ended() != Halted || w.Slot == 0 && t.due(int(i)+1) {
				enough.Store(true)
			}
		}
		arcs.Add(w.Arcs)
		atomics.Add(w.Atomics)
		w.Arcs, w.Atomics = 0, 0
	})
	t.pieces.Progress.Done = min(int(next.Load()), t.pieces.N)
	t.pieces.Progress.Arcs += arcs.Load()
	t.pieces.Progress.Atomics += atomics.Load()
	return err
}

// pause keeps a state if one is due, and ends the phase with the context.
func (t *piecesTask) pause() error {
	if t.pieces.Progress.Done >= t.pieces.N {
		return nil
	}
	ended := t.ended() != Halted
	if t.leaves {
		t.job.left = t.job.left || ended
		if err := t.job.keepParts(Mark{Pieces: t.pieces.Progress.Done, Last: ended}); err != nil {
			return err
		}
	}
	if ended {
		return errLeft
	}
	return nil
}
