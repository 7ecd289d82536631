package cpu

import (
	"testing"
	"time"

	"gopregel/pregel/parallel"
)

// A round of few vertices is one worker's; in an order, if it is not of very few, until several have been
// faster.
func TestFew(t *testing.T) {
	var together, never parallel.Pace
	for range 100 {
		if together.Note(1, time.Microsecond); together.Together() {
			break
		}
	}
	for _, c := range []struct {
		pending uint64
		ordered bool
		workers int
		pace    parallel.Pace
		want    bool
	}{
		{orderAlone - 1, true, 2, together, true},
		{orderAlone, true, 2, together, false},
		{relaxAlone - 1, true, 2, together, false},
		{orderAlone, true, 2, never, true},
		{relaxAlone - 1, true, 2, never, true},
		{relaxAlone, true, 2, never, false},
		{orderAlone, true, 1, together, true},
		{orderAlone, false, 2, together, true},
		{relaxAlone - 1, false, 2, together, true},
		{relaxAlone, false, 2, together, false},
	} {
		r := relaxRun{engine: &Engine{Options: Options{Workers: c.workers}}, pending: c.pending, pace: c.pace, pieces: make([][]uint32, 2)}
		if c.ordered {
			r.behind = make([]buckets, c.workers)
		}
		if got := r.few(); got != c.want {
			t.Errorf("%d vertices, in an order %v, %d workers, together %v: few is %v", c.pending, c.ordered, c.workers, c.pace.Together(), got)
		}
		if r.pieces = r.pieces[:1]; r.paced() { // there is nothing to share
			t.Errorf("%d vertices in one piece are shared", c.pending)
		}
	}
}
