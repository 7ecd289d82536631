package pregel

import (
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// The loops of relaxed runs.
//
// Most messages change nothing. So messages are first compared with their boxes, and those that
// would change one are kept, without a branch on which these are, as none can foretell that: who
// waits for no box before it reads the next has many reads under way at a time. Then those
// that were kept are combined, if they still change anything.

// An improver sends along arcs, for one worker, and marks those whose boxes it changes.
type improver[M any] interface {
	improve(s *sending[M], boxes []M, c graph.CSR, to *touch)
}

// An improving is the messages that would change a box.
type improving[T Number] struct {
	kind   opKind
	id     T
	rank   func(T) uint64 // nil: messages have no order
	rows   [relaxBatch]mem.Row[T]
	offers mem.Offers[T]
	block  [blockMessages]T
}

type (
	minImproving[T Number] struct{ improving[T] }
	maxImproving[T Number] struct{ improving[T] }
	orImproving[T Integer] struct{ improving[T] }
)

func newImproving[T Number](k opKind, id T, rank func(T) uint64) improving[T] {
	if k == opSource { // what is sent is known when it is offered
		k = opCopy
	}
	return improving[T]{kind: k, id: id, rank: rank}
}

func (minLoops[T]) improver(k opKind, id T, rank func(T) uint64) improver[T] {
	return &minImproving[T]{newImproving(k, id, rank)}
}
func (maxLoops[T]) improver(k opKind, id T, rank func(T) uint64) improver[T] {
	return &maxImproving[T]{newImproving(k, id, rank)}
}
func (orLoops[T]) improver(k opKind, id T, rank func(T) uint64) improver[T] {
	return &orImproving[T]{newImproving(k, id, rank)}
}
func (sumLoops[T]) improver(opKind, T, func(T) uint64) improver[T] { return nil }

func (m *minImproving[T]) improve(s *sending[T], boxes []T, c graph.CSR, to *touch) {
	if m.kind == opPlus && !isInteger[T]() {
		m.sums(s, boxes, c, to)
		return
	}
	m.each(s, c, infinity[T]{m.id, true}, func(ys []T, vs []uint32) {
		if m.full() {
			m.settle(boxes, to)
		}
		at, k := &m.offers.At, m.offers.Found
		for i, v := range vs {
			less := 0
			if ys[i] < mem.Load(&boxes[v]) {
				less = 1
			}
			at[k], m.offers.Sums[k] = v, ys[i]
			k += less
		}
		m.offers.Found = k
	})
	m.settle(boxes, to)
}

// sums is the relaxation of shortest paths.
func (m *minImproving[T]) sums(s *sending[T], boxes []T, c graph.CSR, to *touch) {
	left := m.rows[:s.n]
	for i, r := range s.rows[:s.n] {
		left[i] = mem.Row[T]{From: r.From, To: r.To, Base: s.xs[i]}
	}
	for len(left) > 0 {
		if c.Weights.Float != nil {
			left = mem.Collect(&m.offers, boxes, c.Targets, c.Weights.Float, 1, left)
		} else {
			left = mem.Collect(&m.offers, boxes, c.Targets, c.Weights.Int, 1, left)
		}
		if len(left) == 0 || m.full() {
			m.settle(boxes, to)
		}
	}
}

// settle lowers the boxes.
func (m *minImproving[T]) settle(boxes []T, to *touch) {
	o := &m.offers
	at, xs := o.At[:o.Found], o.Sums[:o.Found]
	if o.Found = 0; to.w.Alone {
		for i, v := range at {
			if x := xs[i]; x < mem.Load(&boxes[v]) {
				boxes[v] = x
				m.mark(v, x, to)
			}
		}
		return
	}
	mem.Own(boxes, at)
	for i, v := range at {
		if lowers(&boxes[v], xs[i]) {
			m.mark(v, xs[i], to)
		}
	}
}

func (m *maxImproving[T]) improve(s *sending[T], boxes []T, c graph.CSR, to *touch) {
	m.each(s, c, infinity[T]{m.id, m.id < 0}, func(ys []T, vs []uint32) {
		if m.full() {
			m.settle(boxes, to)
		}
		at, k := &m.offers.At, m.offers.Found
		for i, v := range vs {
			more := 0
			if ys[i] > mem.Load(&boxes[v]) {
				more = 1
			}
			at[k], m.offers.Sums[k] = v, ys[i]
			k += more
		}
		m.offers.Found = k
	})
	m.settle(boxes, to)
}

// settle raises the boxes.
func (m *maxImproving[T]) settle(boxes []T, to *touch) {
	o := &m.offers
	at, xs := o.At[:o.Found], o.Sums[:o.Found]
	o.Found = 0
	if !to.w.Alone {
		mem.Own(boxes, at)
	}
	for i, v := range at {
		if raises(&boxes[v], xs[i]) {
			m.mark(v, xs[i], to)
		}
	}
}

func (m *orImproving[T]) improve(s *sending[T], boxes []T, c graph.CSR, to *touch) {
	m.each(s, c, infinity[T]{}, func(ys []T, vs []uint32) {
		if m.full() {
			m.settle(boxes, to)
		}
		at, k := &m.offers.At, m.offers.Found
		for i, v := range vs {
			more := 0
			if ys[i]&^mem.Load(&boxes[v]) != 0 {
				more = 1
			}
			at[k], m.offers.Sums[k] = v, ys[i]
			k += more
		}
		m.offers.Found = k
	})
	m.settle(boxes, to)
}

// settle widens the boxes.
func (m *orImproving[T]) settle(boxes []T, to *touch) {
	o := &m.offers
	at, xs := o.At[:o.Found], o.Sums[:o.Found]
	o.Found = 0
	if !to.w.Alone {
		mem.Own(boxes, at)
	}
	for i, v := range at {
		if widens(&boxes[v], xs[i]) {
			to.mark(v)
		}
	}
}

// mark notes that the message x has changed the box of v.
func (m *improving[T]) mark(v uint32, x T, to *touch) {
	if m.rank == nil {
		to.mark(v)
	} else {
		to.come(v, m.rank(x))
	}
}

// full tells whether there is no room for another block.
func (m *improving[T]) full() bool { return m.offers.Found > len(m.offers.At)-blockMessages }

// each calls keep with the messages of each arc, block by block.
func (m *improving[T]) each(s *sending[T], c graph.CSR, inf infinity[T], keep func(ys []T, vs []uint32)) {
	for i, r := range s.rows[:s.n] {
		vs, w := c.Targets[r.From:r.To], c.Weights.Slice(r.From, r.To)
		for lo := 0; lo < len(vs); lo += blockMessages {
			ys := spread(m.block[:], m.kind, inf, s.xs[i], len(vs)-lo, after(w, lo))
			keep(ys, vs[lo:lo+len(ys)])
		}
	}
}

// lowers makes *p the lesser of itself and x, and tells whether that has changed
// it.
func lowers[T Number](p *T, x T) bool {
	for {
		old := mem.Load(p)
		if !(x < old) {
			return false
		}
		if mem.Swap(p, old, x) {
			return true
		}
	}
}

// raises makes *p the greater of itself and x, and tells likewise.
func raises[T Number](p *T, x T) bool {
	for {
		old := mem.Load(p)
		if !(x > old) {
			return false
		}
		if mem.Swap(p, old, x) {
			return true
		}
	}
}

// widens makes *p the union of itself and x, and tells likewise.
func widens[T Integer](p *T, x T) bool {
	for {
		old := mem.Load(p)
		if old|x == old {
			return false
		}
		if mem.Swap(p, old, old|x) {
			return true
		}
	}
}
