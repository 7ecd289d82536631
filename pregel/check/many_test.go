package check_test

import (
	"sync/atomic"

	"gopregel/pregel"
)

// wholeMany passes the least vertex on along some arcs, by functions of many: these, or else those that
// do what those of one do.
func wholeMany(combine func(as, bs []uint32), along func(a *pregel.Arcs[uint32])) parts[uint32, uint32] {
	p := least()
	c := pregel.Combine("lesser", 1<<32-1, func(a, b uint32) uint32 { return min(a, b) })
	c.Many = lesserMany
	if combine != nil {
		c.Many = combine
	}
	e := pregel.EdgeFunc("some", func(x uint32, u, v uint32, w float64) (uint32, bool) {
		return x, passes(u, v, w)
	})
	e.Many = along
	if along == nil {
		e.Many = func(a *pregel.Arcs[uint32]) {
			vs, ws := a.Targets(), a.Weights()
			for i, u := range a.Sources() {
				if !passes(u, vs[i], ws[i]) {
					a.Drop(i)
				}
			}
		}
	}
	p.spec.Combine, p.spec.Edge = c, e
	return p
}

func passes(u, v uint32, w float64) bool { return (u+2*v+uint32(int(w)))%3 > 0 }

func lesserMany(as, bs []uint32) {
	for i, b := range bs {
		as[i] = min(as[i], b)
	}
}

// rows is a program of wholeMany that combines rows itself, but for the last arcs of each.
type rows struct {
	parts[uint32, uint32]
	less int
}

func (p rows) Gather(r *pregel.Rows[uint32]) {
	for i, us := range r.All() {
		for k, u := range us[:max(len(us)-p.less, 0)] {
			if r.Awake(u) && passes(u, r.Target(i), r.Weight(i, k)) {
				r.Messages[i], r.Got[i] = min(r.Messages[i], r.Offers[u]), true
			}
		}
	}
}

// weightless passes the least vertex on by an operation that says Weightless.
func weightless(send func(x, u, v uint32, w float64) (uint32, bool)) parts[uint32, uint32] {
	p := least()
	p.spec.Edge = pregel.EdgeFunc("some", send)
	p.spec.Edge.Weightless = true
	return p
}

// byTurns sends what it is offered every other time.
func byTurns() func(x, u, v uint32, w float64) (uint32, bool) {
	var calls atomic.Uint32
	return func(x, _, _ uint32, _ float64) (uint32, bool) { return x, calls.Add(1)%2 > 0 }
}

// blind is weightless by a function that is, and by one of many arcs that finds 1 for each.
func blind() parts[uint32, uint32] {
	p := weightless(func(x, u, v uint32, _ float64) (uint32, bool) { return x, passes(u, v, 1) })
	p.spec.Edge.Many = wholeMany(nil, nil).spec.Edge.Many
	return p
}
