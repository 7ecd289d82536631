package cuda

import (
	"math"

	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
)

// This file has supersteps of programs that make values anew from messages (pregel.Twin.Anew) neither read
// nor write them: bare ones. Of such a program nothing is asked of a value but what it offers, until the
// run ends. Which superstep is the last is known before, so the one before that keeps values, and the
// last tells what it changes. If a run ends sooner, the superstep that was its last is done again, from the
// same offers, and keeps values.
//
// One that is begun ahead of the host (ahead.go) takes, in place of a second place of values, a third one of
// offers: those that the superstep before has heard are still there if that has to be done again.
//
// Invariant: while last is there, nobody has written to the offers that it heard.
// Gain: two numbers a vertex, of some nine that an iteration of PageRank moves on a grid. Cost: where a run ends
// sooner than was known, a superstep, and the time of one that was begun in vain before it.

// bares are the bare supersteps of a run.
type bares struct {
	until int     // they are below this one; 0: there are none
	blind bool    // the last superstep was one: values are older
	last  *flight // that one, if it can be done again
}

// baresOf tells which are: all but the last two, where nobody looks at values in between, or at metrics.
func baresOf(f pregel.Form, l pregel.Limits) bares {
	if !f.Anew || !foreseen(f) || l.Detail || l.Observe != nil && !l.Unmeasured || l.Barrier != nil || l.Keep != nil || l.Bounds.NaN {
		return bares{}
	}
	steps := f.Steps
	if l.MaxSupersteps != 0 {
		steps = min(steps, l.MaxSupersteps)
	}
	return bares{until: max(steps-2, 0)}
}

func (b *bares) has(superstep int) bool { return superstep < b.until }

// note notes which superstep is over.
func (b *bares) note(f *flight) {
	b.last = nil
	if b.blind = f.bare; f.bare {
		last := *f
		b.last = &last
	}
}

// leaves forgets the last superstep if what it heard is written to by one that is launched now: if that one
// fails, no values are to be had.
func (r *edgeRun) leaves(f *flight) {
	if b := &r.bares; b.last != nil && r.afterTurn(f.turn) == b.last.turn {
		b.last = nil
	}
}

// again has the values of the last superstep, if they have not been kept. What is told of it is known.
func (r *edgeRun) again() error {
	f := r.bares.last
	if f == nil {
		return nil
	}
	if r.early.flight != nil {
		r.early.flight, r.early.off = nil, true
		if err := r.engine.device.Sync(); err != nil {
			return err
		}
	}
	known := r.state
	defer func() { r.state = known }()
	f.bare, f.offered, f.ahead, f.place, f.slots, r.bares.last = false, true, false, 0, nil, nil
	if err := r.depart(f); err != nil {
		return err
	}
	_, err := r.hear(0)
	r.bares.blind = err != nil
	return err
}

// unknown are the bits of a sum that nobody knows: NaN; 0: it has none.
func unknown(t pregel.NamedTally) uint64 {
	switch {
	case t.Combiner() != "sum":
		return 0
	case t.CType() == "double":
		return math.Float64bits(math.NaN())
	case t.CType() == "float":
		return uint64(math.Float32bits(float32(math.NaN())))
	}
	return 0
}

// offers are those of a turn, of two or, where there is room, three.
func (r *edgeRun) offers(turn uint32) *driver.Buffer {
	if turn == 2 {
		return r.arrays.later
	}
	return r.arrays.offers[turn]
}

// afterTurn is the turn of the offers that are made where those of one are heard.
func (r *edgeRun) afterTurn(turn uint32) uint32 {
	if r.bares.until > 0 && r.arrays.later != nil {
		return (turn + 1) % 3
	}
	return turn ^ 1
}
