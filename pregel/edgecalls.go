package pregel

import (
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file pulls by calls: for programs whose edge operation, or combiner, is a function of
// one's own.
//
// That is done for all vertices of a block, and then the block is applied, so that what surrounds
// the calls is not done anew for each vertex. Nothing stays in registers over a call, and a
// processor does not look beyond what lies between a few of them: so what they are called with is
// read before, for many arcs at a time, and put side by side.
//
// Programs that combine rows in loops of their own do so in edgegather.go. Functions that are there for
// many at a time too are called by edgemany.go, combiners where all are awake and nothing is done on
// arcs by callblock.go; pushcalls.go pushes. Where all offers are one, and the combiner is idempotent,
// none of this is done (edgelevel.go).
//
// Cost: two calls an arc, which are 4 ns by themselves, where a named combiner takes 1.2;
// two a vertex.

// callsAtOnce is for how many arcs what functions are called with is made ready at a time, and
// callsAhead for how many it is found out who is awake, where some sleep.
const (
	callsAtOnce = 256
	callsAhead  = 64
)

// Arguments are what functions are called with for arcs from to to of a CSR.
type arguments[M any] struct {
	from, to uint64
	us       [callsAtOnce]uint32
	offers   [callsAtOnce]M
	weights  [callsAtOnce]float64

	// Of rows that lie side by side (callblock.go), where each ends and what is combined.
	ends    [callsAtOnce]uint16
	results [callsAtOnce]M
	id      M
	w       *Worker
}

// fill makes ready as many of the arcs from lo to hi as fit.
func (r *arguments[M]) fill(c *graph.CSR, lo, hi uint64, offers []M, along bool) {
	r.from, r.to = lo, min(hi, lo+callsAtOnce)
	us := c.Targets[lo:r.to]
	if !along {
		r.read(offers, us)
		return
	}
	us = r.us[:copy(r.us[:], us)]
	mem.Prefetch(offers, c.Targets[r.to:min(r.to+callsAtOnce, hi)])
	r.read(offers, us)
	weighAll(r.weights[:len(us)], c.Weights.Slice(lo, r.to))
}

// read reads what us offer.
func (r *arguments[M]) read(offers []M, us []uint32) {
	list := r.offers[:len(us)]
	for i, u := range us {
		list[i] = offers[u]
	}
}

// combined combines acc with the offers from number k to n.
//
//go:noinline
func (r *arguments[M]) combined(acc M, combine func(M, M) M, k, n uint) M {
	for ; k < n; k++ {
		acc = combine(acc, r.offers[k%callsAtOnce])
	}
	return acc
}

// sent combines acc with what those offers are on arcs to v, and tells whether there was any.
//
//go:noinline
func (r *arguments[M]) sent(acc M, combine func(M, M) M, along func(M, uint32, uint32, float64) (M, bool), v uint32, k, n uint) (message M, any bool) {
	for ; k < n; k++ {
		i := k % callsAtOnce
		if x, ok := along(r.offers[i], r.us[i], v, r.weights[i]); ok {
			acc, any = combine(acc, x), true
		}
	}
	return acc, any
}

// gatherCalls combines acc with the messages of those awake of us, along the arcs from lo on
// of c to v.
func (t *edgeTask[V, M]) gatherCalls(acc M, v uint32, c graph.CSR, lo uint64, us []uint32, w *Worker, f Frontier) (message M, got bool) {
	switch {
	case t.byGather():
		return t.gatherPart(acc, v, &c, lo, lo+uint64(len(us)), w, f)
	case t.byMany():
		return t.gatherRowMany(acc, v, c, lo, us, w, f)
	}
	return t.gatherOnes(acc, v, c, lo, us, w, f)
}

// gatherOnes is gatherCalls by functions of one.
func (t *edgeTask[V, M]) gatherOnes(acc M, v uint32, c graph.CSR, lo uint64, us []uint32, w *Worker, f Frontier) (message M, got bool) {
	if !f.All {
		return t.gatherAwake(acc, v, us, c.Weights.Slice(lo, lo+uint64(len(us))), f.Bits)
	}
	r := t.corners[w.Slot].arguments
	r.to = lo
	return t.gatherRow(r, acc, v, &c, lo, lo+uint64(len(us)), lo+uint64(len(us)))
}

// gatherRow combines acc with the messages along the arcs lo to hi of c to v, where all are awake. Those
// up to ahead may be made ready.
func (t *edgeTask[V, M]) gatherRow(r *arguments[M], acc M, v uint32, c *graph.CSR, lo, hi, ahead uint64) (message M, got bool) {
	along, combine := t.spec.Edge.along, t.spec.Combine.Func
	for lo < hi {
		if lo >= r.to {
			r.fill(c, lo, ahead, t.offers, along != nil)
		}
		end := min(hi, r.to)
		k, n := uint(lo-r.from), uint(end-r.from)
		if along == nil {
			acc, got = r.combined(acc, combine, k, n), true
		} else {
			x, any := r.sent(acc, combine, along, v, k, n)
			acc, got = x, got || any
		}
		lo = end
	}
	return acc, got
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
func (t *edgeTask[V, M]) pullCalls(i int, run uint64, w *Worker, f Frontier, receiving []graph.CSR, next bitmap.Bitmap) {
	lo, c := i*BlockSize, &receiving[0]
	corner := &t.corners[w.Slot]
	messages, got := corner.room[:bits.Len64(run)], uint64(0)
	r, id, whole := corner.arguments, t.spec.Combine.Identity, run == ^uint64(0)>>(BlockSize-len(messages))
	r.to = 0
	last := c.Offsets.At(uint32(lo + len(messages)))
	for set := run; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set)
		v := uint32(lo + k)
		w.At = v
		begin, end := c.Offsets.Row(v)
		any := false
		if !whole {
			last = end
		}
		if f.All {
			messages[k], any = t.gatherRow(r, id, v, c, begin, end, last)
		} else {
			messages[k], any = t.gatherAwake(id, v, c.Targets[begin:end], c.Weights.Slice(begin, end), f.Bits)
		}
		if any {
			got |= 1 << k
		}
	}
	t.applyPulled(i, run, got, messages, w, f, receiving, next)
}

// applyPulled applies the messages to the vertices run of block i, of whom those of got have any.
func (t *edgeTask[V, M]) applyPulled(i int, run, got uint64, messages []M, w *Worker, f Frontier, receiving []graph.CSR, next bitmap.Bitmap) {
	lo := i * BlockSize
	if t.blocks != nil && f.All && t.byBlocks() {
		rows := receiving[0].Offsets.Slice(uint32(lo), len(messages))
		if full := run &^ rows.Empty(); got == full && (t.spec.Silent || got == run) {
			t.applyMany(lo, w, messages, rows, next)
			return
		}
	}
	var b block
	if t.spec.Silent {
		t.applyGot(lo, got|run&f.word(i), got, messages, w, &b)
	} else {
		t.applyGot(lo, got, got, messages, w, &b)
	}
	t.finish(i, w, b, next)
}
