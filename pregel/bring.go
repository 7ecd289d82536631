package pregel

import "reflect"

// This file has values of a prepared graph brought into the user's order by an engine that
// has them in memory of its own, before it copies them: that takes a device a tenth of a
// millisecond or so, and the host as long as many a run.

// A Bringing is what is asked of such an engine, which may leave it.
type Bringing struct {
	Order, Place []uint32 // Job.Order: the value of the user's vertex u is that of vertex Place[u], which is named Order[Place[u]]
	Vertices     []int    // where in a value a vertex is named, as a uint32 or graph.None: bytes from its start
	Done         bool     // told by the engine: Values stand by the user's numbers, and name vertices by these
}

// WithUserOrder says that the values of a run on a prepared graph may come back in the user's
// order, with the vertices that Present names by the user's numbers: Result.Ordered tells
// whether they do. Where the state of the run may be looked at they do not.
func WithUserOrder() Option { return func(o *options) { o.ordered = true } }

// Bringing returns what is asked for values that name vertices in these places; nil: nothing, as
// the job's graph is the user's, or the state of the run may be looked at.
func (j *Job) Bringing(vertices ...int) *Bringing {
	if j.prepared == nil || j.Checkpoints != nil || j.Barrier != nil {
		return nil
	}
	return &Bringing{Order: j.prepared.order, Place: j.prepared.place, Vertices: vertices}
}

// bringingOf is what is asked for a program with values of type V; nil: nothing.
func bringingOf[V any](j *Job, program any, o options) *Bringing {
	if !o.ordered || j.prepared == nil {
		return nil
	}
	fields, err := fieldsOf(reflect.TypeFor[V](), present(program))
	if err != nil {
		return nil // the run's values are no columns
	}
	var vertices []int
	for _, f := range fields {
		if f.vertex {
			vertices = append(vertices, f.at)
		}
	}
	return j.Bringing(vertices...)
}

// Brought tells whether it was asked for, and done.
func (b *Bringing) Brought() bool { return b != nil && b.Done }
