package pregel

import (
	"math/bits"
	"time"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file gathers, for each vertex, the messages of its awake neighbours, and applies them: by
// the combiner's own loop, up to the first awake neighbour (edgeseek.go), by a call for each arc, or into a list
// (gatherMode). A vertex of very many arcs is gathered in parts, by several workers. Nobody writes
// what another reads, so there are no atomics; O(n) a superstep and an operation for each arc
// looked at.

// Pull gathers and applies the messages of the vertices from lo to hi.
func (t *edgeTask[V, M]) Pull(lo, hi uint32, w *Worker, f Frontier, next bitmap.Bitmap) {
	if t.arrivals != nil && t.arrivals.stale {
		t.markRange(lo, hi)
	}
	before := w.Awake
	t.pullRange(lo, hi, w, f, next)
	if t.later != nil && w.Awake-before == uint64(hi-lo) {
		t.emitAhead(lo, hi, w)
	}
}

func (t *edgeTask[V, M]) pullRange(lo, hi uint32, w *Worker, f Frontier, next bitmap.Bitmap) {
	receiving := t.Receiving()
	for _, c := range receiving {
		w.Arcs += c.Offsets.Between(lo, hi)
	}
	first := t.mode == byFirst && len(receiving) == 1 && !t.spec.Silent
	message, level := t.oneMessage()
	level = level && len(receiving) == 1
	var messages []M
	if level {
		messages = t.levelMessages(message, w)
	}
	seeker := &t.corners[w.Slot].seeker
	seeker.over(receiving[0], w)
	if first && t.arrivals != nil {
		t.pullFound(lo, hi, w, f, next)
		return
	}
	copies := (t.mode == byLoops || t.mode == byCalls) && t.spec.Edge.kind == opCopy && len(receiving) == 1 && f.All
	plain, called := copies && t.mode == byLoops, t.mode == byCalls && len(receiving) == 1
	if copies && t.byBlocks() {
		t.pullBlocks(lo, hi, w, f, receiving, next)
		return
	}
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		run := bitmap.Mask(i, hi)
		if t.settled != nil {
			run &^= t.settled[i]
		}
		var b block
		switch {
		case first:
			seeker.ahead(i, hi, t.settled)
			t.pullFirst(i, run, w, f, seeker, &b)
			run = 0
		case level:
			seeker.ahead(i, hi, t.settled)
			t.pullLevel(i, run, w, f, seeker, messages, &b)
			run = 0
		case plain && run == bitmap.Mask(i, hi) && (t.isHub == nil || t.isHub[i] == 0):
			t.pullCopies(i, run, w, receiving[0], &b)
			run = 0
		case t.byGather() && (t.isHub == nil || t.isHub[i]&run == 0):
			t.pullGather(i, run, w, f, receiving, next)
			continue
		case t.byMany() && (t.isHub == nil || t.isHub[i]&run == 0):
			t.pullMany(i, run, w, f, receiving, next)
			continue
		case called && (t.isHub == nil || t.isHub[i]&run == 0):
			t.pullCalls(i, run, w, f, receiving, next)
			continue
		}
		for ; run != 0; run &= run - 1 {
			t.pull(uint32(i*64+bits.TrailingZeros64(run)), w, f, receiving, run&-run, &b)
		}
		t.finish(i, w, b, next)
	}
}

// pullCopies is pull for all vertices of block i, the bits of run, no hub among them, when everybody
// is awake and offers travel unchanged, of a program that pullBlocks is not for. It gathers for the
// whole block, then applies, so that neither waits for the other's calls.
func (t *edgeTask[V, M]) pullCopies(i int, run uint64, w *Worker, c graph.CSR, b *block) {
	lo := i * BlockSize
	rows := c.Offsets.Slice(uint32(lo), bits.OnesCount64(run))
	t.applyBlock(lo, w, t.gatherBlock(uint32(lo), w, &c, rows), rows, b)
}

// gatherBlock combines the messages of as many vertices from v on as together allows, or of a block, who
// have these rows of c.
func (t *edgeTask[V, M]) gatherBlock(v uint32, w *Worker, c *graph.CSR, rows graph.Offsets) []M {
	corner := &t.corners[w.Slot]
	messages := corner.room[:rows.Len()-1]
	if !t.mayAsk() {
		t.gatherRows(v, w, c, rows, messages, false)
		return messages
	}
	a, begun := &corner.asker, time.Time{}
	if a.tries() {
		begun = time.Now()
	}
	t.gatherRows(v, w, c, rows, messages, a.asks)
	took := time.Duration(0)
	if a.tries() {
		took = time.Since(begun)
	}
	a.done(rows.Between(0, uint32(len(messages))), took)
	return messages
}

// gatherRows is gatherBlock into messages, with the offers asked for before or not.
func (t *edgeTask[V, M]) gatherRows(v uint32, w *Worker, c *graph.CSR, rows graph.Offsets, messages []M, ask bool) {
	if t.mode == byCalls {
		t.callBlock(v, w, c, rows, messages, ask)
		return
	}
	if ask {
		mem.Prefetch(t.offers, c.Targets[rows.At(0):rows.At(uint32(len(messages)))])
	}
	t.spec.Combine.loops.block(t.spec.Combine.Identity, messages, t.offers, c.Targets, rows)
}

// pull gathers and applies the messages of v.
func (t *edgeTask[V, M]) pull(v uint32, w *Worker, f Frontier, receiving []graph.CSR, bit uint64, b *block) {
	if t.mode == byList {
		t.pullList(v, w, f, receiving, bit, b)
		return
	}
	w.At = v
	message, got := t.gather(v, w, f, receiving)
	if got || t.spec.Silent && f.Has(v) {
		t.apply(v, w, message, got, bit, b)
	}
}

func (t *edgeTask[V, M]) gather(v uint32, w *Worker, f Frontier, receiving []graph.CSR) (message M, got bool) {
	if t.isHub != nil && t.isHub.Has(v) {
		return t.joinParts(v, t.hubs[v], receiving)
	}
	c := receiving[0]
	lo, hi := c.Offsets.Row(v)
	message, got = t.gatherArcs(t.spec.Combine.Identity, v, c, lo, hi, w, f)
	if len(receiving) == 1 || got && t.spec.Combine.first == anySource {
		return message, got
	}
	c = receiving[1]
	lo, hi = c.Offsets.Row(v)
	if t.mode == byFirst {
		other, also := t.gatherArcs(t.spec.Combine.Identity, v, c, lo, hi, w, f)
		return t.join(gathered[M]{message, got}, gathered[M]{other, also})
	}
	message, also := t.gatherArcs(message, v, c, lo, hi, w, f)
	return message, got || also
}

// gatherArcs combines acc with the messages along arcs lo to hi of c.
func (t *edgeTask[V, M]) gatherArcs(acc M, v uint32, c graph.CSR, lo, hi uint64, w *Worker, f Frontier) (message M, got bool) {
	us := c.Targets[lo:hi]
	k, id := t.spec.Edge.kind, t.spec.Combine.Identity
	switch {
	case t.mode == byFirst:
		return t.gatherFirst(v, c, lo, us, f)
	case t.mode == byCalls, t.level.bare && !f.All:
		return t.gatherCalls(acc, v, c, lo, us, w, f)
	}
	awake := f.Bits
	if f.All {
		awake = nil
	}
	if k == opCopy || k == opSource {
		message = t.spec.Combine.loops.gather(opCopy, id, acc, t.offers, us, graph.Weights{}, awake)
	} else {
		message = t.spec.Combine.loops.gather(k, id, acc, t.offers, us, c.Weights.Slice(lo, hi), awake)
	}
	if f.All {
		return message, len(us) > 0
	}
	return message, t.spec.Combine.loops.differs(message, acc) || anyAwake(us, f)
}

func anyAwake(us []uint32, f Frontier) bool {
	for _, u := range us {
		if f.Bits.Has(u) {
			return true
		}
	}
	return false
}

// along is what the offer of u becomes on arc i of c, which joins u and v.
func (t *edgeTask[V, M]) along(u, v uint32, c graph.CSR, i uint64) (M, bool) {
	if t.spec.Edge.along == nil {
		return t.offers[u], true
	}
	return t.spec.Edge.along(t.offers[u], u, v, c.Weights.At(i))
}

func (t *edgeTask[V, M]) pullList(v uint32, w *Worker, f Frontier, receiving []graph.CSR, bit uint64, b *block) {
	w.At = v
	list := t.lists[w.Slot][:0]
	for _, c := range receiving {
		lo := c.Offsets.At(v)
		for i, u := range c.Neighbors(v) {
			if !f.Has(u) {
				continue
			}
			if x, ok := t.along(u, v, c, lo+uint64(i)); ok {
				list = append(list, x)
			}
		}
	}
	t.lists[w.Slot] = list
	if len(list) == 0 && !(t.spec.Silent && f.Has(v)) {
		return
	}
	at := t.vertex(v, w)
	value, awake := t.collect.ApplyAll(at, list)
	t.store(at.Place, w, value, awake, bit, b)
}

// join combines what two lists of arcs have given.
func (t *edgeTask[V, M]) join(a, b gathered[M]) (M, bool) {
	switch {
	case !a.got:
		return b.message, b.got
	case !b.got || t.spec.Combine.Func == nil:
		return a.message, true
	}
	return t.spec.Combine.Func(a.message, b.message), true
}

// Hubs names the vertices whose messages are gathered in parts.
func (t *edgeTask[V, M]) Hubs(hubs []uint32, part uint64) {
	t.hubs, t.isHub, t.hubList, t.hubArcs = nil, nil, hubs, part
	if len(hubs) == 0 || t.mode == byList {
		return
	}
	t.hubs, t.isHub = make(map[uint32]int, len(hubs)), bitmap.New(t.g.N())
	parts := 0
	for _, v := range hubs {
		t.isHub.Set(v)
		t.hubs[v] = parts
		for _, c := range t.Receiving() {
			parts += t.partsOf(c.Degree(v))
		}
	}
	t.partial = make([]gathered[M], parts)
}

func (t *edgeTask[V, M]) partsOf(arcs uint64) int { return int((arcs + t.hubArcs - 1) / t.hubArcs) }

// PullPart gathers one part of a hub's messages.
func (t *edgeTask[V, M]) PullPart(hub, part int, w *Worker, f Frontier) {
	if _, level := t.oneOffer(); t.hubs == nil || level && len(t.Receiving()) == 1 {
		return
	}
	v := t.hubList[hub]
	w.At = v
	at := t.hubs[v] + part
	for _, c := range t.Receiving() {
		if parts := t.partsOf(c.Degree(v)); part >= parts {
			part -= parts
			continue
		}
		lo, hi := c.Offsets.Row(v)
		lo += uint64(part) * t.hubArcs
		hi = min(lo+t.hubArcs, hi)
		message, got := t.gatherArcs(t.spec.Combine.Identity, v, c, lo, hi, w, f)
		t.partial[at] = gathered[M]{message, got}
		return
	}
}

// joinParts combines the parts of a hub, in their order.
func (t *edgeTask[V, M]) joinParts(v uint32, first int, receiving []graph.CSR) (M, bool) {
	all := gathered[M]{t.spec.Combine.Identity, false}
	at := first
	for _, c := range receiving {
		for range t.partsOf(c.Degree(v)) {
			all.message, all.got = t.join(all, t.partial[at])
			at++
		}
	}
	return all.message, all.got
}
