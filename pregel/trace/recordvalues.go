package trace

import (
	"errors"
	"reflect"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
)

// This file records what small runs have beside supersteps: at each barrier the values,
// all or those that changed, who is awake, and who sent what to whom.

// sends finds the messages of the superstep that comes, or, of a vertex program,
// writes those of the one that has ended.
func (r *Recorder) sends(task pregel.Traced, s pregel.State) {
	m, err := task.Sends(s.Supersteps, s.Awake, r.left)
	if err != nil {
		r.left = -1
		r.unsent(err)
		return
	}
	r.left -= len(m.To)
	rec := &Messages{From: append([]uint32{}, m.From...), To: append([]uint32{}, m.To...), Message: encodeColumn(reflect.ValueOf(m.List)).values(), Next: m.Next, Superstep: r.steps - 1}
	switch {
	case !m.Next:
		r.next = rec
	case s.Supersteps > 0:
		r.write(rec)
	}
}

// unsent says why there are no messages.
func (r *Recorder) unsent(err error) {
	if errors.Is(err, pregel.ErrManyMessages) {
		r.note("no messages from here on: with those of this superstep the trace would have more than %d", MostMessages)
		return
	}
	r.note("no messages from here on: what is sent here cannot be found out: %v", err)
}

// values writes what the trace is to have of the values.
func (r *Recorder) values(s pregel.State, first bool) {
	now := reflect.ValueOf(s.Values)
	if now.Kind() != reflect.Slice || now.Len() != r.graph.N() {
		r.note("no values: the state of %s is a %T, not a value for each of the %d vertices", s.Program, s.Values, r.graph.N())
		return
	}
	rec := &Values{Superstep: r.steps - 1, Vertices: r.sample}
	if first && r.steps > 0 {
		rec.Init = s.Program
	}
	if r.options.Values == Changed && !first && r.before.of(now) {
		var texts column
		rec.Vertices, texts = r.before.changed(now, r.sample)
		rec.Values = texts.values()
	} else {
		rec.Values = encodeSample(now, r.sample).values()
		if r.options.Values == Changed {
			r.before.keep(now)
		}
	}
	rec.Awake = r.awake(s)
	r.write(rec)
}

// awake lists the vertices that run in the next superstep.
func (r *Recorder) awake(s pregel.State) []uint32 {
	set := bitmap.New(r.graph.N())
	copy(set, s.Awake)
	for _, v := range s.To {
		set.Set(v)
	}
	if r.sample == nil {
		return set.AppendTo([]uint32{})
	}
	list := []uint32{}
	for _, v := range r.sample {
		if set.Has(v) {
			list = append(list, v)
		}
	}
	return list
}
