package pregel

import (
	"context"
	"fmt"
	"reflect"

	"gopregel/pregel/mem"
)

// EdgeAlgorithm makes an algorithm of one edge program: what a command runs by its
// name, with parameters. Jobs set the exported fields of the program that have tags
// as Algorithm says (p is then a pointer; a parameter that names a vertex is looked
// up in Setup). Its values are the answer: a column for each field, named as Present
// says, or else as the field; of what is no struct, one column "value".
//
// What the program declares, the algorithm does: a Relaxer may be relaxed, a
// Translated program runs on a CUDA device, and all have checkpoints. A program
// that is also a Certifier, Renumberer or Limiter makes the algorithm one.
func EdgeAlgorithm[V, M any](p EdgeProgram[V, M]) Algorithm {
	return whole(p, mem.Size[M](), func(ctx context.Context, j *Job) (Result[V], error) { return RunEdge(ctx, j, p, WithUserOrder()) })
}

// VertexAlgorithm is EdgeAlgorithm for a vertex program.
func VertexAlgorithm[V, M any](p VertexProgram[V, M]) Algorithm {
	return whole(p, mem.Size[M](), func(ctx context.Context, j *Job) (Result[V], error) { return RunVertex(ctx, j, p) })
}

// CollectorAlgorithm is EdgeAlgorithm for an edge program that sees its messages one
// by one.
func CollectorAlgorithm[V, M any](p Collector[V, M]) Algorithm {
	return whole(p, mem.Size[M](), func(ctx context.Context, j *Job) (Result[V], error) { return RunCollector(ctx, j, p) })
}

// A Parametrized algorithm has its parameters in the fields of what Parameters
// returns: a pointer to a struct.
type Parametrized interface {
	Parameters() any
}

// A Sized algorithm has values and messages of so many bytes.
type Sized interface {
	Sizes() (value, message int)
}

// wholeAlgorithm is one program from its start to its end.
type wholeAlgorithm[V any] struct {
	program any
	message int // bytes
	run     func(ctx context.Context, j *Job) (Result[V], error)
}

// whole adds what an algorithm has only if its program has it.
func whole[V any](program any, message int, run func(ctx context.Context, j *Job) (Result[V], error)) Algorithm {
	a := &wholeAlgorithm[V]{program, message, run}
	certifier, certifies := program.(Certifier)
	renumberer, renumbers := program.(Renumberer)
	switch {
	case certifies && renumbers:
		return &struct {
			*wholeAlgorithm[V]
			Certifier
			Renumberer
		}{a, certifier, renumberer}
	case certifies:
		return &struct {
			*wholeAlgorithm[V]
			Certifier
		}{a, certifier}
	case renumbers:
		return &struct {
			*wholeAlgorithm[V]
			Renumberer
		}{a, renumberer}
	}
	return a
}

// Run runs the program.
func (a *wholeAlgorithm[V]) Run(ctx context.Context, j *Job) (*Answer, error) {
	fields, err := fieldsOf(reflect.TypeFor[V](), present(a.program))
	if err != nil {
		return nil, fmt.Errorf("program %s: %w", nameOf(a.program), err)
	}
	r, err := a.run(ctx, j)
	if err != nil {
		return nil, err
	}
	table := Table{PerVertex: true}
	if table.Columns, err = columnsOf(r.Values, fields); err != nil {
		return nil, fmt.Errorf("program %s: %w", nameOf(a.program), err)
	}
	return &Answer{Stop: r.Stop, Table: table, Ordered: r.Ordered}, nil
}

// Parameters returns the program; one that is no pointer has none, unless it has
// exported fields, which nobody could set.
func (a *wholeAlgorithm[V]) Parameters() any {
	t := reflect.TypeOf(a.program)
	if t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Struct {
		return a.program
	}
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			if f.IsExported() && !f.Anonymous {
				return a.program
			}
		}
	}
	return &struct{}{}
}

// DefaultMaxSupersteps is the program's, or 0: no limit.
func (a *wholeAlgorithm[V]) DefaultMaxSupersteps() int {
	if l, ok := a.program.(Limiter); ok {
		return l.DefaultMaxSupersteps()
	}
	return 0
}

// OnDevice tells whether the program has a CUDA form.
func (a *wholeAlgorithm[V]) OnDevice() bool {
	_, ok := a.program.(Translated)
	return ok
}

// Relaxes tells whether messages may be delivered at once.
func (a *wholeAlgorithm[V]) Relaxes(device bool) bool {
	r, ok := a.program.(Relaxer)
	return ok && r.Relaxes() && (!device || a.OnDevice())
}

// Resumes tells that a program that is all of the run goes on from checkpoints.
func (a *wholeAlgorithm[V]) Resumes(device bool) bool { return !device || a.OnDevice() }

// Sizes are those of the program's types.
func (a *wholeAlgorithm[V]) Sizes() (value, message int) { return mem.Size[V](), a.message }
