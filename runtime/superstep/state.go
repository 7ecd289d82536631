package superstep

import (
	"fmt"

	"gopregel/pregel"
)

// This file has the states that a run goes on from, shows at its barriers, and keeps.

func (d *driver) resume() (bool, error) {
	t, restorable := d.task.(pregel.Restorable)
	if !restorable || d.limits.Resume == nil {
		return false, nil
	}
	run, ok := d.run.(Resumer)
	if !ok {
		return false, nil
	}
	s := t.State()
	resumed, err := d.limits.Resume(&s)
	if err != nil || !resumed {
		return false, err
	}
	if err := run.Resume(s); err != nil {
		return false, err
	}
	d.superstep, d.verdict = s.Supersteps, pregel.Verdict{Metric: s.Metric}
	return true, d.barrier()
}

// barrier lets the job look at the state.
func (d *driver) barrier() error {
	if d.limits.Barrier == nil {
		return nil
	}
	return d.limits.Barrier(d.state)
}

// state is that of the run at this barrier.
func (d *driver) state() (pregel.State, error) {
	run, ok := d.run.(Snapshotter)
	if !ok {
		return pregel.State{}, fmt.Errorf("program %s: a %T: %w", d.task.Name(), d.task, pregel.ErrNoState)
	}
	s, err := run.Snapshot()
	s.Supersteps, s.Metric = d.superstep, d.verdict.Metric
	return s, err
}

// saved is the state to go on from.
func (d *driver) saved() (pregel.State, error) {
	run, ok := d.run.(Saver)
	if !ok {
		return d.state()
	}
	s, err := run.Save()
	s.Supersteps, s.Metric = d.superstep, d.verdict.Metric
	return s, err
}

// keep lets the job keep a state from which there is more to be done.
func (d *driver) keep(stop pregel.Stop, ended bool) error {
	if d.limits.Keep == nil {
		return nil
	}
	if _, ok := d.task.(pregel.Restorable); !ok {
		return nil
	}
	if _, ok := d.run.(Resumer); !ok {
		return nil
	}
	if ended && stop.Reason != pregel.Cancelled && stop.Reason != pregel.MaxSupersteps && stop.Reason != pregel.TimeLimit {
		return nil
	}
	return d.limits.Keep(d.superstep, ended, d.saved)
}
