package cuda

import "gopregel/runtime/cuda/driver"

// runs are struct Run for supersteps of programs that tally, which differ in places that take
// turns. Each is written when it is first asked for.
type runs [24][]byte

// of returns that of a superstep.
func (list *runs) of(r *edgeRun, f *flight) []byte {
	b := &list[f.from|f.to<<1|int(f.side)<<2|int(f.turn)<<3]
	if *b == nil {
		*b = r.layout.bytes(r.turned(f))
	}
	return *b
}

// turned are the arrays as a superstep has them: values where they come from, later where they
// go to; first the offers and the frontier that are heard, then those that are made.
func (r *edgeRun) turned(f *flight) arrays {
	a, places := r.arrays, r.places()
	a.values, a.later = places[f.from], places[f.to]
	a.offers = [2]*driver.Buffer{r.offers(f.turn), r.offers(r.afterTurn(f.turn))}
	if f.side == 1 {
		a.awake[0], a.awake[1] = a.awake[1], a.awake[0]
	}
	return a
}
