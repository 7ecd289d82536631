package pregel

import (
	"slices"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// This file is edgeforward.go for several workers. The frontier, ascending, is cut into
// shares, and the vertices likewise: each share takes what is sent to some of them.
// While arcs are read it takes at once whom its own vertices are the first to send to,
// and notes what they send to others. Then it looks through what was noted for it: what
// shares before it have sent comes from lesser vertices than its own, and overrules
// those. Nobody writes what another reads at that time, so that it takes no atomics.
// What functions combine is pushed in shares, too, by pushshares.go.

// A share is one part of a frontier, and the vertices lo to hi. These are multiples of
// 64, so that no two write the same word of a set.
type share struct {
	lo, hi uint32
	got    []arrival // to those of its vertices who take it
	out    []arrival // to vertices of others
	early  []arrival // by shares before it to its vertices
	_      [64]byte
}

// An arrival is a vertex that was sent to, in the lower half, and who has sent to it.
type arrival uint64

func (s *share) takes(v uint32) bool { return v-s.lo < s.hi-s.lo }

// Shares cuts the vertices at bounds.
func (t *edgeTask[V, M]) Shares(bounds []uint32) {
	if t.mode == byCalls {
		t.cutCalls(bounds)
		return
	}
	t.markSettled()
	n := len(bounds) - 1
	t.shares = slices.Grow(t.shares[:0], n)[:n]
	for k := range t.shares {
		t.shares[k].lo, t.shares[k].hi = bounds[k], bounds[k+1]
	}
	t.closed()
	if t.overruled == nil {
		t.overruled = bitmap.New(t.g.N())
	}
}

// GatherShare sends for the vertices us, which are share k.
func (t *edgeTask[V, M]) GatherShare(k int, us []uint32, w *Worker) {
	if t.mode == byCalls {
		t.gatherCallShare(k, us, w)
		return
	}
	t.shares[k].gather(us, t.sending[0], t.closed(), w)
}

// gather finds whom the vertices us send to: those of the share who are not closed,
// which they then are, and those of others.
func (s *share) gather(us []uint32, c graph.CSR, closed bitmap.Bitmap, w *Worker) {
	to := touch{w: w}
	got, out := s.got[:0], s.out[:0]
	for len(us) > 0 {
		k := min(len(us), batch)
		spans := spansOf(us[:k], c, &to)
		arcs := 0
		for i := range k {
			arcs += int(spans.end[i] - spans.begin[i])
		}
		n, m := len(got), len(out)
		got, out = slices.Grow(got, arcs), slices.Grow(out, arcs)
		i, j := s.take(us[:k], &spans, c.Targets, closed, got[n:n+arcs], out[m:m+arcs])
		got, out = got[:n+i], out[:m+j]
		us = us[k:]
	}
	s.got, s.out = got, out
}

// take is gather for a batch: it tells how many it has found, in room for all arcs. It
// has no branch on whether a target is one, as nobody could foretell that: half of the
// arcs of a thin frontier lead back.
//
//go:noinline
func (s *share) take(us []uint32, b *spans, targets []uint32, closed bitmap.Bitmap, got, out []arrival) (n, m int) {
	lo, size := s.lo, s.hi-s.lo
	for i, u := range us {
		by := arrival(u) << 32
		for _, v := range targets[b.begin[i]:b.end[i]] {
			if v-lo >= size {
				out[m] = by | arrival(v)
				m++
				continue
			}
			got[n] = by | arrival(v)
			word := closed[v>>6]
			closed[v>>6] = word | 1<<(v&63)
			n += int(^word >> (v & 63) & 1)
		}
	}
	return n, m
}

// ApplyShare applies what is sent to the vertices of share k, when all have been gathered.
func (t *edgeTask[V, M]) ApplyShare(k int, w *Worker) {
	if t.mode == byCalls {
		t.applyCallShare(k, w)
		return
	}
	s, closed := &t.shares[k], t.closed()
	s.early = s.early[:0]
	for i := range t.shares[:k] {
		s.early = those(s.early, s, t.shares[i].out)
	}
	s.overrule(closed, t.overruled)
	for i := range t.shares[k+1:] {
		s.late(t.shares[k+1+i].out, closed)
	}
	var a arrivals[V]
	for _, x := range s.got {
		if a.add(uint32(x), uint32(x>>32)) {
			t.receive(&a, w)
		}
	}
	t.receive(&a, w)
	for _, v := range w.Touched {
		closed.Clear(v)
	}
	w.Touched = w.Touched[:0]
}

// those appends what was sent to vertices of s.
func those(r []arrival, s *share, out []arrival) []arrival {
	for _, x := range out {
		if s.takes(uint32(x)) {
			r = append(r, x)
		}
	}
	return r
}

// overrule has messages of shares before win over the share's own.
func (s *share) overrule(closed, over bitmap.Bitmap) {
	if len(s.early) == 0 {
		return
	}
	least, most := s.hi, s.lo
	for _, x := range s.early {
		v := uint32(x)
		over.Set(v)
		least, most = min(least, v), max(most, v)
	}
	n := 0
	for _, x := range s.got {
		v := uint32(x)
		if least <= v && v <= most && over.Has(v) {
			closed.Clear(v)
			continue
		}
		s.got[n] = x
		n++
	}
	s.got = s.got[:n]
	for _, x := range s.early {
		over.Clear(uint32(x))
	}
	s.late(s.early, closed)
}

// late takes messages to those who have none yet.
func (s *share) late(out []arrival, closed bitmap.Bitmap) {
	for _, x := range out {
		if v := uint32(x); s.takes(v) && !closed.Has(v) {
			closed.Set(v)
			s.got = append(s.got, x)
		}
	}
}
