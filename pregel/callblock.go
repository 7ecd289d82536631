package pregel

import (
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file combines by functions of one's own where everybody is awake and offers travel unchanged:
// PageRank with a sum of one's own. The offers along many short rows are put side by side, and
// nothing is done between the calls but to go on to the next one.
//
// Cost: a read, a write and a call for each arc; functions of many are called by edgemany.go.

// callBlock is gatherRows by functions.
func (t *edgeTask[V, M]) callBlock(v uint32, w *Worker, c *graph.CSR, rows graph.Offsets, messages []M, ask bool) {
	n := uint32(len(messages))
	switch {
	case t.byGather():
		t.gatherBlocks(v, w, c, rows, messages, ask)
		return
	case t.byMany():
		for k := uint32(0); k < n; k += BlockSize {
			some := messages[k:min(k+BlockSize, n)]
			t.gatherMany(int(v+k), ^uint64(0)>>(BlockSize-len(some)), some, w, Frontier{All: true}, t.receiving)
		}
		return
	}
	r, last := t.corners[w.Slot].arguments, rows.At(n)
	r.w, r.id = w, t.spec.Combine.Identity
	for k := uint32(0); k < n; {
		w.At, r.to = v+k, 0
		from := rows.At(k)
		fit := r.fit(rows, k, n)
		if fit == 0 {
			messages[k], _ = t.gatherRow(r, r.id, w.At, c, from, rows.At(k+1), last)
			k++
			continue
		}
		r.fill(c, from, rows.At(k+fit), t.offers, false)
		if ask {
			mem.Prefetch(t.offers, c.Targets[r.to:min(r.to+callsAtOnce, last)])
		}
		r.combineRows(t.spec.Combine.Func, fit)
		copy(messages[k:], r.results[:fit])
		k += fit
	}
}

// fit tells how many rows, of those from k to n, have no more arcs than are made ready at a time, and
// notes where each of them ends.
func (r *arguments[M]) fit(rows graph.Offsets, k, n uint32) (fit uint32) {
	n = min(n-k, callsAtOnce)
	for from := rows.At(k); fit < n; fit++ {
		end := rows.At(k+fit+1) - from
		if end > callsAtOnce {
			break
		}
		r.ends[fit%callsAtOnce] = uint16(end)
	}
	return fit
}

// combineRows combines the offers of n rows, the first that of r.w.At, which lie side by side. After a
// call everything is read again that the loops have in registers: so what they need is few things.
//
//go:noinline
func (r *arguments[M]) combineRows(combine func(a, b M) M, n uint32) {
	at := uint32(0)
	for k := range n {
		acc := r.id
		for end := uint32(r.ends[k%callsAtOnce]); at < end; at++ {
			acc = combine(acc, r.offers[at%callsAtOnce])
		}
		r.results[k%callsAtOnce] = acc
		r.w.At++
	}
}
