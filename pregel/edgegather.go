package pregel

import (
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file pulls by the loops of a Gatherer, where functions would be called for each arc else.
//
// Invariant: a row is gathered whole, but for those of hubs, of which each part is, and parts are combined
// by the combiner in their order: sums of floats are the same for any workers.
//
// Cost: a call for up to 64 rows, and for each of them a copy of where it begins, a message and a flag that
// are written twice.

// byGather tells whether the program combines rows itself.
func (t *edgeTask[V, M]) byGather() bool { return t.gathers != nil && t.mode == byCalls }

// makeRows makes what the program is called with.
func (c *corner[V, M]) makeRows() {
	c.rows = &Rows[M]{room: new(rowsRoom)}
	c.rows.room.numbers.begin()
}

// pullGather is Pull for the vertices run of block i, no hub among them, along one CSR or two.
func (t *edgeTask[V, M]) pullGather(i int, run uint64, w *Worker, f Frontier, receiving []graph.CSR, next bitmap.Bitmap) {
	messages, got := t.corners[w.Slot].room[:bits.Len64(run)], uint64(0)
	if run != 0 {
		got = t.gatherSome(uint32(i*BlockSize), run, messages, w, f, receiving)
	}
	t.applyPulled(i, run, got, messages, w, f, receiving, next)
}

// gatherSome gathers for the vertices run, as bits, of the block from lo on, and tells who has a message.
func (t *edgeTask[V, M]) gatherSome(lo uint32, run uint64, messages []M, w *Worker, f Frontier, receiving []graph.CSR) (got uint64) {
	got = t.gatherRun(lo, run, &receiving[0], messages, w, f)
	if len(receiving) == 1 {
		return got
	}
	more := t.corners[w.Slot].rows.more[:len(messages)]
	also := t.gatherRun(lo, run, &receiving[1], more, w, f)
	for set := also; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set)
		w.At = lo + uint32(k)
		messages[k] = t.spec.Combine.Func(messages[k], more[k])
	}
	return got | also
}

// gatherBlocks is gatherRows where everybody is awake and offers travel unchanged.
func (t *edgeTask[V, M]) gatherBlocks(v uint32, w *Worker, c *graph.CSR, rows graph.Offsets, messages []M, ask bool) {
	n := len(messages)
	if ask {
		mem.Prefetch(t.offers, c.Targets[rows.At(0):rows.At(uint32(n))])
	}
	for k := 0; k < n; k += BlockSize {
		some := messages[k:min(k+BlockSize, n)]
		t.gatherRun(v+uint32(k), ^uint64(0)>>(BlockSize-len(some)), c, some, w, Frontier{All: true})
	}
}

// gatherRun gathers along c for the vertices run, as bits, of the block from lo on, up to as many as
// there are messages, and tells who has one.
func (t *edgeTask[V, M]) gatherRun(lo uint32, run uint64, c *graph.CSR, messages []M, w *Worker, f Frontier) (got uint64) {
	r, n := t.corners[w.Slot].rows, len(messages)
	if r.list = r.room.numbers.of(run, n); len(r.list) == n {
		r.starts = c.Offsets.Window(lo, n, r.room.starts[:])
	} else {
		r.starts = c.Offsets.Few(lo, n, run, r.room.starts[:])
	}
	return t.gather64(r, lo, run, c, messages, w, f)
}

// gatherPart combines acc with the messages along the arcs lo to hi of c to v.
func (t *edgeTask[V, M]) gatherPart(acc M, v uint32, c *graph.CSR, lo, hi uint64, w *Worker, f Frontier) (message M, got bool) {
	r := t.corners[w.Slot].rows
	r.list, r.starts = r.room.numbers.of(1, 1), append(r.room.starts[:0], lo, hi)
	if t.gather64(r, v, 1, c, r.more[:1], w, f) == 0 {
		return acc, false
	}
	return t.spec.Combine.Func(acc, r.more[0]), true
}

// gather64 calls the program for rows that are listed, of the vertices run from first on.
func (t *edgeTask[V, M]) gather64(r *Rows[M], first uint32, run uint64, c *graph.CSR, messages []M, w *Worker, f Frontier) (got uint64) {
	r.room.got = [BlockSize]bool{}
	r.Offers, r.Messages, r.Got = t.offers, messages, r.room.got[:len(messages)]
	r.targets, r.weights, r.first, r.worker, r.awake = c.Targets, c.Weights, first, w, f.Bits
	if f.All {
		r.awake = nil
	}
	id := t.spec.Combine.Identity
	mem.Fill(messages, id)
	w.At = first
	t.gathers.Gather(r)
	got = mem.Bits(&r.room.got) & run
	for none := run &^ got; none != 0; none &= none - 1 {
		messages[bits.TrailingZeros64(none)] = id
	}
	return got
}
