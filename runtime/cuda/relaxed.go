package cuda

import (
	"context"
	"fmt"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/runtime/cuda/driver"
	"gopregel/runtime/superstep"
)

// runRelaxed runs the twin of an edge program in place.
func (e *Engine) runRelaxed(ctx context.Context, t pregel.Task, f pregel.Form, l pregel.Limits) pregel.Stop {
	failed := func(err error) pregel.Stop {
		return pregel.Stop{Reason: pregel.Failed, Err: fmt.Errorf("program %s: %w", t.Name(), err)}
	}
	s, err := e.session(t.Graph())
	if err != nil {
		return failed(err)
	}
	defer s.close()
	r := &relaxedRun{session: s, form: f, task: t, detailed: l.Detail}
	if err := s.begin(r.prepare); err != nil {
		return failed(err)
	}
	answered := false
	defer func() { unanswered(f, answered) }()
	stop := superstep.Drive(ctx, t, r, l)
	download := func() error { return r.values.Read(0, f.Values) }
	err = e.finish(download)
	if answered = err == nil; !answered && stop.Reason != pregel.Failed {
		stop.Reason, stop.Err = pregel.Failed, fmt.Errorf("program %s: %w", t.Name(), err)
	}
	return stop
}

// relaxedRun is a relaxation under way as a program of its own.
type relaxedRun struct {
	inPlace
	session  *Session
	form     pregel.Form
	values   *driver.Buffer
	box      *driver.Buffer // what was ever sent to each, combined
	task     pregel.Task
	detailed bool
}

// An inPlace is a form in which an edge program is relaxed: Relaxation, or sweeping.
type inPlace interface {
	advancing
	keeping
}

type advancing interface {
	// Start sets all values.
	Start() error
	// Advance does up to so many rounds, and appends a record of each.
	Advance(name string, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error)
	// Finished tells that no vertex has anything new to say.
	Finished() bool
}

// keeping is what a checkpoint asks for, beside values and boxes.
type keeping interface {
	// untold are those who may have something to say.
	untold() (bitmap.Bitmap, error)
	// resume goes on, after Start and so many rounds, from other values and boxes, and bits of who is awake.
	resume(rounds int, awake []byte) error
}

// prepare chooses the form: sweeps where there are hubs, else tiles.
func (r *relaxedRun) prepare() error {
	lists, err := r.session.sweepLists(r.form)
	switch {
	case err != nil:
		return err
	case lists != nil:
		x, err := r.session.sweep(r.form, lists)
		if err == nil {
			r.inPlace, r.values, r.box = x, x.values, x.box
		}
		return err
	}
	x, err := r.session.Relax(r.form, RelaxOptions{})
	if err == nil {
		r.inPlace, r.values, r.box = x, x.values, x.box
	}
	return err
}

// Fetch copies the values of a barrier to the host.
func (r *relaxedRun) Fetch() error { return r.values.Read(0, r.form.Values) }

// Init sets all values, on the device.
func (r *relaxedRun) Init() error {
	if r.form.Given {
		if err := r.values.Write(0, r.form.Values); err != nil {
			return r.failed(-1, err)
		}
	}
	err := r.session.engine.begin()
	if err == nil {
		err = r.Start()
	}
	return r.failed(-1, err)
}

// Pending is not 0 while a vertex may have something new to say. The device finds
// out itself whether any has at first.
func (r *relaxedRun) Pending() uint64 { return uint64(bit(!r.Finished())) }

// Run does rounds until the device comes back.
func (r *relaxedRun) Run(s, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	if r.form.Asks {
		most = 1
	}
	records, err := r.Advance(r.task.Name(), most, records)
	for i := range records {
		if rec := &records[i]; r.detailed {
			rec.Detail = &pregel.Detail{Why: pregel.Choice{Rule: superstep.InPlace}, Phases: addTime(nil, "relax", rec.Time)}
		}
	}
	return records, r.failed(s, err)
}

func (r *relaxedRun) failed(s int, err error) error {
	if err == nil {
		return nil
	}
	return &pregel.ProgramError{Program: r.task.Name(), Superstep: s, Cause: err}
}
