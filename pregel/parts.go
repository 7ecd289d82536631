package pregel

import "reflect"

// A Dissected task shows the program it runs in parts, for tools that call its
// functions one by one and in an order of their own, as package check does. It is
// asked after Begin.
type Dissected interface {
	Task
	Parts() Parts
}

// Parts are the functions of a program that is bound to a graph, without their
// types: values and messages are of the types Value and Message. Exactly one of
// Edge, Vertex and Phase is set; with Phase, nothing else is.
type Parts struct {
	Value, Message reflect.Type
	Aggregators    []Laws
	// At is the place of a vertex in a call that the worker of a slot makes. Calls
	// with different slots may be made at the same time.
	At   func(v uint32, superstep int32, slot int) Place
	Init func(at Place, given any) (value any, awake bool)
	Get  func(v uint32) any
	Set  func(v uint32, value any)
	// Quietly forgets what f adds to aggregators with a slot.
	Quietly func(slot int, f func())

	Edge   *EdgeParts
	Vertex *VertexParts
	Phase  func(lo, hi uint32, w *Worker)
}

// EdgeParts are those of an edge program, or of a collector.
type EdgeParts struct {
	Combine Laws // Func is nil of Any, and of collectors
	Along   Along
	Silent  bool
	Sources bool // messages are the ids of their sources: Emit is not called
	Emit    func(at Place, value any) any
	// Send is what an offer becomes on an arc, and whether anything is sent. What is Weightless
	// is told 1, whatever w is.
	Send func(offer any, u, v uint32, w float64) (any, bool)
	// SendWeighed is Send with w, where the operation is Weightless. Nil: it is not.
	SendWeighed func(offer any, u, v uint32, w float64) (any, bool)
	// SendMany is Send for up to ArcsAtOnce arcs, by the function of many: messages take the
	// place of offers. Nil: there is none.
	SendMany func(offers []any, us, vs []uint32, ws []float64) (sent []bool)
	Apply    func(at Place, value, message any, got bool) (any, bool) // nil: a collector
	ApplyAll func(at Place, value any, messages []any) (any, bool)    // of a collector
	Settled  func(value any) bool                                     // nil: no Settler
	Priority func(value any) uint64                                   // nil: no Prioritizer
	Relaxes  bool
	Absorbs  bool // of values that are words
	Signals  bool // its Twin says so
	Anew     bool // likewise
}

// VertexParts are those of a vertex program. Messages come in the order of their
// senders.
type VertexParts struct {
	Combine *Laws // nil: none
	Compute func(at Place, value any, messages []any) (result any, awake bool, sent []Sent)
}

// Sent is a message with its target.
type Sent struct {
	To      uint32
	Message any
}

// Laws are what a combiner states, without its type.
type Laws struct {
	Name       string
	Type       reflect.Type
	Identity   any
	Func       func(a, b any) any // nil for Any
	Many       func(as, bs []any) // nil: there is none
	Idempotent bool
	Exact      bool
}

// Laws returns the monoid without its type.
func (m Monoid[M]) Laws() Laws {
	l := Laws{Name: m.Name, Type: reflect.TypeFor[M](), Identity: m.Identity, Idempotent: m.Idempotent, Exact: m.Exact}
	if m.Func != nil {
		l.Func = func(a, b any) any { return m.Func(as[M](a), as[M](b)) }
	}
	if m.Many != nil {
		l.Many = func(as, bs []any) {
			xs, ys := list[M](as), list[M](bs)
			m.Many(xs, ys)
			box(as, xs)
			box(bs, ys)
		}
	}
	return l
}

// as is an assertion that takes nil for the zero value of an interface.
func as[T any](x any) T {
	t, _ := x.(T)
	return t
}

// parts are those that edge and vertex programs have in common.
func parts[V, M any](values []V, s *Setup, degree func(v uint32) uint64, init func(v Vertex[V]) (V, bool)) Parts {
	p := Parts{Value: reflect.TypeFor[V](), Message: reflect.TypeFor[M]()}
	p.At = func(v uint32, superstep int32, slot int) Place {
		return Place{ID: v, OutDegree: uint32(degree(v)), Superstep: superstep, slot: int32(slot)}
	}
	p.Get = func(v uint32) any { return values[v] }
	p.Set = func(v uint32, value any) { values[v] = as[V](value) }
	p.Init = func(at Place, given any) (any, bool) { return init(Vertex[V]{at, as[V](given)}) }
	for _, a := range s.aggregators {
		p.Aggregators = append(p.Aggregators, a.laws())
	}
	p.Quietly = func(slot int, f func()) {
		defer s.hold(slot)()
		f()
	}
	return p
}

func (a *Aggregator[T]) laws() Laws { return a.monoid.Laws() }

// hold returns what puts the cells of a slot back as they are now: what is added
// meanwhile is forgotten.
func (s *Setup) hold(slot int) (restore func()) {
	list := make([]func(), len(s.aggregators))
	for i, a := range s.aggregators {
		list[i] = a.hold(slot)
	}
	return func() {
		for _, restore := range list {
			restore()
		}
	}
}

// hold returns what puts the cell of a slot back.
func (a *Aggregator[T]) hold(slot int) (restore func()) {
	before := a.cells[slot]
	return func() { a.cells[slot] = before }
}

// Parts shows the edge program or collector.
func (t *edgeTask[V, M]) Parts() Parts {
	if !t.given && !t.begun {
		clear(t.values) // whoever asks before Init may have it read them
	}
	p := parts[V, M](t.values, &t.setup, t.degree, t.program.Init)
	at := func(at Place, value any) Vertex[V] { return Vertex[V]{at, as[V](value)} }
	c := t.spec.Combine
	e := &EdgeParts{Combine: c.Laws(), Along: t.spec.Along, Silent: t.spec.Silent, Sources: t.spec.Edge.kind == opSource, Relaxes: t.relaxes, Absorbs: t.own != nil}
	e.Emit = func(place Place, value any) any { return t.program.Emit(at(place, value)) }
	e.Send = func(offer any, u, v uint32, w float64) (any, bool) {
		x := as[M](offer)
		if t.spec.Edge.leaves(x, c) {
			return offer, true
		}
		return t.spec.Edge.Send(x, u, v, w)
	}
	if t.spec.Edge.Weightless {
		e.SendWeighed = func(offer any, u, v uint32, w float64) (any, bool) { return t.spec.Edge.along(as[M](offer), u, v, w) }
	}
	if t.spec.Edge.Many != nil {
		e.SendMany = func(offers []any, us, vs []uint32, ws []float64) []bool {
			messages := list[M](offers)
			sent := t.spec.Edge.sendMany(messages, us, vs, ws)
			box(offers, messages)
			return sent
		}
	}
	switch {
	case t.collect != nil:
		e.ApplyAll = func(place Place, value any, messages []any) (any, bool) {
			return t.collect.ApplyAll(at(place, value), list[M](messages))
		}
	default:
		e.Apply = func(place Place, value, message any, got bool) (any, bool) {
			return t.combine.Apply(at(place, value), as[M](message), got)
		}
	}
	if t.settler != nil {
		e.Settled = func(value any) bool { return t.settler.Settled(as[V](value)) }
	}
	if t.orderer != nil {
		e.Priority = func(value any) uint64 { return t.orderer.Priority(as[V](value)) }
	}
	if translated, ok := any(t.program).(Translated); ok {
		twin := translated.Twin()
		e.Signals, e.Anew = twin.Signals, twin.Anew
	}
	p.Edge = e
	return p
}

func list[M any](messages []any) []M {
	typed := make([]M, len(messages))
	for i, m := range messages {
		typed[i] = as[M](m)
	}
	return typed
}

// box stores list in boxes, without its type.
func box[M any](boxes []any, list []M) {
	for i, x := range list {
		boxes[i] = x
	}
}

// Parts shows the vertex program.
func (t *vertexTask[V, M]) Parts() Parts {
	p := parts[V, M](t.values, &t.setup, t.g.Out().Degree, t.program.Init)
	p.Vertex = &VertexParts{Compute: func(at Place, value any, messages []any) (any, bool, []Sent) {
		c := &Context[V, M]{Place: at, Value: as[V](value), task: t}
		t.program.Compute(c, list[M](messages))
		sent := make([]Sent, len(c.out))
		for i, s := range c.out {
			sent[i] = Sent{s.to, s.message}
		}
		return c.Value, !c.halted, sent
	}}
	if t.combine != nil {
		l := t.combine.Laws()
		p.Vertex.Combine = &l
	}
	return p
}

// Parts shows the loop of a phase.
func (t *phaseTask) Parts() Parts { return Parts{Phase: t.f} }
