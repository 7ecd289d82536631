package pregel

import (
	"math"

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
	kind  opKind
	id    T
	order *ranking[T] // nil: messages have none
}

// mark notes that the message x has changed the box of v.
func (m *improving[T]) mark(v uint32, x T, to *touch) {
	if m.order == nil {
		to.mark(v)
	} else {
		to.come(v, m.rankOf(x))
	}
}

// rankOf is the rank of a message where there is an order.
func (m *improving[T]) rankOf(x T) uint64 {
	if m.order.asked {
		return m.order.of(x)
	}
	return rankIn(m.order, x)
}

type (
	minImproving[T Number] struct {
		improving[T]
		rows   [relaxBatch]mem.Row[T]
		offers mem.Offers[T]
		within T // of integers: no offer up to this is beyond their type with a weight more; 0: none is known
	}
	maxImproving[T Number] struct{ improving[T] }
	orImproving[T Integer] struct{ improving[T] }
)

func newImproving[T Number](k opKind, id T, order *ranking[T]) improving[T] {
	if k == opSource { // what is sent is known when it is offered
		k = opCopy
	}
	return improving[T]{kind: k, id: id, order: order}
}

func (minLoops[T]) improver(k opKind, id T, order *ranking[T], most float64) improver[T] {
	m := &minImproving[T]{improving: newImproving(k, id, order)}
	if isInteger[T]() && most <= math.MaxInt32 {
		m.within = Largest[T]() - T(most)
	}
	return m
}
func (maxLoops[T]) improver(k opKind, id T, order *ranking[T], _ float64) improver[T] {
	return &maxImproving[T]{newImproving(k, id, order)}
}
func (orLoops[T]) improver(k opKind, id T, order *ranking[T], _ float64) improver[T] {
	return &orImproving[T]{newImproving(k, id, order)}
}
func (sumLoops[T]) improver(opKind, T, *ranking[T], float64) improver[T] { return nil }

func (m *minImproving[T]) improve(s *sending[T], boxes []T, c graph.CSR, to *touch) {
	k, whole := 0, isInteger[T]()
	bySums := m.kind == opPlus && (!whole || m.within > 0 && c.Weights.Int != nil)
	for i, r := range s.rows[:s.n] {
		x := s.xs[i]
		if bySums && (!whole || x >= 0 && x <= m.within) { // mem.Collect takes integers for such without sign
			m.rows[k] = mem.Row[T]{From: r.From, To: r.To, Base: x}
			k++
		} else {
			m.row(x, boxes, c.Targets[r.From:r.To], c.Weights.Slice(r.From, r.To), to)
		}
	}
	m.sums(m.rows[:k], boxes, c, to)
}

// sums is the relaxation of shortest paths.
func (m *minImproving[T]) sums(left []mem.Row[T], boxes []T, c graph.CSR, to *touch) {
	for len(left) > 0 {
		if c.Weights.Float != nil {
			left = mem.Collect(&m.offers, boxes, c.Targets, c.Weights.Float, 1, left)
		} else {
			left = mem.Collect(&m.offers, boxes, c.Targets, c.Weights.Int, 1, left)
		}
		if to.loose && m.order != nil && !m.order.asked {
			m.settleLoose(boxes, to)
		} else {
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

// settleLoose is settle where vertices are not claimed: it lists them by the ranks of their messages.
// With a call for each, as there, shortest paths on a grid took a twentieth longer.
func (m *minImproving[T]) settleLoose(boxes []T, to *touch) {
	o, w, near, order := &m.offers, to.w, to.near, m.order
	at, xs := o.At[:o.Found], o.Sums[:o.Found]
	touched, behind, before := w.Touched, w.Behind, len(w.Behind)
	if o.Found = 0; !w.Alone {
		mem.Own(boxes, at)
	}
	for i, v := range at {
		x := xs[i]
		if !w.Alone {
			if !lowers(&boxes[v], x) {
				continue
			}
		} else if x < mem.Load(&boxes[v]) {
			boxes[v] = x
		} else {
			continue
		}
		if rank := rankIn(order, x); rank <= near {
			touched = append(touched, v)
		} else {
			behind = append(behind, Deferred{v, rank})
		}
	}
	w.Touched, w.Behind = touched, behind
	w.Waiting += uint64(len(behind) - before)
}

// row sends x along arcs to vs.
func (m *minImproving[T]) row(x T, boxes []T, vs []uint32, w graph.Weights, to *touch) {
	switch {
	case m.kind == opCopy:
		for _, v := range vs {
			if x < mem.Load(&boxes[v]) && lowers(&boxes[v], x) {
				m.mark(v, x, to)
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
				m.mark(v, x, to)
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
				m.mark(v, mem.Load(&boxes[v]), to)
			}
		}
		return
	}
	var block [blockMessages]T
	for lo := 0; lo < len(vs); lo += blockMessages {
		for i, y := range spread(block[:], m.kind, infinity[T]{}, x, len(vs)-lo, after(w, lo)) {
			if v := vs[lo+i]; widens(&boxes[v], y) {
				m.mark(v, mem.Load(&boxes[v]), to)
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
