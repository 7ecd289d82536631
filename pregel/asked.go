package pregel

import "gopregel/pregel/mem"

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
