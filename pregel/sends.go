package pregel

import (
	"errors"
	"fmt"
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// A Traced task can say who sends what to whom. Trace is called before Init, so
// that the task keeps what it needs for that.
type Traced interface {
	Stateful
	Trace()
	Declared() Declaration
	// Sends lists messages at a barrier. Those of an edge program are those that the
	// vertices awake will send in the given superstep, which comes next; those of a
	// vertex program are those sent in the one before. If there are more than most, the error is
	// ErrManyMessages; if the program panics, the superstep itself says where.
	Sends(superstep int, awake bitmap.Bitmap, most int) (Messages, error)
}

// ErrManyMessages says that a superstep has more messages than were asked for.
var ErrManyMessages = errors.New("more messages than asked for")

// A Declaration is what a program declares, in words.
type Declaration struct {
	Combine string // the combiner's name; "": messages come one by one
	Edge    string // the operation's; "": a vertex program's
	Along   Along
	Silent  bool
	Values  any // an empty []V
	// Aggregates are names of the aggregators, in the order in which Setup made them.
	Aggregates []string
	Presentation
}

// A Presentation says how traces show the values of a program.
type Presentation struct {
	Columns  []string // the fields of a value, or one name for what is no struct
	Vertices []string // those of Columns that name vertices
	Message  bool     // messages, which are no structs, name vertices
	// MessageVertices are the fields of messages that name vertices.
	MessageVertices []string
}

// A Presenter knows how its values are shown. Those of other programs that are
// structs are shown with the names of their fields.
type Presenter interface {
	Present() Presentation
}

func present(program any) (p Presentation) {
	if x, ok := program.(Presenter); ok {
		p = x.Present()
	}
	return p
}

// Messages are messages side by side, by sender.
type Messages struct {
	From, To []uint32
	List     any  // []M
	Next     bool // they are read in the next superstep, not applied at the end of their own
}

// Trace has nothing to keep: what was sent is found again.
func (t *edgeTask[V, M]) Trace() {}

// Declared names the parts of the program's Spec.
func (t *edgeTask[V, M]) Declared() Declaration {
	d := Declaration{Combine: t.spec.Combine.Name, Edge: t.spec.Edge.Name, Along: t.spec.Along, Silent: t.spec.Silent,
		Values: []V(nil), Aggregates: t.setup.names(t.program), Presentation: present(t.program)}
	if t.spec.Edge.kind == opSource {
		d.Message = true
	}
	if d.Edge == "" {
		d.Edge = "copy"
	}
	return d
}

// Sends asks Emit and the edge operation again.
func (t *edgeTask[V, M]) Sends(superstep int, awake bitmap.Bitmap, most int) (m Messages, err error) {
	var list []M
	w := &Worker{Superstep: int32(superstep)}
	defer t.setup.hold(w.Slot)() // what Emit may add is added in the superstep
	defer func() {
		if r := recover(); r != nil {
			m, err = Messages{}, fmt.Errorf("program %s: %v", t.name, r)
		}
	}()
	for i, word := range awake {
		for ; word != 0; word &= word - 1 {
			u := uint32(i*64 + bits.TrailingZeros64(word))
			x := t.offer(u, w)
			for _, c := range t.sending {
				list = t.appendSent(list, &m, x, u, c)
			}
			if len(list) > most {
				return Messages{}, ErrManyMessages
			}
		}
	}
	m.List = list
	return m, nil
}

// appendSent adds what becomes of an offer on the arcs of u.
func (t *edgeTask[V, M]) appendSent(list []M, m *Messages, x M, u uint32, c graph.CSR) []M {
	lo, hi := c.Offsets.Row(u)
	weights, fixed := c.Weights.Slice(lo, hi), t.spec.Edge.leaves(x, t.spec.Combine)
	for i, v := range c.Targets[lo:hi] {
		message, ok := x, true
		if !fixed {
			message, ok = t.spec.Edge.Send(x, u, v, weights.At(uint64(i)))
		}
		if ok {
			list = append(list, message)
			m.From, m.To = append(m.From, u), append(m.To, v)
		}
	}
	return list
}

// A mark says that the messages of an outbox up to end are of a vertex, or of one
// with a mark before.
type mark struct {
	vertex uint32
	end    int
}

// Trace makes the task keep who has sent.
func (t *vertexTask[V, M]) Trace() { t.traced = true }

// Declared names the combiner.
func (t *vertexTask[V, M]) Declared() Declaration {
	d := Declaration{Values: []V(nil), Aggregates: t.setup.names(t.program), Presentation: present(t.program)}
	if t.combine != nil {
		d.Combine = t.combine.Name
	}
	return d
}

// Sends lists what the outboxes have.
func (t *vertexTask[V, M]) Sends(_ int, _ bitmap.Bitmap, most int) (Messages, error) {
	m := Messages{Next: true}
	var list []M
	for i, box := range t.outbox {
		if len(list)+len(box) > most {
			return Messages{}, ErrManyMessages
		}
		at := 0
		for _, sender := range t.marks[i] {
			for ; at < sender.end; at++ {
				m.From, m.To = append(m.From, sender.vertex), append(m.To, box[at].to)
				list = append(list, box[at].message)
			}
		}
	}
	m.List = list
	return m, nil
}
