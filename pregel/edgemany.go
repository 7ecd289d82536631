package pregel

import (
	"math/bits"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// This file pulls by functions of many (EdgeOp.Many, Monoid.Many): for programs whose edge operation,
// or combiner, is a function of one's own that is there for many at a time too.
//
// The arcs of the rows of a block are put side by side in a bundle. When it is full, or the block is at
// its end, offers are made messages by one call, and messages are combined by a few (bundle.go).
//
// Invariant: how the messages of a row are combined depends on nothing but the graph: on how it is cut
// in pieces, from its start or that of a hub's part. So sums of floats are the same for any workers;
// where the combiner is a function of one, in the order of the row.
//
// Cost: two calls for each up to 256 arcs, and a few; half of what calls for each arc cost (PageRank).

// byMany tells whether functions of many are called.
func (t *edgeTask[V, M]) byMany() bool {
	return t.mode == byCalls && (t.spec.Combine.Many != nil || t.spec.Edge.Many != nil)
}

// pullMany is Pull for the vertices run of block i, no hub among them, along one CSR or two.
func (t *edgeTask[V, M]) pullMany(i int, run uint64, w *Worker, f Frontier, receiving []graph.CSR, next bitmap.Bitmap) {
	lo := i * BlockSize
	messages := t.corners[w.Slot].room[:bits.Len64(run)]
	got := t.gatherMany(lo, run, messages, w, f, receiving)
	t.applyPulled(i, run, got, messages, w, f, receiving, next)
}

// applyMany is applyWhole for a block, in which a failure names its vertex.
func (t *edgeTask[V, M]) applyMany(lo int, w *Worker, messages []M, rows graph.Offsets, next bitmap.Bitmap) {
	before := t.corners[w.Slot].before[:len(messages)]
	copy(before, t.values[lo:])
	defer func() {
		if thrown := recover(); thrown != nil {
			t.findFailed(lo, w, before, messages, rows)
			w.At = uint32(lo)
			panic(thrown)
		}
	}()
	t.applyWhole(uint32(lo), w, messages, rows, next)
}

// gatherMany combines the messages to the vertices run of the block from lo on, and tells who has any.
func (t *edgeTask[V, M]) gatherMany(lo int, run uint64, messages []M, w *Worker, f Frontier, receiving []graph.CSR) (got uint64) {
	m := t.corners[w.Slot].bundle
	m.begin(receiving, uint32(lo), messages)
	w.At = uint32(lo)
	defer t.findSent(m, run, w, f)
	switch {
	case f.All && len(receiving) == 1 && run == ^uint64(0)>>(BlockSize-len(messages)):
		t.gatherAll(m, &receiving[0], uint32(lo), len(messages), t.corners[w.Slot].degrees)
	default:
		for set := run; set != 0; set &= set - 1 {
			v := uint32(lo + bits.TrailingZeros64(set))
			for i := range receiving {
				from, to := receiving[i].Offsets.Row(v)
				t.addRow(m, v, i, from, to, f)
			}
		}
	}
	t.flush(m)
	for set := run &^ m.got; set != 0; set &= set - 1 {
		messages[bits.TrailingZeros64(set)] = t.spec.Combine.Identity
	}
	return m.got
}

// gatherRowMany is gatherCalls by functions of many: for vertices that are not done by blocks.
func (t *edgeTask[V, M]) gatherRowMany(acc M, v uint32, c graph.CSR, lo uint64, us []uint32, w *Worker, f Frontier) (message M, got bool) {
	m := t.corners[w.Slot].bundle
	m.begin(m.one(c), v, m.alone[:])
	defer func() {
		if thrown := recover(); thrown != nil {
			t.gatherOnes(acc, v, c, lo, us, w, f) // w.At is v
			panic(thrown)
		}
	}()
	t.addRow(m, v, 0, lo, lo+uint64(len(us)), f)
	if t.flush(m); m.got == 0 {
		return acc, false
	}
	return t.spec.Combine.Func(acc, m.alone[0]), true
}

// findSent calls, after a panic, functions of one for the same rows, so that the failure names its
// vertex: the first of the call, if those do not fail.
func (t *edgeTask[V, M]) findSent(m *bundle[M], run uint64, w *Worker, f Frontier) {
	thrown := recover()
	if thrown == nil {
		return
	}
	at := m.first
	if m.rows > 0 {
		at = m.pieces[0].v
	}
	for set := run; set != 0; set &= set - 1 {
		w.At = m.first + uint32(bits.TrailingZeros64(set))
		for _, c := range m.csrs {
			from, to := c.Offsets.Row(w.At)
			t.gatherOnes(t.spec.Combine.Identity, w.At, c, from, c.Targets[from:to], w, f)
		}
	}
	w.At = at
	panic(thrown)
}

// gatherAll is gatherMany for n vertices from v on, where all are awake.
func (t *edgeTask[V, M]) gatherAll(m *bundle[M], c *graph.CSR, v uint32, n int, degrees *[BlockSize]uint32) {
	rows := c.Offsets.Slice(v, n)
	each := rows.Degrees(degrees[:n])
	if d := even(each); d > 0 && t.spec.Edge.kind == opCopy {
		begin, end := rows.At(0), rows.At(uint32(n))
		m.combineEven(t.spec.Combine.Many, t.offers, c.Targets[begin:end], n, d)
		return
	}
	if !m.columns.of(v, rows, each) {
		t.addRows(m, c, v, n)
		return
	}
	m.columned, m.n = true, m.columns.arcs
	if m.n == 0 {
		return
	}
	gatherColumns(&m.columns, &m.messages, t.offers, c.Targets)
	m.send(&t.spec.Edge)
	if many := t.spec.Combine.Many; many == nil || m.drops() {
		m.unfold()
		m.combine(&t.spec.Combine)
	} else {
		m.combineColumns(many)
	}
	m.clear()
}

// addRows puts n rows of c into the bundle, from that of v on, where all are awake. Of those
// that fit nothing is written twice, which the next one would wait for.
func (t *edgeTask[V, M]) addRows(m *bundle[M], c *graph.CSR, v uint32, n int) {
	rows, arcs := m.rows, m.n
	end := c.Offsets.At(v)
	for last := v + uint32(n); v < last; v++ {
		from := end
		end = c.Offsets.At(v + 1)
		d := end - from
		if arcs+int(d) > ArcsAtOnce {
			m.rows, m.n = rows, arcs
			t.addRow(m, v, 0, from, end, Frontier{All: true})
			rows, arcs = m.rows, m.n
		} else if d > 0 {
			m.pieces[rows] = piece{v, uint16(d), uint8(arcs), 0, from}
			rows, arcs = rows+1, arcs+int(d)
		}
	}
	m.rows, m.n = rows, arcs
}

// addRow puts arcs from to to of a CSR, of those awake to v, into the bundle.
func (t *edgeTask[V, M]) addRow(m *bundle[M], v uint32, csr int, from, to uint64, f Frontier) {
	if !f.All {
		t.addAwake(m, v, csr, from, to, f.Bits)
		return
	}
	for from < to {
		n := min(to-from, ArcsAtOnce)
		if m.n+int(n) > ArcsAtOnce {
			t.flush(m)
		}
		m.add(v, csr, from, int(n))
		from += n
	}
}

// addAwake is addRow where some sleep. A row is cut in pieces before it is known who is awake.
func (t *edgeTask[V, M]) addAwake(m *bundle[M], v uint32, csr int, from, to uint64, awake bitmap.Bitmap) {
	m.picked = true
	targets := m.csrs[csr].Targets
	for ; from < to; from += callsAhead {
		us := targets[from:min(from+callsAhead, to)]
		if m.n+len(us) > ArcsAtOnce {
			t.flush(m)
		}
		n := m.pick(awake, 0, us)
		if n == 0 {
			continue
		}
		messages := m.messages[m.n:][:n]
		for i, u := range m.others[m.n:][:n] {
			messages[i] = t.offers[u]
		}
		m.add(v, csr, from, n)
	}
}

// fill reads the offers of all arcs of the bundle.
func (t *edgeTask[V, M]) fill(m *bundle[M]) {
	for i := 0; i < m.rows; {
		p := &m.pieces[i]
		j, to := m.run(i)
		targets := m.csrs[p.csr].Targets
		us := targets[p.from:to]
		messages, offers := m.messages[p.at:][:len(us)], t.offers
		for k, u := range us {
			messages[k] = offers[u]
		}
		i = j
	}
}

// flush makes messages of the bundle, combines them into the results of their rows, and empties it.
func (t *edgeTask[V, M]) flush(m *bundle[M]) {
	if m.n == 0 {
		return
	}
	if !m.picked {
		t.fill(m)
	}
	m.send(&t.spec.Edge)
	m.combine(&t.spec.Combine)
	m.clear()
}
