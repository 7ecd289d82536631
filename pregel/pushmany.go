package pregel

import (
	"slices"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file sends along arcs by functions of many: in supersteps that push, and in
// relaxed runs.
//
// Arcs of several vertices are put side by side in a bundle, so that rows that are short share a call,
// and the boxes of all of it are on their way while the others are read.
//
// Cost: a call for up to 256 arcs, and one for what it combines, in runs in place; in pushes a call an arc.
//
// Invariant: messages of a push are combined in the order of their sources.

// pushMany is pushCalls where functions of many are called.
func (t *edgeTask[V, M]) pushMany(us []uint32, to *touch, share *callShare[M]) {
	var s sending[M]
	m, c := t.corners[to.w.Slot].bundle, t.sending[0]
	m.begin(t.sending, 0, nil)
	m.pushed, m.picked = true, true
	defer func() {
		if thrown := recover(); thrown != nil {
			at := to.w.At
			if m.n > 0 {
				at = m.pieces[0].v
			}
			t.pushCalls(from(us, at), to, share) // finds the vertex
			to.w.At = at
			panic(thrown)
		}
	}()
	for rest := us; len(rest) > 0; {
		k := min(len(rest), relaxBatch)
		s.n = copy(s.us[:], rest[:k])
		s.find(c, to.w)
		rest = rest[k:]
		t.ask(rest[:min(len(rest), relaxBatch)])
		for i, u := range s.us[:k] {
			s.xs[i] = t.offerAlong(u, s.rows[i].To-s.rows[i].From, to.w)
		}
		for i := range k {
			t.addOpen(m, &s, i, to, share)
		}
	}
	t.pushBundle(m, to, share)
}

// from is the part of an ascending list that begins with u.
func from(us []uint32, u uint32) []uint32 {
	k, _ := slices.BinarySearch(us, u)
	return us[k:]
}

// addOpen puts the arcs of sender i to those who are not settled into the bundle.
func (t *edgeTask[V, M]) addOpen(m *bundle[M], s *sending[M], i int, to *touch, share *callShare[M]) {
	targets, r, x := t.sending[0].Targets, s.rows[i], s.xs[i]
	for from := r.From; from < r.To; from += callsAhead {
		vs := targets[from:min(from+callsAhead, r.To)]
		if m.n+len(vs) > ArcsAtOnce {
			t.pushBundle(m, to, share)
		}
		n := m.pick(to.settled, ^uint64(0), vs)
		if n == 0 {
			continue
		}
		messages := m.messages[m.n:][:n]
		for i := range messages {
			messages[i] = x
		}
		m.add(s.us[i], 0, from, n)
	}
}

// pushBundle makes messages of the bundle, combines them into boxes or notes them in a share, and empties it.
func (t *edgeTask[V, M]) pushBundle(m *bundle[M], to *touch, share *callShare[M]) {
	if m.n == 0 {
		return
	}
	if share != nil {
		m.send(&t.spec.Edge)
		share.noteAll(m.kept())
		m.clear()
		return
	}
	mem.Prefetch(t.boxes, m.others[:m.n])
	m.send(&t.spec.Edge)
	combine, boxes, touched := t.spec.Combine.Func, t.boxes, to.touched
	vs, xs := m.kept()
	n := len(to.w.Touched)
	list := slices.Grow(to.w.Touched, len(vs))[:n+len(vs)]
	for i, v := range vs {
		boxes[v] = combine(boxes[v], xs[i])
		word := touched[v>>6]
		touched[v>>6] = word | 1<<(v&63)
		list[n] = v
		n += int(^word >> (v & 63) & 1)
	}
	to.w.Touched = list[:n]
	m.clear()
}

// deliverMany is deliverWords by functions of many.
func (t *edgeTask[V, M]) deliverMany(s *sending[M], c graph.CSR, h *hand[M], to *touch) {
	m := t.corners[to.w.Slot].bundle
	m.begin(m.one(c), 0, nil)
	m.pushed = true
	defer func() {
		if thrown := recover(); thrown != nil {
			at := m.pieces[0].v
			t.deliverOnes(s, c, h, to) // finds the vertex: who has got a message minds no other
			to.w.At = at
			panic(thrown)
		}
	}()
	for i, u := range s.us[:s.n] {
		x, r := s.xs[i], s.rows[i]
		for r.From < r.To {
			if m.n == ArcsAtOnce {
				t.putMany(m, to)
			}
			n := min(int(r.To-r.From), ArcsAtOnce-m.n)
			others, messages := m.others[m.n:][:n], m.messages[m.n:][:n]
			copy(others, c.Targets[r.From:])
			mem.Prefetch(t.boxes, others)
			if row := t.spec.Edge.row; row != nil {
				row(x, c.Weights.Slice(r.From, r.From+uint64(n)), messages)
			} else {
				for k := range messages {
					messages[k] = x
				}
			}
			m.add(u, 0, r.From, n)
			r.From += uint64(n)
		}
	}
	t.putMany(m, to)
}

// putMany makes messages of the bundle, combines them into words, and empties it. Two may be for
// the same box: the second then finds another word there than it has been combined with, as if
// another worker had been there meanwhile.
func (t *edgeTask[V, M]) putMany(m *bundle[M], to *touch) {
	if m.n == 0 {
		return
	}
	if t.spec.Edge.row == nil { // else they are messages
		m.send(&t.spec.Edge)
	}
	vs, xs := m.kept()
	if t.spec.Combine.Many == nil {
		t.putWords(vs, xs, to)
		m.clear()
		return
	}
	olds, news := m.as[:len(vs)], m.bs[:len(vs)]
	for i, v := range vs {
		old := mem.Load(&t.boxes[v])
		olds[i], news[i] = old, old
	}
	t.spec.Combine.Many(news, xs)
	id := t.spec.Combine.Identity
	n, ids := 0, false
	for i, x := range news {
		m.at[n] = uint8(i)
		if !mem.Same(x, olds[i]) { // as often as not: no branch
			n++
		}
		if mem.Same(x, id) {
			ids = true
		}
	}
	for _, i := range m.at[:n] {
		if v := vs[i]; mem.Swap(&t.boxes[v], olds[i], news[i]) {
			t.noteWord(v, news[i], to)
		} else {
			t.putWords(vs[i:][:1], xs[i:][:1], to)
		}
	}
	if ids && !t.loose { // who is told nothing new may be told for the first time
		t.putWords(vs, xs, to)
	}
	m.clear()
}
