package pregel

import "slices"

// An Aggregator folds a number from many vertices into one value a superstep.
// Programs make them in Setup, add to them in Init, Apply or Compute, and read
// the value of the superstep before with Last.
//
// Every worker adds to a cell of its own; cells are emptied into one place per
// range of vertices, and those are folded in order at the barrier. The value is
// therefore the same, to the last bit, for any number of workers.
type Aggregator[T any] struct {
	monoid     Monoid[T]
	persistent bool
	last       T
	cells      []cell[T] // by worker
	parts      []T       // by range of vertices
}

type cell[T any] struct {
	value   T
	flushed bool     // in this superstep
	_       [64]byte // cells are never on one cache line
}

// NewAggregator makes an aggregator for the run that s prepares. Its value is
// folded anew in every superstep.
func NewAggregator[T any](s *Setup, m Monoid[T]) *Aggregator[T] {
	a := &Aggregator[T]{monoid: m, last: m.Identity, cells: make([]cell[T], s.slots), parts: make([]T, s.chunks)}
	for i := range a.cells {
		a.cells[i].value = m.Identity
	}
	for i := range a.parts {
		a.parts[i] = m.Identity
	}
	s.aggregators = append(s.aggregators, a)
	return a
}

// NewPersistentAggregator makes an aggregator whose value is kept from
// superstep to superstep and added to.
func NewPersistentAggregator[T any](s *Setup, m Monoid[T]) *Aggregator[T] {
	a := NewAggregator(s, m)
	a.persistent = true
	return a
}

// Add folds x in. p is the Place of the vertex that adds.
func (a *Aggregator[T]) Add(p Place, x T) {
	c := &a.cells[p.slot]
	c.value = a.monoid.Func(c.value, x)
}

// Last returns what the superstep before (Init, in superstep 0) has added up
// to; in Barrier, the superstep that has just ended.
func (a *Aggregator[T]) Last() T { return a.last }

// folder is an aggregator without its type.
type folder interface {
	flush(slot, chunk int)
	fold()
	exact() bool
	value() any
	laws() Laws
	hold(slot int) (restore func())
	restore(value any) bool
}

// flush empties the cell of a worker into the place of the range of vertices it
// has just finished.
func (a *Aggregator[T]) flush(slot, chunk int) {
	c := &a.cells[slot]
	a.parts[chunk] = a.monoid.Func(a.parts[chunk], c.value)
	c.value, c.flushed = a.monoid.Identity, true
}

// fold makes the value of the superstep, at the barrier.
func (a *Aggregator[T]) fold() {
	sum := a.monoid.Identity
	if a.persistent {
		sum = a.last
	}
	if slices.ContainsFunc(a.cells, func(c cell[T]) bool { return c.flushed }) { // else all parts are the identity
		for i, x := range a.parts {
			sum = a.monoid.Func(sum, x)
			a.parts[i] = a.monoid.Identity
		}
	}
	for i := range a.cells {
		c := &a.cells[i]
		sum = a.monoid.Func(sum, c.value)
		c.value, c.flushed = a.monoid.Identity, false
	}
	a.last = sum
}

func (a *Aggregator[T]) exact() bool { return a.monoid.Exact }
func (a *Aggregator[T]) value() any  { return a.last }

// restore takes what value has given.
func (a *Aggregator[T]) restore(value any) bool {
	last, ok := value.(T)
	if ok {
		a.last = last
	}
	return ok
}
