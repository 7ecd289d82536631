package check

import "fmt"

// This file holds edge operations that say Weightless to it: what such a one makes of an offer where
// it is called with 1, as engines do, it makes of it with the weight of the arc.

// compareWeights compares what has become of an offer on its way with what becomes of it there by
// the arc's weight, unless it is another already when the operation is called again.
func (r *edgeRun) compareWeights(offer any, m envelope, v uint32, s int, sent bool) {
	if !r.e.audit || r.edge.SendWeighed == nil || m.w == 1 {
		return
	}
	r.e.seen.weightless = true
	at, with1 := r.parts.At(v, int32(s), 0), fate(m.message, sent)
	if again, ok := r.edge.Send(offer, m.from, v, m.w); ok != sent || ok && !equal(again, m.message, 0) {
		r.find(pure, at, "offer %s of %d on the arc to %d becomes %s, and %s when the edge operation is called again", goText(offer), m.from, v, with1, fate(again, ok))
		return
	}
	if message, ok, text := r.weighed(offer, m, v); text != "" || ok != sent || ok && !equal(message, m.message, 0) {
		if text == "" {
			text = fate(message, ok)
		}
		r.find(weightless, at, "offer %s of %d on the arc to %d becomes %s with weight 1, but %s with %v, the arc's", goText(offer), m.from, v, with1, text, m.w)
	}
}

// weighed is what becomes of an offer by the arc's weight; text tells of a panic.
func (r *edgeRun) weighed(offer any, m envelope, v uint32) (message any, ok bool, text string) {
	defer func() {
		if thrown := recover(); thrown != nil {
			text = fmt.Sprintf("panics (%v)", thrown)
		}
	}()
	message, ok = r.edge.SendWeighed(offer, m.from, v, m.w)
	return message, ok, ""
}
