package check_test

import "gopregel/pregel"

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

// weightless is wholeMany by functions of one whose operation says Weightless.
func weightless(passes func(u, v uint32, w float64) bool) parts[uint32, uint32] {
	p := least()
	p.spec.Edge = pregel.EdgeFunc("some", func(x uint32, u, v uint32, w float64) (uint32, bool) { return x, passes(u, v, w) })
	p.spec.Edge.Weightless = true
	return p
}
