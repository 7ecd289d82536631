package pregel

import (
	"math/bits"
	"slices"

	"gopregel/pregel/bitmap"
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
	if !f.All {
		return t.gatherAwake(acc, v, us, w, f.Bits)
	}
	if along == nil {
		return t.gatherOffers(acc, us), len(us) > 0
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

// gatherOffers is gatherCalls where all are awake and arcs change nothing.
func (t *edgeTask[V, M]) gatherOffers(acc M, us []uint32) M {
	combine, offers := t.spec.Combine.Func, t.offers
	for _, u := range us {
		acc = combine(acc, offers[u])
	}
	return acc
}

// gatherAwake is gatherCalls where some sleep.
func (t *edgeTask[V, M]) gatherAwake(acc M, v uint32, us []uint32, w graph.Weights, awake bitmap.Bitmap) (message M, got bool) {
	along, combine, offers := t.spec.Edge.along, t.spec.Combine.Func, t.offers
	var list places
	for lo := 0; lo < len(us); lo += callsAhead {
		some := us[lo:min(lo+callsAhead, len(us))]
		for _, k := range list[:list.in(awake, 0, some)] {
			u := some[k]
			if along == nil {
				acc, got = combine(acc, offers[u]), true
			} else if x, ok := along(offers[u], u, v, w.At(uint64(lo)+uint64(k))); ok {
				acc, got = combine(acc, x), true
			}
		}
	}
	return acc, got
}

// places are of some of up to callsAhead vertices, ascending.
type places [callsAhead]uint8

// in lists those who are in a set, or with flip of ones are not. It has no branch on whether one
// is, which a processor would guess wrong as often as not.
func (p *places) in(set bitmap.Bitmap, flip uint64, us []uint32) (n int) {
	for k, u := range us {
		p[n%callsAhead] = uint8(k)
		n += int((set[u>>6] ^ flip) >> (u & 63) & 1)
	}
	return n
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

// pushCalls is Push by one worker alone along one CSR, which combines by calls. Whoever is settled, or
// has a message already, costs no branch.
func (t *edgeTask[V, M]) pushCalls(us []uint32, to *touch) {
	along, combine, boxes, settled, touched := t.spec.Edge.along, t.spec.Combine.Func, t.boxes, to.settled, to.touched
	c, n, list := t.sending[0], len(to.w.Touched), to.w.Touched
	var open places
	for _, u := range us {
		x, at, end := t.offerRow(u, to.w)
		list = slices.Grow(list[:n], int(end-at))
		list = list[:cap(list)]
		for ; at < end; at += callsAhead {
			vs := c.Targets[at:min(at+callsAhead, end)]
			for _, k := range open[:open.unsettled(settled, vs)] {
				v, message, ok := vs[k], x, true
				if along != nil {
					message, ok = along(x, u, v, c.Weights.At(at+uint64(k)))
				}
				if !ok {
					continue
				}
				boxes[v] = combine(boxes[v], message)
				word := touched[v>>6]
				touched[v>>6] = word | 1<<(v&63)
				list[n] = v
				n += int(^word >> (v & 63) & 1)
			}
		}
	}
	to.w.Touched = list[:n]
}

// offerRow is the offer of u, and where its row lies.
func (t *edgeTask[V, M]) offerRow(u uint32, w *Worker) (x M, at, end uint64) {
	x = t.offer(u, w)
	at, end = t.offsets.Row(u)
	w.Arcs += end - at
	return x, at, end
}

// unsettled is in for those who are not settled; no set has nobody.
func (p *places) unsettled(settled bitmap.Bitmap, vs []uint32) int {
	if settled != nil {
		return p.in(settled, ^uint64(0), vs)
	}
	for k := range vs {
		p[k] = uint8(k)
	}
	return len(vs)
}
