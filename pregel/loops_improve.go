package pregel

import (
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// The loops of relaxed runs: most messages change nothing, which a load and a
// comparison find out.
//
// Of shortest paths, those messages that would change a box are first kept, without a branch on
// which these are, as none can foretell that: who waits for no box before it reads the next has
// many reads under way at a time. Then those that were kept are combined, if they still change
// anything. For other messages, by loops that are not made of vector instructions, this
// costs 1.3 to 3 times the branches.

// An improver sends along arcs, for one worker, and marks those whose boxes it changes.
type improver[M any] interface {
	improve(s *sending[M], boxes []M, c graph.CSR, to *touch)
}

// An improving is what improvers have in common.
type improving[T Number] struct {
	kind opKind
	id   T
	rank func(T) uint64 // nil: messages have no order
}

// mark notes that the message x has changed the box of v.
func (m *improving[T]) mark(v uint32, x T, to *touch) {
	if m.rank == nil {
		to.mark(v)
	} else {
		to.come(v, m.rank(x))
	}
}

type (
	minImproving[T Number] struct {
		improving[T]
		rows   [relaxBatch]mem.Row[T]
		offers mem.Offers[T]
	}
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
	return &minImproving[T]{improving: newImproving(k, id, rank)}
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
	for i, r := range s.rows[:s.n] {
		m.row(s.xs[i], boxes, c.Targets[r.From:r.To], c.Weights.Slice(r.From, r.To), to)
	}
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
		m.settle(boxes, to)
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

// row sends x along arcs to vs.
func (m *minImproving[T]) row(x T, boxes []T, vs []uint32, w graph.Weights, to *touch) {
	switch {
	case m.kind == opCopy:
		for _, v := range vs {
			if x < mem.Load(&boxes[v]) && lowers(&boxes[v], x) {
				to.mark(v)
			}
		}
	case m.kind == opPlus && x != m.id && w.Int != nil:
		improveSum(m, x, boxes, vs, w.Int, to)
	case m.kind == opPlus && x != m.id && w.Float != nil:
		improveSum(m, x, boxes, vs, w.Float, to)
	default:
		var block [blockMessages]T
		for lo := 0; lo < len(vs); lo += blockMessages {
			for i, y := range spread(block[:], m.kind, infinity[T]{m.id, true}, x, len(vs)-lo, after(w, lo)) {
				if v := vs[lo+i]; y < mem.Load(&boxes[v]) && lowers(&boxes[v], y) {
					m.mark(v, y, to)
				}
			}
		}
	}
}

// improveSum is sums of integers.
func improveSum[T Number, W int32 | float32](m *minImproving[T], x T, boxes []T, vs []uint32, w []W, to *touch) {
	w = w[:len(vs)]
	for i, v := range vs {
		if y := x + T(w[i]); y < mem.Load(&boxes[v]) && lowers(&boxes[v], y) {
			m.mark(v, y, to)
		}
	}
}

func (m *maxImproving[T]) improve(s *sending[T], boxes []T, c graph.CSR, to *touch) {
	for i, r := range s.rows[:s.n] {
		m.row(s.xs[i], boxes, c.Targets[r.From:r.To], c.Weights.Slice(r.From, r.To), to)
	}
}

// row sends x along arcs to vs.
func (m *maxImproving[T]) row(x T, boxes []T, vs []uint32, w graph.Weights, to *touch) {
	switch {
	case m.kind == opCopy:
		for _, v := range vs {
			if x > mem.Load(&boxes[v]) && raises(&boxes[v], x) {
				to.mark(v)
			}
		}
	case m.kind == opLeast && w.Int != nil:
		improveLeast(m, x, boxes, vs, w.Int, to)
	case m.kind == opLeast && w.Float != nil:
		improveLeast(m, x, boxes, vs, w.Float, to)
	default:
		var block [blockMessages]T
		for lo := 0; lo < len(vs); lo += blockMessages {
			for i, y := range spread(block[:], m.kind, infinity[T]{m.id, m.id < 0}, x, len(vs)-lo, after(w, lo)) {
				if v := vs[lo+i]; y > mem.Load(&boxes[v]) && raises(&boxes[v], y) {
					m.mark(v, y, to)
				}
			}
		}
	}
}

// improveLeast is the relaxation of widest paths.
func improveLeast[T Number, W int32 | float32](m *maxImproving[T], x T, boxes []T, vs []uint32, w []W, to *touch) {
	w = w[:len(vs)]
	for i, v := range vs {
		if y := min(x, T(w[i])); y > mem.Load(&boxes[v]) && raises(&boxes[v], y) {
			m.mark(v, y, to)
		}
	}
}

func (m *orImproving[T]) improve(s *sending[T], boxes []T, c graph.CSR, to *touch) {
	for i, r := range s.rows[:s.n] {
		m.row(s.xs[i], boxes, c.Targets[r.From:r.To], c.Weights.Slice(r.From, r.To), to)
	}
}

// row sends x along arcs to vs.
func (m *orImproving[T]) row(x T, boxes []T, vs []uint32, w graph.Weights, to *touch) {
	if m.kind == opCopy {
		for _, v := range vs {
			if x&^mem.Load(&boxes[v]) != 0 && widens(&boxes[v], x) {
				to.mark(v)
			}
		}
		return
	}
	var block [blockMessages]T
	for lo := 0; lo < len(vs); lo += blockMessages {
		for i, y := range spread(block[:], m.kind, infinity[T]{}, x, len(vs)-lo, after(w, lo)) {
			if v := vs[lo+i]; widens(&boxes[v], y) {
				to.mark(v)
			}
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
