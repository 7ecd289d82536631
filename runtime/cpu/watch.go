package cpu

import (
	"slices"
	"time"

	"gopregel/pregel"
)

// A watch times the phases of a superstep. A nil one times nothing, nor does one
// before a phase.
//
// What one worker does alone lasts until the next phase, or until others join: where a
// phase takes a few hundred nanoseconds, a look at the clock before and after each part of
// it is a tenth of that.
type watch struct {
	phases []pregel.PhaseTime
	times  []time.Duration // of the phases
	alone  bool            // one worker has run the last
	base   time.Time
	since  time.Duration // base, that the worker is at work alone, or that the phase has begun
	open   bool          // one is at work alone
	fresh  bool          // the phase has begun at since, and nobody has worked in it
	off    bool          // the phases of this superstep are not timed
}

// mostPhases of a superstep have room at once.
const mostPhases = 4

// phase begins one; a name that the superstep has had goes on with that.
func (w *watch) phase(name string, workers int) {
	if w.off {
		return
	}
	w.fresh = w.open
	w.close()
	for i, p := range w.phases {
		if p.Name == name {
			last := len(w.phases) - 1
			w.phases[i], w.phases[last] = w.phases[last], w.phases[i]
			return
		}
	}
	from, to := len(w.times), len(w.times)+workers
	if to > cap(w.times) {
		w.phases, w.times = slices.Grow(w.phases, mostPhases), slices.Grow(w.times, mostPhases*workers)
	}
	w.times = w.times[:to]
	clear(w.times[from:])
	w.phases = append(w.phases, pregel.PhaseTime{Name: name, Workers: w.times[from:to:to]})
}

// now is the time since base: cheaper than that of the day.
func (w *watch) now() (t time.Duration) {
	if w != nil && len(w.phases) > 0 {
		t = time.Since(w.base)
	}
	return t
}

// add gives a worker, who is alone to write there, the time since begin.
func (w *watch) add(slot int, begin time.Duration) {
	if w != nil && len(w.phases) > 0 {
		w.phases[len(w.phases)-1].Workers[slot] += w.now() - begin
	}
}

// begin says that one worker is at work alone.
func (w *watch) begin() {
	if w == nil {
		return
	}
	if w.alone = true; w.open || len(w.phases) == 0 {
		return
	}
	if !w.fresh {
		w.since = w.now()
	}
	w.open, w.fresh = true, false
}

// join says that others join.
func (w *watch) join() {
	if w != nil {
		w.close()
		w.alone, w.fresh = false, false
	}
}

// close gives who has worked alone the time until now.
func (w *watch) close() {
	if w.open {
		now := w.now()
		w.phases[len(w.phases)-1].Workers[0] += now - w.since
		w.since, w.open = now, false
	}
}

// take returns the phases that any time was spent in, and forgets them: they are good
// until the next begins.
func (w *watch) take() []pregel.PhaseTime {
	w.close()
	w.fresh = false
	if len(w.phases) == 0 {
		return nil
	}
	list := slices.DeleteFunc(w.phases, func(p pregel.PhaseTime) bool { return slices.Max(p.Workers) == 0 })
	w.phases, w.times = w.phases[:0], w.times[:0]
	return list
}
