package trace

import "gopregel/pregel"

// This file has a recorder told of the supersteps of a job's run.

// Watch makes the recorder see the run of a job, beside those who see it already.
func (r *Recorder) Watch(j *pregel.Job) {
	detail, barrier, begun := j.Detail, j.Barrier, j.Begun
	r.job = j
	j.Begun = func(t pregel.Task) {
		r.begun(t)
		if begun != nil {
			begun(t)
		}
	}
	if j.Detail = r.observe; detail != nil {
		j.Detail = func(s *pregel.StepRecord) { r.observe(s); detail(s) }
	}
	if r.options.Values == None {
		r.watchMany(j, detail != nil)
		return
	}
	j.Batch, j.Briefs, j.Backlog = 1, nil, nil
	j.Barrier = func(state func() (pregel.State, error)) error {
		r.barrier(state)
		if barrier != nil {
			return barrier(state)
		}
		return nil
	}
}

// watchMany has the recorder told of several supersteps at once, if those are who see
// the run already, or there are none.
func (r *Recorder) watchMany(j *pregel.Job, others bool) {
	switch briefs := j.Briefs; {
	case !others:
		j.Briefs = r.briefs
	case briefs != nil:
		j.Briefs = func(b *pregel.Briefs) { r.briefs(b); briefs(b) }
	}
	switch backlog := j.Backlog; {
	case !others:
		j.Backlog = r.backlog
	case backlog != nil:
		j.Backlog = func(b *pregel.Backlog) { r.backlog(b); backlog(b) }
	}
}

// briefs takes over short supersteps.
func (r *Recorder) briefs(b *pregel.Briefs) {
	r.queue.nextOf(r.steps, b).addBriefs(b)
	r.steps += b.Count
}

// backlog takes over supersteps whose records are made by who writes them.
func (r *Recorder) backlog(b *pregel.Backlog) {
	if r.retold != nil {
		b.Each(true, r.observe)
		return
	}
	r.resumed(b.Superstep)
	r.queue.postpone(r.steps, b)
	r.steps += b.Count
}

// resumed notes that a run does not begin with superstep 0.
func (r *Recorder) resumed(superstep int) {
	if r.steps == 0 && superstep > 0 {
		r.note("the run was gone on with: superstep 0 of the trace is its superstep %d", superstep)
	}
}

func (r *Recorder) begun(t pregel.Task) {
	r.declared(t)
	_, r.edges = t.(pregel.Sender)
	r.task, r.first, r.before, r.next, r.crowd = t, true, snapshot{}, nil, nil
	var w pregel.Widths
	if t, ok := t.(pregel.Measured); ok {
		w = pregel.WidthsOf(r.job.Engine, t)
	}
	r.retold, _ = t.(pregel.Retold)
	r.one.vertices = r.graph.N()
	r.measured(w)
	if x, ok := t.(pregel.Traced); ok && r.left >= 0 {
		x.Trace()
	}
}

// declared writes the record of a program without values, if it names aggregates.
func (r *Recorder) declared(t pregel.Task) {
	task, ok := t.(pregel.Traced)
	if r.queue == nil || !ok {
		return
	}
	d := task.Declared()
	if len(d.Aggregates) == 0 {
		return
	}
	if r.steps > 0 { // that of a program before
		r.queue.close()
		r.queue = newQueue(r.writeSteps, r.graph.N())
	}
	r.write(programOf(t.Name(), r.steps, d))
}

// measured takes the widths of what runs.
func (r *Recorder) measured(w pregel.Widths) {
	if r.queue != nil {
		r.queue.program(r.edges, w)
	}
	r.one.program(r.edges, w)
}
