package check

import "fmt"

// This file sends what an edge operation has sent again: the same must come of it (pure), and where the
// operation says Weightless, so must it by the weight of the arc, in place of 1, with which engines call it.
//
// Cost: a call for each arc that is sent along, and one for each whose weight is not 1.

// sendAgain compares what has become of an offer on its way with what becomes of it when it is sent again.
func (r *edgeRun) sendAgain(offer any, m envelope, v uint32, s int, sent bool) {
	if !r.e.audit {
		return
	}
	same := func(message any, ok bool) bool { return ok == sent && (!ok || equal(message, m.message, 0)) }
	at, was := r.parts.At(v, int32(s), 0), fmt.Sprintf("offer %s of %d on the arc to %d becomes %s", goText(offer), m.from, v, fate(m.message, sent))
	if again, ok := r.edge.Send(offer, m.from, v, m.w); !same(again, ok) {
		r.find(pure, at, "%s, and %s when the edge operation is called again", was, fate(again, ok))
		return
	}
	if r.edge.SendWeighed == nil || m.w == 1 {
		return
	}
	r.e.seen.weightless = true
	if message, ok, thrown := r.weighed(offer, m, v); thrown != nil {
		r.find(weightless, at, "%s with weight 1, but with %v, the arc's, it panics: %v", was, m.w, thrown)
	} else if !same(message, ok) {
		r.find(weightless, at, "%s with weight 1, but with %v, the arc's, %s", was, m.w, fate(message, ok))
	}
}

// weighed is what becomes of an offer by the arc's weight, or what the operation panics with.
func (r *edgeRun) weighed(offer any, m envelope, v uint32) (message any, ok bool, thrown any) {
	defer func() { thrown = recover() }()
	message, ok = r.edge.SendWeighed(offer, m.from, v, m.w)
	return message, ok, nil
}
