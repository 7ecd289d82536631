package trace

import (
	"errors"

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
	rec := &Messages{From: append([]uint32{}, m.From...), To: append([]uint32{}, m.To...), Message: encodeColumn(m.List).values(), Next: m.Next, Superstep: r.steps - 1}
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
	now := encodeColumn(s.Values)
	if now.len() != r.graph.N() {
		r.note("no values: the state of %s has %d values of %d vertices", s.Program, now.len(), r.graph.N())
		return
	}
	rec := &Values{Superstep: r.steps - 1, Vertices: r.sample}
	if first && r.steps > 0 {
		rec.Init = s.Program
	}
	switch {
	case r.options.Values == Changed && !first:
		rec.Vertices = r.changed(now)
	case r.sample == nil:
		rec.Values = now.values()
	}
	for _, v := range rec.Vertices {
		rec.Values = append(rec.Values, now.at(v))
	}
	if rec.Values == nil {
		rec.Values = []Value{}
	}
	rec.Awake = r.awake(s)
	r.before = now
	r.write(rec)
}

// changed lists the vertices whose value is another than before.
func (r *Recorder) changed(now column) []uint32 {
	list := []uint32{}
	add := func(v uint32) {
		if string(now.at(v)) != string(r.before.at(v)) {
			list = append(list, v)
		}
	}
	if r.sample != nil {
		for _, v := range r.sample {
			add(v)
		}
		return list
	}
	for v := range uint32(now.len()) {
		add(v)
	}
	return list
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
