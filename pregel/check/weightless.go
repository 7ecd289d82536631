package check

// This file holds edge operations that say Weightless to it: what such a one makes of an offer where
// it is called with 1, as engines do, it makes of it with the weight of the arc.

// compareWeights compares what has become of an offer on its way with what becomes of it there by
// the arc's weight.
func (r *edgeRun) compareWeights(offer any, m envelope, v uint32, s int, sent bool) {
	if !r.e.audit || r.edge.Weigh == nil {
		return
	}
	message, ok := r.edge.Weigh(offer, m.from, v, m.w)
	if ok != sent || ok && !equal(message, m.message, 0) {
		r.find(weightless, r.parts.At(v, int32(s), 0), "offer %s of %d on the arc to %d becomes %s with weight 1, but %s with %v, the arc's",
			goText(offer), m.from, v, fate(m.message, sent), fate(message, ok), m.w)
	}
}
