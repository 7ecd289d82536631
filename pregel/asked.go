package pregel

import (
	"math/bits"

	"gopregel/pregel/mem"
)

// An asked asks a Settler about values in a row, of which many are the same: whose bits are those
// of the one before is not asked about again. A call for each vertex was a tenth of a search by a
// program of one's own.
type asked[V any] struct {
	settler Settler[V]
	bits    bool // values are as for mem.Same
	some    bool // there was one
	last    V
	answer  bool
}

// asks begins with no value.
func (t *edgeTask[V, M]) asks() asked[V] { return asked[V]{settler: t.settler, bits: t.bitwise} }

func (a *asked[V]) settled(x V) bool {
	if a.some && mem.Same(x, a.last) {
		return a.answer
	}
	return a.ask(x)
}

//go:noinline
func (a *asked[V]) ask(x V) bool {
	a.last, a.some, a.answer = x, a.bits, a.settler.Settled(x)
	return a.answer
}

// among tells which of the vertices run of the block from lo on have settled. Those with the
// bits of the first are found many at a time.
func (a *asked[V]) among(lo int, run uint64, values []V, w *Worker) (settled uint64) {
	if a.bits && run&(run-1) != 0 {
		k := bits.TrailingZeros64(run)
		w.At = uint32(lo + k)
		rest := run & mem.Others(values, values[k])
		if a.settled(values[k]) {
			settled = run &^ rest
		}
		run = rest
	}
	for ; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		w.At = uint32(lo + k)
		if a.settled(values[k]) {
			settled |= run & -run
		}
	}
	return settled
}
