package trace

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Cause is why a vertex has a value: the messages that came when it got it.
type Cause struct {
	Vertex    uint32
	Value     Value
	Superstep int      // at whose end it got the value; -1: in Init
	Program   *Program // nil: not known
	Init      bool     // the value is Init's
	Messages  []Sent   // those that count, the greatest share first
	Others    int      // messages that came and do not count
}

// A Sent is a message to the vertex of a Cause.
type Sent struct {
	From      uint32
	Message   Value
	Superstep int // in which it was sent
	// Value is that of the sender when it sent, got at the end of Since.
	Value Value
	Since int
	then  int // the superstep at whose end the sender had the value
}

// Next returns why the sender had the value that it sent.
func (r *Run) Next(s Sent) (*Cause, error) { return r.Why(s.From, s.then) }

// Why returns why a vertex has the value that it has at the end of a superstep, -1
// being that after Init.
func (r *Run) Why(v uint32, superstep int) (*Cause, error) {
	value, since, ok := r.At(superstep, v)
	switch {
	case !ok:
		return nil, r.lacks(v)
	case since < 0 || r.initial(since):
		return &Cause{Vertex: v, Value: value, Superstep: since, Program: r.ProgramOf(since), Init: true}, nil
	}
	c := &Cause{Vertex: v, Value: value, Superstep: since, Program: r.ProgramAt(since)}
	m, then, err := r.applied(since)
	if err != nil || m == nil {
		return c, err
	}
	for i, to := range m.To {
		if to == v {
			s := Sent{From: m.From[i], Message: m.Message[i], Superstep: m.Superstep, then: then}
			s.Value, s.Since, _ = r.At(then, s.From)
			c.Messages = append(c.Messages, s)
		}
	}
	before, _, _ := r.At(since-1, v)
	c.choose(before)
	return c, nil
}

// lacks says why a vertex has no values.
func (r *Run) lacks(v uint32) error {
	switch {
	case r.Header.Values == None:
		return fmt.Errorf("the trace has no values: make it with trace.values all or changed")
	case r.Header.Sample > 0 && len(r.changes) > 0:
		return fmt.Errorf("the trace has values of %d vertices alone (trace.sample), and vertex %s is none of them", r.Header.Sample, r.ID(v))
	case len(r.Notes) > 0:
		return fmt.Errorf("the trace has no values of vertex %s: %s", r.ID(v), r.Notes[0].Text)
	}
	return fmt.Errorf("the trace has no values of vertex %s", r.ID(v))
}

// applied returns the messages that gave the values at the end of a superstep, nil
// if there were none, and the superstep at whose end the senders had what they
// sent.
func (r *Run) applied(superstep int) (m *Messages, then int, err error) {
	m, then = r.Steps[superstep].Messages, superstep-1
	if m == nil || m.Next { // a vertex program's, read in the next superstep
		if superstep == 0 && m != nil {
			return nil, -1, nil
		}
		if superstep > 0 {
			m = r.Steps[superstep-1].Messages
		}
		if m != nil && !m.Next {
			m = nil
		}
	}
	if m == nil {
		return nil, then, r.noMessages(superstep)
	}
	return m, then, nil
}

func (r *Run) noMessages(superstep int) error {
	for _, n := range r.Notes {
		if strings.HasPrefix(n.Text, "no messages") && n.Superstep <= superstep {
			return fmt.Errorf("the trace has no messages of superstep %d: %s", superstep, n.Text)
		}
	}
	return fmt.Errorf("the trace has no messages of superstep %d: they are traced of small graphs, with values of all vertices and trace.messages auto", superstep)
}

// choose keeps the messages that count, by the combiner.
func (c *Cause) choose(before Value) {
	all := len(c.Messages)
	if c.Program != nil {
		if f := choices[c.Program.Combine]; f != nil {
			c.Messages = f(c.Messages, before)
		}
	}
	c.Others = all - len(c.Messages)
}

// choices say for each named combiner which messages count, the most important
// first.
var choices = map[string]func(list []Sent, before Value) []Sent{
	"min": func(list []Sent, _ Value) []Sent { return best(list, 1, func(x float64) float64 { return x }) },
	"max": func(list []Sent, _ Value) []Sent { return best(list, 1, func(x float64) float64 { return -x }) },
	"any": func(list []Sent, _ Value) []Sent { return list[:min(len(list), 1)] },
	"sum": func(list []Sent, _ Value) []Sent {
		return best(list, len(list), func(x float64) float64 { return -math.Abs(x) })
	},
	"or": newBits,
}

// best returns the first few by a key of the message as a number.
func best(list []Sent, most int, key func(float64) float64) []Sent {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Sent) int {
		x, _ := Number(a.Message)
		y, _ := Number(b.Message)
		return cmp.Compare(key(x), key(y))
	})
	return list[:min(len(list), most)]
}

// newBits returns messages that together bring all bits that were not there
// before.
func newBits(list []Sent, before Value) []Sent {
	have, _ := Number(before)
	set := uint64(have)
	var kept []Sent
	for _, s := range list {
		x, _ := Number(s.Message)
		if uint64(x)&^set != 0 {
			set |= uint64(x)
			kept = append(kept, s)
		}
	}
	return kept
}
