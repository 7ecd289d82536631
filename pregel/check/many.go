package check

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"gopregel/pregel"
)

// This file compares functions of many (pregel.Monoid.Many, pregel.EdgeOp.Many) with those of one:
// combiners on messages as the other laws are tried on, edge operations on the arcs of a run.

const (
	manyTries  = 200 // calls of a combiner
	manyLength = 80  // and for how many messages, at most
)

// unlikeOne tells where a combiner's function of many does something else than that of one.
func (c claim) unlikeOne(r *rand.Rand, sent []any) string {
	if c.Many == nil {
		return ""
	}
	for range manyTries {
		as, bs := make([]any, r.IntN(manyLength)), []any{}
		for i := range as {
			as[i], bs = c.draw(r, sent), append(bs, c.draw(r, sent))
		}
		text := c.comparesMany(as, bs)
		for i := 0; i < len(as) && text != ""; { // with fewer of them
			fewerAs, fewerBs := slices.Delete(slices.Clone(as), i, i+1), slices.Delete(slices.Clone(bs), i, i+1)
			if fewer := c.comparesMany(fewerAs, fewerBs); fewer != "" {
				as, bs, text = fewerAs, fewerBs, fewer
			} else {
				i++
			}
		}
		if text != "" {
			return text
		}
	}
	return ""
}

// comparesMany is unlikeOne for some messages.
func (c claim) comparesMany(as, bs []any) (text string) {
	defer func() {
		if thrown := recover(); thrown != nil {
			text = fmt.Sprintf("Many of %d messages panics: %v", len(as), thrown)
		}
	}()
	got, beside := slices.Clone(as), slices.Clone(bs)
	c.Many(got, beside)
	for i := range as {
		switch want := c.Func(as[i], bs[i]); {
		case !equal(got[i], want, 0):
			return fmt.Sprintf("%s ⊕ %s is %s, but by Many, as number %d of %d, %s", goText(as[i]), goText(bs[i]), goText(want), i+1, len(as), goText(got[i]))
		case !equal(beside[i], bs[i], 0):
			return fmt.Sprintf("Many of %d messages changes number %d of bs, %s, to %s", len(as), i+1, goText(bs[i]), goText(beside[i]))
		}
	}
	return ""
}

// manyArcs are arcs along which something was sent, or dropped, by the function of one.
type manyArcs struct {
	us, vs           []uint32
	ws               []float64
	offers, messages []any
	sent             []bool
}

// compareMany keeps what has become of an offer, for the next call for many.
func (r *edgeRun) compareMany(offer any, m envelope, v uint32, sent bool) {
	if !r.e.audit || r.edge.SendMany == nil {
		return
	}
	a := &r.sent
	a.us, a.vs, a.ws = append(a.us, m.from), append(a.vs, v), append(a.ws, m.w)
	a.offers, a.messages, a.sent = append(a.offers, offer), append(a.messages, m.message), append(a.sent, sent)
}

// endMany compares what was sent in superstep s, by calls for some arcs and for as many as there may be.
func (r *edgeRun) endMany(s int) {
	a := &r.sent
	for lo := 0; lo < len(a.us); {
		n := min(len(a.us)-lo, pregel.ArcsAtOnce)
		if r.e.rand.IntN(2) == 0 {
			n = 1 + r.e.rand.IntN(n)
		}
		if at, text := r.unlikeSend(lo, lo+n); text != "" {
			r.find(many, r.parts.At(a.vs[at], int32(s), 0), "%s", text)
			break
		}
		lo += n
	}
	r.sent = manyArcs{}
}

// unlikeSend is where the arcs from lo to hi fare otherwise by the function of many.
func (r *edgeRun) unlikeSend(lo, hi int) (at int, text string) {
	a := &r.sent
	defer func() {
		if thrown := recover(); thrown != nil {
			at, text = lo, fmt.Sprintf("the edge operation's Many for %d arcs panics: %v", hi-lo, thrown)
		}
	}()
	messages := slices.Clone(a.offers[lo:hi])
	sent := r.edge.SendMany(messages, slices.Clone(a.us[lo:hi]), slices.Clone(a.vs[lo:hi]), slices.Clone(a.ws[lo:hi]))
	for i, message := range messages {
		k := lo + i
		if sent[i] != a.sent[k] || sent[i] && !equal(message, a.messages[k], 0) {
			return k, fmt.Sprintf("offer %s of %d on the arc to %d of weight %v becomes %s, but by Many, as number %d of %d, %s",
				goText(a.offers[k]), a.us[k], a.vs[k], a.ws[k], fate(a.messages[k], a.sent[k]), i+1, hi-lo, fate(message, sent[i]))
		}
	}
	return 0, ""
}

// fate is what becomes of an offer.
func fate(message any, sent bool) string {
	if !sent {
		return "nothing"
	}
	return goText(message)
}
