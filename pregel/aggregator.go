package pregel

import "slices"

// An Aggregator folds a number from many vertices into one value a superstep.
// Programs make them in Setup, add to them in Init, Emit, Apply or Compute, and read
// the value of the superstep before with Last.
//
// Every worker adds to a cell of its own; cells are emptied into one place per
// range of vertices, and those are folded in order at the barrier. The value is
// therefore the same, to the last bit, for any number of workers; but sums of floats that
// Emit adds to are not, as who sends has no range.
//
// Sums of floats have four lanes, a to d, within a range: vertex v adds to lane v%4, and
// the range has (a+b)+(c+d). So a BlockProgram can do four at once (mem.Affine): one
// addition after the other was a sixth of PageRank's time on grids.
type Aggregator[T any] struct {
	monoid     Monoid[T]
	persistent bool
	last       T
	lanes      uint32 // of a cell that are used, less 1
	sums       laneSums[T]
	cells      []cell[T] // by worker
	parts      []T       // by range of vertices
}

type cell[T any] struct {
	values  [4]T
	added   bool     // since it was emptied last
	flushed bool     // in this superstep
	_       [64]byte // cells are never on one cache line
}

// NewAggregator makes an aggregator for the run that s prepares. Its value is
// folded anew in every superstep.
func NewAggregator[T any](s *Setup, m Monoid[T]) *Aggregator[T] {
	a := &Aggregator[T]{monoid: m, last: m.Identity, cells: make([]cell[T], s.slots), parts: make([]T, s.chunks)}
	if sums, ok := m.loops.(laneSums[T]); ok && !m.Exact {
		a.lanes, a.sums = 3, sums
	}
	for i := range a.cells {
		a.cells[i].empty(m.Identity)
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
	value := &c.values[p.ID&a.lanes]
	*value = a.monoid.Func(*value, x)
	c.added = true
}

// AddBlock folds in what the vertices of a block would have added up to, one of them at p,
// and nobody else adds for that block: a call in place of several by way of a cell, which were
// a thirtieth of PageRank's time where vertices have few arcs. It is for the functions of blocks
// alone: what Emit, Apply and Init add may be taken back, this not.
func (a *Aggregator[T]) AddBlock(p Place, x T) {
	part := &a.parts[p.ID/BlockSize]
	*part = a.monoid.Func(*part, x)
	a.cells[p.slot].flushed = true
}

func (c *cell[T]) empty(identity T) {
	c.values, c.added = [4]T{identity, identity, identity, identity}, false
}

// laneSums does what an aggregator with four lanes does, without a call for each addition.
type laneSums[T any] interface {
	// joined is (a+b)+(c+d).
	joined(lanes *[4]T) T
	// spread adds list[i] to lane i%4.
	spread(lanes *[4]T, list []T)
}

// take empties a cell.
func (a *Aggregator[T]) take(c *cell[T]) T {
	x := c.values[0]
	if a.lanes > 0 {
		x = a.sums.joined(&c.values)
	}
	c.empty(a.monoid.Identity)
	return x
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
	if c := &a.cells[slot]; c.added {
		a.parts[chunk] = a.monoid.Func(a.parts[chunk], a.take(c))
		c.flushed = true
	}
}

// fold makes the value of the superstep, at the barrier.
func (a *Aggregator[T]) fold() {
	sum := a.monoid.Identity
	if a.persistent {
		sum = a.last
	}
	if slices.ContainsFunc(a.cells, func(c cell[T]) bool { return c.flushed }) { // else all parts are the identity
		sum = a.monoid.Func(sum, a.foldParts())
	}
	for i := range a.cells {
		c := &a.cells[i]
		sum = a.monoid.Func(sum, a.take(c))
		c.flushed = false
	}
	a.last = sum
}

// foldParts empties all parts, in as many lanes as cells have: nobody else works meanwhile.
func (a *Aggregator[T]) foldParts() T {
	var c cell[T]
	c.empty(a.monoid.Identity)
	if a.lanes > 0 {
		a.sums.spread(&c.values, a.parts)
	} else {
		for _, x := range a.parts {
			c.values[0] = a.monoid.Func(c.values[0], x)
		}
	}
	for i := range a.parts {
		a.parts[i] = a.monoid.Identity
	}
	return a.take(&c)
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
