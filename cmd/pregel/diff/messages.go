package diff

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
)

// A Message is what a neighbour could have sent to the vertex in the superstep
// that went wrong.
type Message struct {
	Source uint32
	Weight float64
	Values []Cell // of the source, at the superstep's start
	Awake  Awake
	Sent   string // the message at the vertex; "" where none came, or it is not known
}

// Awake tells whether a source was awake.
type Awake uint8

// What is known of it.
const (
	Unknown Awake = iota // the program shows no state
	Yes
	No
)

func (a Awake) String() string { return [...]string{"?", "yes", "no"}[a] }

// mostSent bounds what the neighbours of a vertex send in all.
const mostSent = 1 << 24

// Messages finds again what came to the vertex of a difference: for each of its
// arcs, the values of the other end after the superstep before, whether it was
// awake, and the message. To a vertex program's come messages only.
func (q *Question) Messages(ctx context.Context, d *Difference) ([]Message, error) {
	if d.Row < 0 || d.Superstep < 0 || d.Row >= q.Graph.N() {
		return nil, nil
	}
	before, err := q.reached(ctx, d.Superstep)
	if err != nil {
		return nil, err
	}
	m := &moment{graph: q.Graph, vertex: uint32(d.Row), superstep: d.Superstep}
	if err := q.see(ctx, m); err != nil {
		return nil, err
	}
	list := m.list()
	for i := range list {
		u := int(list[i].Source)
		if before == nil || u >= before.Table.Rows() {
			continue
		}
		list[i].Values = cells(&before.Table, u)
		for k := range list[i].Values {
			list[i].Values[k].Single = d.Cells[k].Single
		}
	}
	return list, nil
}

// A moment is what the barrier before a superstep shows of what comes to a vertex.
type moment struct {
	graph     *graph.Graph
	vertex    uint32
	superstep int

	task  pregel.Task
	along pregel.Along
	awake bitmap.Bitmap // nil: not known
	free  bool          // messages go where they like, not along arcs
	sent  map[uint32][]string
}

// see runs the reference up to the end of the superstep, and looks at the barrier
// before it. Of several programs the last one that is there does the superstep.
func (q *Question) see(ctx context.Context, m *moment) error {
	a, err := q.New()
	if err != nil {
		return err
	}
	j := &pregel.Job{Graph: q.Graph, Engine: q.Sides[q.Reference()].Engine, MaxSupersteps: m.superstep + 1, Batch: 1}
	j.Begun = func(t pregel.Task) {
		m.task = t
		if x, ok := t.(pregel.Traced); ok {
			x.Trace()
		}
	}
	j.Barrier = func(state func() (pregel.State, error)) error {
		s, err := state()
		if err == nil && j.Supersteps()+s.Supersteps == m.superstep {
			m.look(s)
		}
		return nil // of one without a state, nothing is known
	}
	_, err = a.Run(ctx, j)
	return err
}

// look notes who is awake, and what the neighbours send.
func (m *moment) look(s pregel.State) {
	m.awake, m.sent = slices.Clone(s.Awake), map[uint32][]string{}
	t, ok := m.task.(pregel.Traced)
	if !ok {
		return
	}
	d := t.Declared()
	m.along, m.free = d.Along, d.Edge == ""
	near := bitmap.New(m.graph.N())
	for _, c := range m.arriving() {
		for _, u := range c.Neighbors(m.vertex) {
			if m.awake.Has(u) {
				near.Set(u)
			}
		}
	}
	messages, _ := t.Sends(s.Supersteps, near, mostSent)
	list := reflect.ValueOf(messages.List)
	for i, to := range messages.To {
		if to == m.vertex {
			m.sent[messages.From[i]] = append(m.sent[messages.From[i]], m.text(d, list.Index(i)))
		}
	}
}

// text writes a message, with the ids of vertices that it names.
func (m *moment) text(d pregel.Declaration, x reflect.Value) string {
	if x.Kind() != reflect.Struct {
		return m.number(x, d.Message)
	}
	words := make([]string, x.NumField())
	for i := range words {
		name := trace.FieldName(x.Type().Field(i))
		words[i] = name + " " + m.number(x.Field(i), slices.Contains(d.MessageVertices, name))
	}
	return strings.Join(words, ", ")
}

func (m *moment) number(x reflect.Value, vertex bool) string {
	if vertex && x.Kind() == reflect.Uint32 && x.Uint() < uint64(m.graph.N()) {
		return m.graph.IDs().Text(uint32(x.Uint()))
	}
	return fmt.Sprint(x)
}

// arriving returns the arcs by which messages come to the vertex.
func (m *moment) arriving() []graph.CSR {
	out, in := m.graph.Out(), m.graph.In()
	switch {
	case !m.graph.Directed(), m.along == pregel.OutEdges:
		return []graph.CSR{in}
	case m.along == pregel.InEdges:
		return []graph.CSR{out}
	}
	return []graph.CSR{in, out}
}

// list has an entry for each arc, or for each message of a vertex program.
func (m *moment) list() (list []Message) {
	if m.free {
		for u := range uint32(m.graph.N()) {
			for _, text := range m.sent[u] {
				list = append(list, Message{Source: u, Awake: Yes, Sent: text})
			}
		}
		return list
	}
	for _, c := range m.arriving() {
		base := c.Offsets.At(m.vertex)
		for i, u := range c.Neighbors(m.vertex) {
			one := Message{Source: u, Weight: c.Weights.At(base + uint64(i))}
			if m.awake != nil {
				one.Awake = No
				if m.awake.Has(u) {
					one.Awake = Yes
				}
			}
			if texts := m.sent[u]; len(texts) > 0 {
				one.Sent, m.sent[u] = texts[0], texts[1:]
			}
			list = append(list, one)
		}
	}
	return list
}
