package pregel

import (
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file sends along arcs into boxes that a function combines.
//
// Each arc costs two calls, which a processor does not see through: so the messages of a block
// of arcs are made first, while the boxes that they are for are on their way, and then combined.
// Functions of many do for a block in two calls (pushmany.go).

// wordBlock is messages and whom they are for.
type wordBlock[M any] struct {
	vs [blockMessages]uint32
	xs [blockMessages]M
}

// deliverWords sends what is to be sent along the arcs of c.
func (t *edgeTask[V, M]) deliverWords(s *sending[M], c graph.CSR, h *hand[M], to *touch) {
	if t.byMany() {
		t.deliverMany(s, c, h, to)
	} else {
		t.deliverOnes(s, c, h, to)
	}
}

// deliverOnes is deliverWords by functions of one.
func (t *edgeTask[V, M]) deliverOnes(s *sending[M], c graph.CSR, h *hand[M], to *touch) {
	for i, u := range s.us[:s.n] {
		to.w.At = u
		x, r := s.xs[i], s.rows[i]
		for from := r.From; from < r.To; from += blockMessages {
			end := min(r.To, from+blockMessages)
			vs := c.Targets[from:end]
			mem.Prefetch(t.boxes, vs)
			n := len(vs)
			if along := t.spec.Edge.along; along == nil {
				h.words.copies(x, vs)
			} else {
				n = h.words.fill(along, x, u, vs, c.Weights.Slice(from, end))
			}
			t.putWords(h.words.vs[:n], h.words.xs[:n], to)
		}
	}
}

// copies makes the message x for all of vs.
func (b *wordBlock[M]) copies(x M, vs []uint32) {
	copy(b.vs[:], vs)
	for i := range b.xs[:len(vs)] {
		b.xs[i] = x
	}
}

// fill makes messages of the offer x of u, and returns how many are sent.
func (b *wordBlock[M]) fill(along func(M, uint32, uint32, float64) (M, bool), x M, u uint32, vs []uint32, w graph.Weights) int {
	switch {
	case w.Int != nil:
		return fillBy(b, along, x, u, vs, w.Int)
	case w.Float != nil:
		return fillBy(b, along, x, u, vs, w.Float)
	}
	n := 0
	for _, v := range vs {
		y, ok := along(x, u, v, 1)
		if b.vs[n], b.xs[n] = v, y; ok {
			n++
		}
	}
	return n
}

// fillBy is fill for one kind of weights.
func fillBy[M any, W int32 | float32](b *wordBlock[M], along func(M, uint32, uint32, float64) (M, bool), x M, u uint32, vs []uint32, w []W) (n int) {
	w = w[:len(vs)]
	for i, v := range vs {
		y, ok := along(x, u, v, float64(w[i]))
		if b.vs[n], b.xs[n] = v, y; ok {
			n++
		}
	}
	return n
}

// putWords combines messages into the boxes of vs. A combination is at least what the box had
// before, in the order that an idempotent combiner makes, so that no box has the same bits
// again, and compare and swap loses nothing.
func (t *edgeTask[V, M]) putWords(vs []uint32, xs []M, to *touch) {
	combine, id, alone := t.spec.Combine.Func, t.spec.Combine.Identity, to.w.Alone
	for i, v := range vs {
		box := &t.boxes[v]
		for {
			old := mem.Load(box)
			x := combine(old, xs[i])
			if mem.Same(x, old) {
				if !t.loose && mem.Same(x, id) && !t.heard.HasAtomic(v) && t.heard.SetAtomic(v) {
					to.mark(v)
				}
				break
			}
			if alone {
				*box = x
			} else if !mem.Swap(box, old, x) {
				continue
			}
			t.noteWord(v, x, to)
			break
		}
	}
}

// noteWord notes that x is in the box of v.
func (t *edgeTask[V, M]) noteWord(v uint32, x M, to *touch) {
	if t.rank != nil {
		to.come(v, t.rank.of(x))
	} else {
		to.mark(v)
	}
}
