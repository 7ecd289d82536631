package trace

import (
	"errors"
	"fmt"
	"io"
)

// A Writer writes the records of a trace. What it writes the Reader takes: a
// record that does not fit is an error, as is one after a failed write.
type Writer struct {
	w     io.Writer
	state state
	line  []byte
	err   error
}

// NewWriter makes a writer to w, which should be buffered.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Write writes one record.
func (w *Writer) Write(r Record) error {
	if w.err != nil {
		return w.err
	}
	if w.line, w.err = encode(w.line[:0], r); w.err == nil {
		w.err = w.state.take(r)
	}
	if w.err == nil {
		_, w.err = w.w.Write(w.line)
	}
	return w.err
}

// state is what of the records so far later ones must fit.
type state struct {
	header *Header
	graph  bool
	last   int // superstep
	stop   bool
}

// take checks a record against those before it.
func (s *state) take(r Record) error {
	_, first := r.(*Header)
	switch {
	case s.stop:
		return fmt.Errorf("a record of kind %s after that of kind stop", r.kind())
	case first && s.header != nil:
		return errors.New("a second record of kind trace")
	case !first && s.header == nil:
		return fmt.Errorf("the first record is of kind %s, want trace: this is no trace", r.kind())
	}
	return r.check(s)
}

func (h *Header) check(s *state) error {
	switch {
	case h.Version < 1 || h.Version > Version:
		return fmt.Errorf("version: found %d, want 1 to %d", h.Version, Version)
	case h.Values != All && h.Values != Changed && h.Values != None:
		return fmt.Errorf("values: found %q, want all, changed or none", h.Values)
	case h.Graph.Vertices < 0:
		return fmt.Errorf("graph.vertices: found %d, want at least 0", h.Graph.Vertices)
	}
	s.header, s.last = h, -1
	return nil
}

func (g *Graph) check(s *state) error {
	switch n := s.header.Graph.Vertices; {
	case s.graph:
		return errors.New("a second record of kind graph")
	case len(g.IDs) != n:
		return fmt.Errorf("ids: found %d, want one for each of the %d vertices", len(g.IDs), n)
	case len(g.Sources) != len(g.Targets):
		return fmt.Errorf("targets: found %d, want %d, as there are sources", len(g.Targets), len(g.Sources))
	case g.Weights != nil && len(g.Weights) != len(g.Sources):
		return fmt.Errorf("weights: found %d, want %d, as there are sources", len(g.Weights), len(g.Sources))
	}
	s.graph = true
	return errors.Join(s.vertices("sources", g.Sources, false), s.vertices("targets", g.Targets, false))
}

// vertices checks that a list names vertices of the graph.
func (s *state) vertices(key string, list []uint32, ascending bool) error {
	for i, v := range list {
		if int64(v) >= int64(s.header.Graph.Vertices) {
			return fmt.Errorf("%s: found vertex %d, there are %d", key, v, s.header.Graph.Vertices)
		}
		if ascending && i > 0 && list[i-1] >= v {
			return fmt.Errorf("%s: found %d after %d, want ascending vertices", key, v, list[i-1])
		}
	}
	return nil
}

func (p *Program) check(s *state) error {
	if p.Superstep != s.last+1 {
		return noNext(p.Superstep, s.last+1)
	}
	return nil
}

func noNext(found, want int) error {
	return fmt.Errorf("superstep: found %d, want %d, as it is the next", found, want)
}

func (r *Superstep) check(s *state) error {
	if r.Superstep != s.last+1 {
		return noNext(r.Superstep, s.last+1)
	}
	s.last++
	return nil
}

func (v *Values) check(s *state) error {
	switch n := s.header.Graph.Vertices; {
	case v.Superstep != s.last:
		return fmt.Errorf("superstep: found %d, want %d, as it is the last", v.Superstep, s.last)
	case v.Vertices == nil && len(v.Values) != n:
		return fmt.Errorf("values: found %d, want one for each of the %d vertices", len(v.Values), n)
	case v.Vertices != nil && len(v.Values) != len(v.Vertices):
		return fmt.Errorf("values: found %d, want one for each of the %d vertices listed", len(v.Values), len(v.Vertices))
	}
	return errors.Join(s.vertices("vertices", v.Vertices, true), s.vertices("awake", v.Awake, true))
}

func (m *Messages) check(s *state) error {
	switch {
	case m.Superstep != s.last:
		return fmt.Errorf("superstep: found %d, want %d, as it is the last", m.Superstep, s.last)
	case len(m.From) != len(m.To) || len(m.Message) != len(m.To):
		return fmt.Errorf("message: found %d sources, %d targets and %d messages, want as many", len(m.From), len(m.To), len(m.Message))
	}
	return errors.Join(s.vertices("from", m.From, false), s.vertices("to", m.To, false))
}

func (n *Note) check(*state) error { return nil }

func (t *Stop) check(s *state) error {
	if t.Supersteps != s.last+1 {
		return fmt.Errorf("supersteps: found %d, want %d, as many as there are records", t.Supersteps, s.last+1)
	}
	for i, row := range t.Answer {
		if len(row) != len(t.Columns) {
			return fmt.Errorf("answer: row %d has %d cells, want %d, one for each column", i+1, len(row), len(t.Columns))
		}
	}
	s.stop = true
	return nil
}
