package cpu

import (
	"slices"
	"time"

	"gopregel/pregel"
)

// Where a superstep takes a microsecond, a look at the clock for each of its phases is a
// tenth of it. So the phases of one such superstep are timed, and those of some that
// follow are not, as long as those are of few vertices: they are no longer than it was by
// more than that allows.

const (
	// The phases of a superstep that take less than this have others not timed; it is
	// some twenty times what timing them costs.
	sampledBelow = 10 * time.Microsecond
	// so many, at most.
	unsampled = 64
	// Only those of so few vertices and arcs are not timed.
	sampledWork = 4 * shortWork
)

// A sampler says in which supersteps phases are timed.
type sampler struct {
	below time.Duration // of the phases of one after which those of others need not be timed
	left  int           // so many
}

// begin says whether the superstep that comes is timed: one that is not few always is.
func (s *sampler) begin(w *watch, few bool) (timed bool) {
	timed = !few || s.left == 0
	w.off = !timed
	if s.left--; timed {
		s.left = 0
	}
	return timed
}

// end takes the phases of a superstep that was timed.
func (s *sampler) end(w *watch) []pregel.PhaseTime {
	list := w.take()
	var sum time.Duration
	for _, p := range list {
		sum += slices.Max(p.Workers)
	}
	if sum < s.below {
		s.left = unsampled
	}
	return list
}
