package cpu

import (
	"slices"
	"time"

	"gopregel/pregel"
)

// A watch times the phases of a superstep. A nil one times nothing, nor does one
// before a phase.
type watch struct {
	phases []pregel.PhaseTime
	times  []time.Duration // of the phases
	alone  bool            // one worker has run the last
}

// mostPhases of a superstep have room at once.
const mostPhases = 4

// phase begins one; a name that the superstep has had goes on with that.
func (w *watch) phase(name string, workers int) {
	for i, p := range w.phases {
		if p.Name == name {
			last := len(w.phases) - 1
			w.phases[i], w.phases[last] = w.phases[last], w.phases[i]
			return
		}
	}
	if w.phases == nil {
		w.phases, w.times = make([]pregel.PhaseTime, 0, mostPhases), make([]time.Duration, 0, mostPhases*workers)
	}
	from := len(w.times)
	w.times = append(w.times, make([]time.Duration, workers)...)
	w.phases = append(w.phases, pregel.PhaseTime{Name: name, Workers: w.times[from:len(w.times):len(w.times)]})
}

func (w *watch) now() (t time.Time) {
	if w != nil && len(w.phases) > 0 {
		t = time.Now()
	}
	return t
}

// add gives a worker, who is alone to write there, the time since begin.
func (w *watch) add(slot int, begin time.Time) {
	if w != nil && len(w.phases) > 0 {
		w.phases[len(w.phases)-1].Workers[slot] += time.Since(begin)
	}
}

// take returns the phases that any time was spent in, and forgets them: they are good
// until the next begins.
func (w *watch) take() []pregel.PhaseTime {
	if len(w.phases) == 0 {
		return nil
	}
	list := slices.DeleteFunc(w.phases, func(p pregel.PhaseTime) bool { return slices.Max(p.Workers) == 0 })
	w.phases, w.times = w.phases[:0], w.times[:0]
	return list
}
