package pregel

import (
	"math/bits"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file pulls by calls: for programs whose edge operation, or combiner, is a function of
// one's own.
//
// That is done for all vertices of a block, and then the block is applied, so that what surrounds
// the calls is not done anew for each vertex. A processor does not look beyond what lies
// between a few calls: so where all are awake offers are asked for ahead, from near caches
// too.
//
// Cost: two calls an arc, which are 4 ns by themselves, where a named combiner takes 1.2;
// two a vertex.

// callsAhead is for how many arcs offers are asked for at a time.
const callsAhead = 64

// gatherCalls combines acc with the messages of those awake of us, along the arcs from lo on
// of c to v. Where all are awake, and arcs have an operation, it has a loop of its own: without, on
// a Kronecker graph, that took a sixth more.
func (t *edgeTask[V, M]) gatherCalls(acc M, v uint32, c graph.CSR, lo uint64, us []uint32, f Frontier) (message M, got bool) {
	along, combine, offers := t.spec.Edge.along, t.spec.Combine.Func, t.offers
	w := c.Weights.Slice(lo, lo+uint64(len(us)))
	if along == nil || !f.All {
		return t.gatherAwake(acc, v, us, w, f)
	}
	ints, floats := w.Int, w.Float
	for i, u := range us {
		weight := 1.0
		if ints != nil {
			weight = float64(ints[i])
		} else if floats != nil {
			weight = float64(floats[i])
		}
		if x, ok := along(offers[u], u, v, weight); ok {
			acc, got = combine(acc, x), true
		}
	}
	return acc, got
}

// gatherAwake is gatherCalls where some may sleep, or arcs change nothing.
func (t *edgeTask[V, M]) gatherAwake(acc M, v uint32, us []uint32, w graph.Weights, f Frontier) (message M, got bool) {
	along, combine, offers := t.spec.Edge.along, t.spec.Combine.Func, t.offers
	all, awake := f.All, f.Bits
	for i, u := range us {
		if !all && !awake.Has(u) {
			continue
		}
		if along == nil {
			acc, got = combine(acc, offers[u]), true
		} else if x, ok := along(offers[u], u, v, w.At(uint64(i))); ok {
			acc, got = combine(acc, x), true
		}
	}
	return acc, got
}

// pullCalls is pull for the vertices run of block i, no hub among them.
func (t *edgeTask[V, M]) pullCalls(i int, run uint64, w *Worker, c graph.CSR, f Frontier, b *block) {
	lo := i * BlockSize
	messages, got := t.corners[w.Slot].room[:bits.Len64(run)], uint64(0)
	a := asking[M]{t.offers, c.Targets, c.Offsets.At(uint32(lo)), c.Offsets.At(uint32(lo + len(messages)))}
	for set := run; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set)
		w.At = uint32(lo + k)
		message := t.spec.Combine.Identity
		for at, end := c.Offsets.Row(w.At); at < end; {
			to := min(at+callsAhead, end)
			if f.All {
				a.askTo(to + callsAhead)
			}
			sum, any := t.gatherCalls(message, w.At, c, at, c.Targets[at:to], f)
			if message, at = sum, to; any {
				got |= 1 << k
			}
		}
		messages[k] = message
	}
	if t.spec.Silent {
		t.applyGot(lo, got|run&f.word(i), got, messages, w, b)
	} else {
		t.applyGot(lo, got, got, messages, w, b)
	}
}

// asking is how far offers have been asked for, along the arcs of a block.
type asking[M any] struct {
	offers   []M
	us       []uint32
	at, last uint64
}

func (a *asking[M]) askTo(to uint64) {
	for to = min(to, a.last); a.at < to; {
		next := min(a.at+callsAhead, a.last)
		mem.Prefetch(a.offers, a.us[a.at:next])
		a.at = next
	}
}

// applyGot applies to the vertices run of the block from lo on, of which those have a message
// that are of got, too.
func (t *edgeTask[V, M]) applyGot(lo int, run, got uint64, messages []M, w *Worker, b *block) {
	if run == got && t.orderer == nil && len(t.sending) == 1 {
		t.applySome(lo, got, messages, w, b)
		return
	}
	for set := run; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set)
		t.apply(uint32(lo+k), w, messages[k], got>>k&1 != 0, 1<<k, b)
	}
}

// pushCallRows is Push for one worker alone along one CSR.
func (t *edgeTask[V, M]) pushCallRows(us []uint32, to *touch) {
	c := t.sending[0]
	for len(us) > 0 {
		k := min(len(us), batch)
		spans := spansOf(us[:k], c, to)
		for i, u := range us[:k] {
			t.pushCalls(t.offer(u, to.w), u, spans.of(i, c), c.Weights.Slice(spans.begin[i], spans.end[i]), to)
		}
		us = us[k:]
	}
}

// pushCalls combines x into the boxes of vs: no other worker is at work.
func (t *edgeTask[V, M]) pushCalls(x M, u uint32, vs []uint32, w graph.Weights, to *touch) {
	along, combine, boxes := t.spec.Edge.along, t.spec.Combine.Func, t.boxes
	settled, touched, list := to.settled, to.touched, to.w.Touched
	for i, v := range vs {
		if settled != nil && settled.Has(v) {
			continue
		}
		message, ok := x, true
		if along != nil {
			message, ok = along(x, u, v, w.At(uint64(i)))
		}
		if !ok {
			continue
		}
		boxes[v] = combine(boxes[v], message)
		if !touched.Has(v) {
			touched.Set(v)
			list = append(list, v)
		}
	}
	to.w.Touched = list
}
