package pregel

import (
	"slices"

	"gopregel/pregel/bitmap"
)

// This file is edgeforward.go for several workers. The frontier, ascending, is cut into
// shares. Each gathers whom its vertices are the first to send to, in a set of its own;
// then each applies the messages of those whom no share before it has sent to, since
// that has the lesser sender. While arcs are read nothing is written that another
// worker reads, so that it takes no atomics.

// A share is one part of a frontier.
type share struct {
	got   bitmap.Bitmap // whom it has sent to: the vertices v
	v, by []uint32      // those, and who was the first to
}

// Shares makes room for so many.
func (t *edgeTask[V, M]) Shares(n int) {
	for len(t.shares) < n {
		t.shares = append(t.shares, share{got: bitmap.New(t.g.N())})
	}
}

// GatherShare sends for the vertices us, which are share k.
func (t *edgeTask[V, M]) GatherShare(k int, us []uint32, w *Worker) {
	s := &t.shares[k]
	s.empty()
	c, got, settled := t.sending[0], s.got, t.settled
	if settled == nil {
		settled = got
	}
	to := touch{w: w}
	vs, by := s.v, s.by
	for len(us) > 0 {
		k := min(len(us), batch)
		spans := spansOf(us[:k], c, &to)
		for i, u := range us[:k] {
			for _, v := range spans.of(i, c) {
				if got.Has(v) || settled.Has(v) {
					continue
				}
				got.Set(v)
				vs, by = append(vs, v), append(by, u)
			}
		}
		us = us[k:]
	}
	s.v, s.by = vs, by
}

// empty forgets the superstep before.
func (s *share) empty() {
	for _, v := range s.v {
		s.got.Clear(v)
	}
	s.v, s.by = s.v[:0], s.by[:0]
}

// ApplyShare applies what share k has sent first, when all have been gathered.
func (t *edgeTask[V, M]) ApplyShare(k int, w *Worker) {
	s, before := &t.shares[k], t.shares[:k]
	var a arrivals[V]
	for i, v := range s.v {
		if slices.ContainsFunc(before, func(b share) bool { return b.got.Has(v) }) {
			continue
		}
		if t.settled != nil {
			t.settled.SetAtomic(v)
		}
		if a.add(v, s.by[i]) {
			t.receive(&a, w)
		}
	}
	t.receive(&a, w)
	if t.settled != nil {
		for _, v := range w.Touched {
			t.settled.ClearAtomic(v)
		}
	}
	w.Touched = w.Touched[:0]
}
