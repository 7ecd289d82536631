package pregel

import (
	"slices"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// This file pushes by calls, what functions of one's own combine: by one worker alone, as boxes
// under functions take no atomic operations. pushmany.go has functions of many, pushshares.go several workers.
//
// Cost: two calls an arc, or one where offers travel unchanged.

// pushCalls is Push by one worker alone along one CSR, which combines by calls; or it notes the messages, if there is a
// share for that. Whoever is settled, or has a message already, costs no branch. A failure is that of who sends or, where
// messages are combined, of the vertex that they are for.
func (t *edgeTask[V, M]) pushCalls(us []uint32, to *touch, share *callShare[M]) {
	along, combine, boxes, settled, touched := t.spec.Edge.along, t.spec.Combine.Func, t.boxes, to.settled, to.touched
	c, n, list := t.sending[0], len(to.w.Touched), to.w.Touched
	var open places
	for i, u := range us {
		if i%batch == 0 {
			t.askRows(us[i:min(i+batch, len(us))])
		}
		x, at, end := t.offerRow(u, to.w)
		list = slices.Grow(list[:n], int(end-at))
		list = list[:cap(list)]
		for ; at < end; at += callsAhead {
			to.w.At = u
			vs := c.Targets[at:min(at+callsAhead, end)]
			for _, k := range open[:open.unsettled(settled, vs)] {
				v, message, ok := vs[k], x, true
				if along != nil {
					to.w.At = u
					message, ok = along(x, u, v, c.Weights.At(at+uint64(k)))
				}
				if !ok {
					continue
				}
				if share != nil {
					share.note(v, message)
					continue
				}
				before := boxes[v]
				to.w.At = v
				boxes[v] = combine(before, message)
				word := touched[v>>6]
				touched[v>>6] = word | 1<<(v&63)
				list[n] = v
				n += int(^word >> (v & 63) & 1)
			}
		}
	}
	to.w.Touched = list[:n]
}

// askRows asks for the rows of up to a batch of vertices, and their weights if those are looked at.
func (t *edgeTask[V, M]) askRows(us []uint32) {
	var begins [batch]uint64
	c := &t.sending[0]
	for i, u := range us {
		begins[i] = c.Offsets.At(u) + freshArc
	}
	mem.PrefetchAt(c.Targets, begins[:len(us)])
	if t.byArcs() {
		c.Weights.PrefetchAt(begins[:len(us)])
	}
}

// offerRow is the offer of u, and where its row lies.
func (t *edgeTask[V, M]) offerRow(u uint32, w *Worker) (x M, at, end uint64) {
	at, end = t.offsets.Row(u)
	w.Arcs += end - at
	return t.offerAlong(u, end-at, w), at, end
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
