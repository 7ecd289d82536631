package pregel

import (
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// Push sends the offers of the awake vertices us along all their arcs.
func (t *edgeTask[V, M]) Push(us []uint32, w *Worker) {
	to := touch{touched: t.touched, settled: t.settled, w: w}
	switch {
	case t.flood:
		t.pushFlood(us, &to)
		return
	case w.Alone && t.byRows():
		t.pushRows(us, &to)
		return
	case t.byMany(): // see Traits.Alone
		t.pushMany(us, &to, nil)
		return
	case t.mode == byCalls:
		t.pushCalls(us, &to, nil)
		return
	case t.spec.Combine.first == anySource && len(t.sending) == 1:
		t.pushAnys(us, &to)
		return
	}
	for _, u := range us {
		t.push(u, &to)
	}
}

// byRows tells whether the offers of several vertices can be sent at once.
func (t *edgeTask[V, M]) byRows() bool {
	k := t.spec.Edge.kind
	return t.mode != byCalls && len(t.sending) == 1 && (k == opCopy || k == opSource) && t.spec.Combine.first != anySource
}

// pushRows is Push for one worker alone.
func (t *edgeTask[V, M]) pushRows(us []uint32, to *touch) {
	var xs [batch]M
	c, id := t.sending[0], t.spec.Combine.Identity
	for len(us) > 0 {
		k := min(len(us), batch)
		for i, u := range us[:k] {
			xs[i] = t.offer(u, to.w)
		}
		t.spec.Combine.loops.rows(id, xs[:k], t.boxes, us[:k], c, to)
		us = us[k:]
	}
}

// pushFlood is Push for a flood. The rows of a batch are asked for together, and the boxes of one
// while the one before is sent along: an atomic operation waits for its line, and all others for it.
func (t *edgeTask[V, M]) pushFlood(us []uint32, to *touch) {
	c := t.sending[0]
	for len(us) > 0 {
		k := min(len(us), batch)
		spans := spansOf(us[:k], c, to)
		for i := range k {
			mem.PrefetchAll(start(spans.of(i, c)))
		}
		mem.Prefetch(t.boxes, start(spans.of(0, c)))
		for i, u := range us[:k] {
			if i+1 < k {
				mem.Prefetch(t.boxes, start(spans.of(i+1, c)))
			}
			t.flooding.flood(t.offer(u, to.w), t.boxes, spans.of(i, c), to)
		}
		us = us[k:]
	}
}

// start is what of a row is asked for ahead: whoever reads it then goes on by itself.
func start(vs []uint32) []uint32 { return vs[:min(len(vs), rowAhead)] }

const rowAhead = 128

// PushRange does so for the awake vertices from lo to hi.
func (t *edgeTask[V, M]) PushRange(lo, hi uint32, w *Worker, f Frontier) {
	to := touch{touched: t.touched, settled: t.settled, w: w}
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		for run := f.word(i) & bitmap.Mask(i, hi); run != 0; run &= run - 1 {
			t.push(uint32(i*64+bits.TrailingZeros64(run)), &to)
		}
	}
}

// OfferParts makes the offers of us, which PushPart sends: each once, whatever the parts are.
func (t *edgeTask[V, M]) OfferParts(us []uint32, w *Worker) {
	t.parted = t.parted[:0]
	for _, u := range us {
		t.parted = append(t.parted, t.offer(u, w))
	}
}

// PushPart sends offer k of those, that of u, along arcs lo to hi of one CSR.
func (t *edgeTask[V, M]) PushPart(k int, u uint32, csr int, lo, hi uint64, w *Worker) {
	to := touch{touched: t.touched, settled: t.settled, w: w}
	t.pushArcs(t.parted[k], u, t.sending[csr], lo, hi, &to)
}

func (t *edgeTask[V, M]) push(u uint32, to *touch) {
	x := t.offer(u, to.w)
	for _, c := range t.sending {
		lo, hi := c.Offsets.Row(u)
		t.pushArcs(x, u, c, lo, hi, to)
	}
}

func (t *edgeTask[V, M]) pushArcs(x M, u uint32, c graph.CSR, lo, hi uint64, to *touch) {
	to.w.Arcs += hi - lo
	vs := c.Targets[lo:hi]
	if t.spec.Combine.first == anySource {
		t.pushAny(x, u, vs, c.Weights.Slice(lo, hi), to)
		return
	}
	if t.flood {
		t.flooding.flood(x, t.boxes, vs, to)
		return
	}
	k, id, l := t.spec.Edge.kind, t.spec.Combine.Identity, t.spec.Combine.loops
	if k == opCopy || k == opSource {
		l.scatter(opCopy, id, x, t.boxes, vs, graph.Weights{}, to)
		return
	}
	l.scatter(k, id, x, t.boxes, vs, c.Weights.Slice(lo, hi), to)
}

// pushAnys is Push for Any. The rows of a batch are asked for together, and their weights if those
// are looked at.
func (t *edgeTask[V, M]) pushAnys(us []uint32, to *touch) {
	c := t.sending[0]
	for len(us) > 0 {
		k := min(len(us), batch)
		spans := spansOf(us[:k], c, to)
		if t.byArcs() {
			spans.askWeights(k, c.Weights)
		}
		for i, u := range us[:k] {
			t.pushAny(t.offer(u, to.w), u, spans.of(i, c), c.Weights.Slice(spans.begin[i], spans.end[i]), to)
		}
		us = us[k:]
	}
}

// pushAny leaves the message, if there is one, with each target that has none.
func (t *edgeTask[V, M]) pushAny(x M, u uint32, vs []uint32, w graph.Weights, to *touch) {
	along := t.spec.Edge.along
	to.w.At = u
	for i, v := range vs {
		if !to.takes(v) || to.touched.HasAtomic(v) {
			continue
		}
		message, ok := x, true
		if along != nil {
			message, ok = along(x, u, v, w.At(uint64(i)))
		}
		if ok && to.first(v) {
			t.boxes[v] = message
		}
	}
}

// prepare makes the arrays that pushing needs.
func (t *edgeTask[V, M]) preparePush() {
	t.prepareTouched()
	if t.boxes != nil {
		return
	}
	t.boxes = mem.Take[M](t.g.N())
	parallel.Range(t.setup.slots, len(t.boxes), 1<<16, func(_, lo, hi int) {
		mem.Fill(t.boxes[lo:hi], t.spec.Combine.Identity)
	})
}

func (t *edgeTask[V, M]) prepareTouched() {
	if t.touched == nil {
		t.touched = bitmap.New(t.g.N())
	}
}
