package pregel

import (
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file is what happens to a vertex in a relaxed run.
//
// Boxes are never emptied: a box holds all that its vertex was ever sent, combined.
// A message that changes nothing there says nothing new, by idempotence, and is
// dropped by one load and one comparison; that, and no barrier, is what in place
// gains. Whoever changes a box claims the vertex by its bit in touched, and then
// has it in a list; who finds it claimed leaves it to the owner.
//
// Invariant: a vertex is in at most one list or hand, and its bit in touched says
// so; only the owner reads and writes its value. A box that was changed after its
// owner has read it leads to another visit: the owner looks again after it has
// given the claim up, the sender looks at the claim after it has changed the box,
// and one of them must see the other.

// Vertices are visited by batches, and each read is asked for before it is needed: what is
// known of a batch while the one before is visited, its arcs while those of the one
// before are sent along.
const relaxBatch = 16

// A sending is vertices of a batch that send, what they offer, and their arcs of the first
// direction.
type sending[M any] struct {
	n    int
	us   [relaxBatch]uint32
	xs   [relaxBatch]M
	rows [relaxBatch]mem.Row[uint64] // without what is offered
}

// Relax visits claimed vertices.
func (t *edgeTask[V, M]) Relax(vs []uint32, w *Worker) {
	to, h := t.touching(w), &t.hands[w.Slot]
	if t.rank == nil && t.orderer == nil {
		t.oneByOne(vs, h, to)
		return
	}
	t.ask(vs[:min(len(vs), relaxBatch)])
	for i := 0; len(vs) > 0; i ^= 1 {
		k := min(len(vs), relaxBatch)
		t.ask(vs[k:min(len(vs), k+relaxBatch)])
		if s := &h.sendings[i]; t.loose {
			t.send(vs[:k], s, w)
		} else {
			for _, v := range vs[:k] {
				t.visit(v, s, to)
			}
		}
		h.sendings[i].find(t.sending[0], w)
		t.deliver(&h.sendings[i^1], h, to)
		vs = vs[k:]
	}
	t.deliver(&h.sendings[0], h, to)
	t.deliver(&h.sendings[1], h, to)
}

// oneByOne is Relax where vertices have no order but that of their list: what one sends the next
// one hears at once, without which labels on a grid of 700² were sent along 4 to 13 times the arcs.
func (t *edgeTask[V, M]) oneByOne(vs []uint32, h *hand[M], to *touch) {
	s := &h.sendings[0]
	for i, v := range vs {
		if t.loose {
			t.send(vs[i:i+1], s, to.w)
		} else {
			t.visit(v, s, to)
		}
		if s.n > 0 {
			s.find(t.sending[0], to.w)
			t.deliver(s, h, to)
		}
	}
}

// ask asks for what visits of vs read.
func (t *edgeTask[V, M]) ask(vs []uint32) {
	mem.Prefetch(t.boxes, vs)
	mem.Prefetch(t.values, vs)
	t.offsets.PrefetchEach(vs)
}

// find finds the arcs of those that send, and asks for them.
func (s *sending[M]) find(c graph.CSR, w *Worker) {
	arcs := uint64(0)
	for i, u := range s.us[:s.n] {
		from, to := c.Offsets.Row(u)
		s.rows[i].From, s.rows[i].To = from, to
		arcs += to - from
	}
	w.Arcs += arcs
	if c.Weights.Float != nil {
		mem.PrefetchRows(c.Targets, c.Weights.Float, s.rows[:s.n])
	} else {
		mem.PrefetchRows(c.Targets, c.Weights.Int, s.rows[:s.n])
	}
}

// visit applies what v was sent, notes what it is to send if it is awake and due, and gives
// the claim up: what comes after it was read is worth another visit.
func (t *edgeTask[V, M]) visit(v uint32, s *sending[M], to *touch) {
	message, got := t.read(v)
	if t.begins && got && t.behind(v, message, to) {
		return
	}
	offer, sends := t.turn(v, message, got, to.w)
	if to.w.Alone {
		t.touched.Clear(v)
	} else {
		t.touched.ClearAtomic(v)
		if t.changed(v, message, got) {
			to.mark(v)
		}
	}
	if sends {
		s.us[s.n], s.xs[s.n] = v, offer
		s.n++
	}
}

// turn applies the message to v, and returns what v offers if it sends.
func (t *edgeTask[V, M]) turn(v uint32, message M, got bool, w *Worker) (offer M, sends bool) {
	waited := t.ready.HasAtomic(v)
	awake, at := waited, t.vertex(v, w)
	if got {
		value, wakes := t.combine.Apply(at, message, true)
		t.values[v], at.Value = value, value
		awake = awake || wakes
	}
	if !awake {
		return offer, false
	}
	if t.orderer != nil && t.rank == nil {
		if p := t.orderer.Priority(at.Value); p > t.current {
			if !waited && t.ready.SetAtomic(v) {
				w.Waiting++
			}
			w.Later = append(w.Later, Deferred{v, p})
			return offer, false
		}
	}
	if waited && t.ready.ClearAtomic(v) {
		w.Waiting--
	}
	w.Awake++
	if t.spec.Edge.kind == opSource {
		return t.offer(v, w), true
	}
	return t.program.Emit(at), true
}

// deliver sends what is to be sent along all arcs.
func (t *edgeTask[V, M]) deliver(s *sending[M], h *hand[M], to *touch) {
	if s.n == 0 {
		return
	}
	for i, c := range t.sending {
		if i > 0 {
			s.find(c, to.w)
		}
		switch t.box {
		case named:
			h.improver.improve(s, t.boxes, c, to)
		case word:
			t.deliverWords(s, c, h, to)
		default:
			t.deliverEach(s, c, to)
		}
	}
	s.n = 0
}

// deliverEach is for boxes under a lock.
func (t *edgeTask[V, M]) deliverEach(s *sending[M], c graph.CSR, to *touch) {
	along := t.spec.Edge.along
	for i, u := range s.us[:s.n] {
		to.w.At = u
		r, x := s.rows[i], s.xs[i]
		w := c.Weights.Slice(r.From, r.To)
		for i, v := range c.Targets[r.From:r.To] {
			y, ok := x, true
			if along != nil {
				y, ok = along(x, u, v, w.At(uint64(i)))
			}
			if ok && t.put(v, y) {
				to.mark(v)
			}
		}
	}
}
