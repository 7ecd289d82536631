package pregel

import (
	"fmt"

	"gopregel/pregel/graph"
)

// Place is where and when a call of a program runs.
type Place struct {
	ID        uint32 // the vertex
	OutDegree uint32 // its arcs along which the program sends
	Superstep int32  // of this run, from 0; -1 in Init
	slot      int32  // of the worker: aggregators have a cell for each
}

// A Vertex is what a program sees of a vertex in one call.
type Vertex[V any] struct {
	Place
	Value V
}

// An EdgeProgram is a vertex-centric algorithm in pure parts: V is the type of
// a vertex's value, M that of messages. Init, Emit and Apply may be called at
// the same time for different vertices and must not change anything but their
// results and aggregators. They are called through an interface: where a program has more than
// a few words, let their receivers be pointers, or each call copies it.
type EdgeProgram[V, M any] interface {
	// Spec states the declarative part. It is asked once per run.
	Spec() Spec[M]
	// Init gives the first value of a vertex and whether it is awake in
	// superstep 0. v.Value is the column's value when the run was given one
	// (WithValues), else zero.
	Init(v Vertex[V]) (value V, awake bool)
	// Emit gives what an awake vertex offers along each of its edges, once a superstep
	// however many there are (but see Local, Relaxer).
	Emit(v Vertex[V]) M
	// Apply gives the value at the start of the next superstep and whether the
	// vertex is awake there; got tells whether a message came, message is the
	// combiner's identity if not.
	Apply(v Vertex[V], message M, got bool) (value V, awake bool)
}

// Along says which edges a program sends along.
type Along uint8

// The directions of sending.
const (
	OutEdges  Along = iota // from source to target
	InEdges                // from target to source
	BothEdges              // both: a neighbour joined both ways gets two messages
)

// Spec is what an edge program declares about itself.
type Spec[M any] struct {
	Combine Monoid[M]
	Edge    EdgeOp[M]
	Along   Along
	// Silent makes Apply run for awake vertices without a message too. Without
	// it, a vertex that gets no message falls asleep.
	Silent bool
	// Local says that Emit looks at nothing but the Vertex: at no aggregator, nor at what
	// Barrier changes; and adds to none. Engines may then call it for the next superstep as soon as a vertex
	// has its value, and for values that nobody asks for as the run ends before.
	Local bool
}

// A Collector is an edge program that sees its messages one by one instead of
// combined: RunCollector calls ApplyAll with the messages in order of their
// sources (out-neighbours first when sent along both edges), and Spec's Combine
// stays empty. The slice is reused after the call. Messages are pulled.
type Collector[V, M any] interface {
	Spec() Spec[M]
	Init(v Vertex[V]) (value V, awake bool)
	Emit(v Vertex[V]) M
	ApplyAll(v Vertex[V], messages []M) (value V, awake bool)
}

// A Settler knows when a vertex is done: Apply would never change its value or
// wake it again. Engines then spare the messages to it. Settled looks at nothing but the value:
// of vertices with the same value one may be asked about.
type Settler[V any] interface {
	Settled(value V) bool
}

// A Prioritizer orders its awake vertices: one whose priority is above the
// run's current one waits, awake, until no vertex below is left. The current
// priority then rises to the least that waits, and all vertices up to it emit.
// Delta-stepping is Bellman-Ford with priority distance/delta; the answer of a
// program must not depend on the order. Priority is of the value at the end of
// a superstep.
type Prioritizer[V any] interface {
	Priority(value V) uint64
}

// An Absorber is an edge program whose values are of the type of messages and take in what
// comes: Apply combines value and message, by Spec's combiner, and the vertex is awake then
// if that has changed its value, to the bit; Emit offers the value; neither adds to an aggregator.
// Lengths and widths of paths, labels and reach are found so. It tells so by returning true; the
// method is asked once per run, after Setup. Engines then do without calls of Emit and Apply where
// it suits; package check compares.
type Absorber interface {
	Absorbs() bool
}

// A Setuper prepares for a run: it checks parameters against the graph and
// makes its aggregators.
type Setuper interface {
	Setup(s *Setup) error
}

// A Barrierer is called between supersteps, when aggregators are folded: there
// it may report its metric and end the run.
type Barrierer interface {
	Barrier(s *Step)
}

// A Namer has a name for messages and records; otherwise its type is used.
type Namer interface {
	Name() string
}

func nameOf(p any) string {
	if n, ok := p.(Namer); ok {
		return n.Name()
	}
	return fmt.Sprintf("%T", p)
}

// Setup is what a program is given before a run.
type Setup struct {
	Graph       *graph.Graph
	slots       int
	chunks      int
	aggregators []folder
	kept        []any // pointers
}

// A Step is what a program sees and decides at the end of a superstep.
type Step struct {
	Superstep int // that has just ended, from 0; -1 after Init
	metric    Metric
	ended     bool
	converged bool
	err       error
}

// Metric is a number that a run brings below a tolerance.
type Metric struct {
	Name             string
	Value, Tolerance float64
}

// Metric reports how far the run is. It has converged, and ends, when the value
// is at most the tolerance and the tolerance is positive.
func (s *Step) Metric(name string, value, tolerance float64) {
	s.metric = Metric{name, value, tolerance}
	if tolerance > 0 && value <= tolerance {
		s.converged = true
	}
}

// Halt ends the run as if all vertices had voted to.
func (s *Step) Halt() { s.ended = true }

// Fail ends the run with an error.
func (s *Step) Fail(err error) { s.err = err }
