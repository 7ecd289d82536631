package cpu

import (
	"fmt"

	"gopregel/pregel"
	"gopregel/runtime/superstep"
)

// vertexRun runs a vertex program, which does its own superstep.
type vertexRun struct {
	task    pregel.VertexTask
	pool    *pool
	chooses pregel.Choosing  // the task; nil: it says no reason
	plain   pregel.Accounted // likewise; nil: it is a program
	asked   bool             // something is asked after each superstep
	details pregel.Details
	sampler sampler
	untimed bool   // phases of the last superstep were not timed
	alike   bool   // nor has it atomics
	rule    string // of it
}

func newVertexRun(e *Engine, t pregel.VertexTask, l pregel.Limits) *vertexRun {
	r := &vertexRun{task: t, pool: e.pool, asked: superstep.Folds(t) || !l.Deadline.IsZero(), sampler: sampler{below: e.sampled}}
	r.chooses, _ = t.(pregel.Choosing)
	r.plain, _ = t.(pregel.Accounted)
	return r
}

// Init sets all values.
func (r *vertexRun) Init() error {
	r.pool.setSuperstep(-1)
	return r.task.Init(r.pool)
}

// Pending counts vertices awake or with messages.
func (r *vertexRun) Pending() uint64 { return r.task.Pending() }

// Snapshot shows the task's state.
func (r *vertexRun) Snapshot() (pregel.State, error) {
	if t, ok := r.task.(pregel.Stateful); ok {
		return t.State(), nil
	}
	return pregel.State{}, fmt.Errorf("program %s: %w", r.task.Name(), pregel.ErrNoState)
}

// Resume goes on from a state.
func (r *vertexRun) Resume(s pregel.State) error { return restore(r.task, s) }

// restore has a task take a state.
func restore(t pregel.Task, s pregel.State) error {
	if t, ok := t.(pregel.Restorable); ok {
		return t.Restore(s)
	}
	return fmt.Errorf("program %s: %w", t.Name(), pregel.ErrNoState)
}

// Computing names the vertices that workers are at.
func (r *vertexRun) Computing() []uint32 { return r.pool.computing() }

// Run does one superstep, or some in a row of which no phases are timed.
func (r *vertexRun) Run(s, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	r.details.Reset()
	sampled := most > 1
	if r.asked {
		most = 1
	}
	for end := s + min(most, shortAtOnce); ; s++ {
		r.untimed = r.pool.watch != nil && !r.sampler.begin(r.pool.watch, sampled && r.few())
		r.pool.setSuperstep(s)
		r.pool.Phase("compute")
		counts, err := r.task.Superstep(s, r.pool)
		if err != nil {
			return records, err
		}
		records = append(records, r.record(s, counts))
		goOn := r.untimed && r.sampler.left > 0 && r.few() && counts.Computed+counts.Sent <= sampledWork
		if s+1 == end || !goOn || r.pool.cancelled() {
			return records, nil
		}
	}
}

// few tells whether few vertices compute in a large graph. What they send is not known.
func (r *vertexRun) few() bool {
	n := r.task.Pending()
	return n > 0 && n <= sampledWork && r.task.Graph().N() >= 64*sampledWork
}

// record is that of a superstep.
func (r *vertexRun) record(s int, counts pregel.VertexCounts) pregel.StepRecord {
	rec := pregel.StepRecord{Program: r.task.Name(), Superstep: s,
		Awake: counts.Computed, Arcs: counts.Sent, Direction: pregel.Push, Next: r.task.Pending()}
	if r.plain != nil {
		rec.Direction = pregel.Auto // nothing is sent
	}
	if r.pool.watch != nil {
		rec.Detail = r.detail(counts)
	}
	return rec
}

func (r *vertexRun) detail(counts pregel.VertexCounts) (d *pregel.Detail) {
	var why pregel.Choice
	if r.chooses != nil {
		why = r.chooses.Chosen()
	}
	again := r.alike
	r.alike = r.untimed && r.plain == nil && counts.Atomics == 0
	again = again && r.alike && r.rule == why.Rule
	if r.rule = why.Rule; again {
		return r.details.Again(why, counts.Sent)
	}
	d = r.details.New(why, counts.Sent)
	*d.Atomics = counts.Atomics
	if r.plain != nil {
		if d.Sent = nil; r.plain.Account() == nil {
			d.Atomics = nil
		}
	}
	if !r.untimed {
		d.Phases = r.sampler.end(r.pool.watch)
	}
	return d
}
