package pregel

import (
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// loops are the inner loops of a named combiner, over the edges of one vertex,
// with the operators written out: a call per edge would cost three times as
// much (measured).
type loops[M any] interface {
	// gather combines acc with what the vertices us offer. Those that are not
	// awake (nil: all are) offer the identity, id.
	gather(k opKind, id, acc M, offers []M, us []uint32, w graph.Weights, awake bitmap.Bitmap) M
	// block is gather for each row of a block, where all are awake and arcs change
	// nothing.
	block(id M, messages, offers []M, us []uint32, rows graph.Offsets)
	// scatter combines the offer x into the box of each of vs, atomically.
	scatter(k opKind, id, x M, boxes []M, vs []uint32, w graph.Weights, t *touch)
	// rows is scatter for the offers xs of a batch of vertices along all their arcs,
	// by one worker alone, where arcs change nothing.
	rows(id M, xs, boxes []M, us []uint32, c graph.CSR, t *touch)
	differs(a, b M) bool
	// absorb combines values with messages, of the vertices run, as bits, and tells whose
	// that has changed.
	absorb(values, messages []M, run uint64) (changed uint64)
	// improver is what sends along arcs into boxes that are never emptied; nil: sums have
	// no such boxes. Weights are most at most; +Inf: some are negative.
	improver(k opKind, id M, order *ranking[M], most float64) improver[M]
	// ranks returns the order of messages that are sums of weights, or the least of some:
	// see relaxorder.go. Weights are most at most, and steps least at least.
	ranks(k opKind, most, least, mean float64) *ranking[M]
}

// A touch is the set of vertices that have been sent to.
type touch struct {
	touched bitmap.Bitmap
	settled bitmap.Bitmap // nil when no vertex ever settles
	parked  bitmap.Bitmap // nil: no vertex waits for its turn (relaxorder.go)
	near    uint64        // the highest rank that does not
	loose   bool          // vertices are not claimed
	w       *Worker
	seen    uint32 // what was read ahead, so that it is read
}

// takes tells whether messages to v count.
func (t *touch) takes(v uint32) bool { return t.settled == nil || !t.settled.Has(v) }

// mark notes that v has a message.
func (t *touch) mark(v uint32) {
	if t.loose {
		t.list(v, 0)
	} else if !t.touched.HasAtomic(v) {
		t.first(v)
	}
}

// first notes that v has a message and tells whether this worker was the first
// to say so.
func (t *touch) first(v uint32) bool {
	if t.w.Alone {
		t.touched.Set(v) // mark has seen that it was not
	} else if !t.touched.SetAtomic(v) {
		return false
	}
	t.w.Touched = append(t.w.Touched, v)
	return true
}

// Combinations of combiner and operation that have no loop of their own go
// through blocks of messages on the stack; this costs 1.2 to 2 times a loop of
// one's own.
const blockMessages = 64

// An infinity is the number that PlusWeight and TimesWeight leave as it is:
// unreached plus a weight is unreached.
type infinity[M Number] struct {
	value  M
	exists bool
}

// offered fills block with messages from the first of us, as many as fit.
func offered[M Number](block []M, k opKind, id M, inf infinity[M], offers []M, us []uint32, w graph.Weights, awake bitmap.Bitmap) []M {
	block = block[:min(len(us), len(block))]
	for i := range block {
		block[i] = offers[us[i]]
	}
	weigh(block, k, inf, w)
	if awake != nil {
		for i := range block {
			if !awake.Has(us[i]) {
				block[i] = id
			}
		}
	}
	return block
}

// spread fills block with the messages that the offer x becomes on n arcs, as
// many as fit.
func spread[M Number](block []M, k opKind, inf infinity[M], x M, n int, w graph.Weights) []M {
	block = block[:min(n, len(block))]
	for i := range block {
		block[i] = x
	}
	weigh(block, k, inf, w)
	return block
}

// after returns the weights from number i on.
func after(w graph.Weights, i int) graph.Weights {
	return w.Slice(uint64(i), uint64(len(w.Int)+len(w.Float)))
}

// weigh applies an edge operation to offers.
func weigh[M Number](xs []M, k opKind, inf infinity[M], w graph.Weights) {
	switch {
	case k == opCopy:
	case w.Float != nil:
		weighBy(xs, k, inf, w.Float)
	default:
		weighBy(xs, k, inf, w.Int)
	}
}

// weighBy is weigh for one kind of weights; no weights are weights of 1.
func weighBy[M Number, W int32 | float32](xs []M, k opKind, inf infinity[M], w []W) {
	y := M(1)
	for i, x := range xs {
		if w != nil {
			y = M(w[i])
		}
		switch {
		case k == opLeast:
			xs[i] = min(x, y)
		case inf.exists && x == inf.value:
		case k == opPlus:
			xs[i] = x + y
		default:
			xs[i] = x * y
		}
	}
}

// lower makes *p the lesser of itself and x, and tells whether it was id: only
// then may the message be the first.
func lower[T Number](p *T, x, id T, alone bool) bool {
	if alone {
		old := *p
		if x < old {
			*p = x
		}
		return old == id
	}
	for {
		old := mem.Load(p)
		if !(x < old) || mem.Swap(p, old, x) {
			return old == id
		}
	}
}

// raise makes *p the greater of itself and x.
func raise[T Number](p *T, x T, alone bool) {
	if alone {
		if x > *p {
			*p = x
		}
		return
	}
	for {
		old := mem.Load(p)
		if !(x > old) || mem.Swap(p, old, x) {
			return
		}
	}
}

// add adds x to *p.
func add[T Number](p *T, x T, alone bool) {
	if alone {
		*p += x
		return
	}
	for {
		old := mem.Load(p)
		if mem.Swap(p, old, old+x) {
			return
		}
	}
}

// unite makes *p the union of itself and x.
func unite[T Integer](p *T, x T, alone bool) {
	if alone {
		*p |= x
		return
	}
	for {
		old := mem.Load(p)
		if old|x == old || mem.Swap(p, old, old|x) {
			return
		}
	}
}
