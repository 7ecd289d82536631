package cuda

import (
	"bytes"
	"encoding/binary"
	"errors"
	"time"

	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
)

// This file has the device begin a superstep while the host asks the program about the one
// before, which takes the host longer than the shortest supersteps take the device. Where a
// program tallies, the host's part is what its Barrier says: whether to go on, and the
// tallies' last values, which the device has as well.
//
// Invariant: a superstep ahead writes nothing that the one before has left: its values go to
// a second place, offers and frontiers have two anyway, and it is told elsewhere. So it is
// taken if the host, once it knows, would have launched the same, and else forgotten; then
// none is begun ahead again in that run.

// early is the superstep under way ahead of the host.
type early struct {
	flight *flight       // nil: none
	off    bool          // one was in vain
	since  time.Time     // the last superstep was told; zero: none was
	took   time.Duration // the last one; 0: not known
}

// aheadMost is how long supersteps take of which one may be begun in vain when a run ends;
// what the host takes is a few percent of that.
const aheadMost = 500 * time.Microsecond

// foreseen tells whether the program allows it: all vertices are applied, and there is
// nothing of a vertex beside its value.
func foreseen(f pregel.Form) bool {
	return len(f.Tallies) > 0 && f.Local && f.Edge != "source_id" && f.Silent && !f.Settles && !f.Waits
}

// later makes the second place of values, where there is room.
func (l *layout) later() *driver.Buffer {
	if l.err != nil || !foreseen(l.run.form) || l.run.bares.until > 0 && l.run.form.Message.Size > l.run.form.Value.Size || l.run.told[1].at == 0 || l.run.graph.without(valuesAhead) {
		return nil
	}
	begin := time.Now()
	b, err := l.run.Buffer(l.run.values.Size(), valuesAhead)
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		return nil
	}
	l.fail(err)
	if err == nil {
		l.run.engine.made(valuesAhead, valuesAhead, begin, b)
		l.run.engine.forms[valuesAhead].used = false // until a superstep is begun ahead
	}
	return b
}

// places are those of values.
func (r *edgeRun) places() [2]*driver.Buffer {
	return [2]*driver.Buffer{r.arrays.values, r.arrays.later}
}

// goAhead launches the superstep that follows f, if it can be foreseen and is short.
func (r *edgeRun) goAhead(f *flight, most int) error {
	e := &r.early
	last := r.form.Steps > 0 && f.superstep+1 >= r.form.Steps
	bare := r.bares.has(f.superstep + 1)
	if f.bare && !bare || r.bares.until > 0 && !f.bare {
		return nil // there is no second place of values
	}
	if e.off || last || r.arrays.later == nil || most < 2 || !f.all || e.took == 0 || e.took > r.engine.aheadMost {
		return nil
	}
	next := &r.flights[0]
	if next == f {
		next = &r.flights[1]
	}
	*next = flight{superstep: f.superstep + 1, place: f.place ^ 1, side: f.side ^ 1, turn: r.afterTurn(f.turn), all: true, offered: true, ahead: true, bare: bare,
		from: f.to, to: f.to ^ 1, params: f.params, slots: next.slots[:0]}
	if bare {
		next.to = next.from
	}
	e.flight = next
	r.engine.uses(valuesAhead)
	return r.depart(next)
}

// landed notes how long the superstep took, and what the next, if it is under way, has in
// place of the parameters that it was launched with.
func (e *early) landed(r *edgeRun, f *flight, raw []byte) {
	now := time.Now()
	if !e.since.IsZero() {
		e.took = now.Sub(e.since)
	}
	if e.since = now; e.flight == nil {
		return
	}
	params := bytes.Clone(f.params)
	offsets, _ := tallyLayout(r.form.Tallies)
	at := len(params) - 8*len(heeded(r.form.Tallies))
	for i, t := range r.form.Tallies {
		if t.Change {
			continue
		}
		if bits, has := tallied(raw[offsets[i]:], cSizes[t.CType()]); has {
			binary.LittleEndian.PutUint64(params[at:], bits)
		}
		at += 8
	}
	e.flight.params = params
}

// take returns the superstep under way, if it is what has to be done now.
func (e *early) take(r *edgeRun, params []byte, all bool) (*flight, error) {
	f := e.flight
	if e.flight = nil; f == nil {
		return nil, nil
	}
	if all && bytes.Equal(params, f.params) {
		r.engine.ended ^= 1
		return f, nil
	}
	e.off = true
	return nil, r.engine.device.Sync() // before its place is used again
}
