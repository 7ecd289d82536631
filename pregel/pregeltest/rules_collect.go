package pregeltest

import (
	"math"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// directions is what is sent along.
func directions() []pregel.Along {
	return []pregel.Along{pregel.OutEdges, pregel.InEdges, pregel.BothEdges}
}

// each of the programs below runs one superstep, in which every third vertex
// sleeps.
func startsAwake(v uint32) bool { return v%3 != 0 }

// heard calls f for every message, in the order in which it is to be seen.
func heard(g *graph.Graph, a pregel.Along, f func(l link)) {
	for _, l := range links(g, a) {
		if startsAwake(l.from) {
			f(l)
		}
	}
}

// oneStep compares a program of one superstep with values counted arc by arc.
func oneStep[V, M any](s *suite, program func(a pregel.Along) sender[V, M], want func(g *graph.Graph, a pregel.Along) []V) {
	r := newRand(s.seed)
	var trials []trial
	for _, f := range forms() {
		g := randomArcs(r, 500+r.IntN(300), 2500).random(f, r)
		for _, a := range directions() {
			values := want(g, a)
			trials = append(trials, func(e *env) {
				if text := differs(runEdge(e, g, program(a)).Values, values); text != "" {
					e.Errorf("along %d, %s: %s", a, describe(g), text)
				}
			})
		}
	}
	s.try(trials)
}

// parent keeps the least source of a message.
type parent struct{ along pregel.Along }

func (p parent) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32](), Along: p.along}
}
func (parent) Init(v pregel.Vertex[uint32]) (uint32, bool) { return graph.None, startsAwake(v.ID) }
func (parent) Emit(pregel.Vertex[uint32]) uint32           { panic("Emit is not asked for source ids") }
func (parent) Apply(_ pregel.Vertex[uint32], message uint32, _ bool) (uint32, bool) {
	return message, false
}

func leastSource(s *suite) {
	program := func(a pregel.Along) sender[uint32, uint32] { return parent{a} }
	oneStep(s, program, func(g *graph.Graph, a pregel.Along) []uint32 {
		values := make([]uint32, g.N())
		for v := range values {
			values[v] = graph.None
		}
		heard(g, a, func(l link) { values[l.to] = min(values[l.to], l.from) })
		return values
	})
}

// extent is a message that is no number.
type extent struct {
	Least, Greatest float64
	Messages        int
}

// extents sees the extent of what it gets, combined by a function.
type extents struct{ along pregel.Along }

func (p extents) Spec() pregel.Spec[extent] {
	return pregel.Spec[extent]{Combine: pregel.Combine("extent", noExtent(), united), Along: p.along}
}

func noExtent() extent { return extent{math.Inf(1), math.Inf(-1), 0} }

func united(a, b extent) extent {
	return extent{min(a.Least, b.Least), max(a.Greatest, b.Greatest), a.Messages + b.Messages}
}

func (extents) Init(v pregel.Vertex[extent]) (extent, bool) { return extent{}, startsAwake(v.ID) }
func (extents) Emit(v pregel.Vertex[extent]) extent         { return offerExtent(v.ID) }
func (extents) Apply(_ pregel.Vertex[extent], message extent, _ bool) (extent, bool) {
	return message, false
}

func offerExtent(v uint32) extent {
	x := float64(mix(uint64(v)) % 1000)
	return extent{x, x, 1}
}

func unnamedCombiners(s *suite) {
	program := func(a pregel.Along) sender[extent, extent] { return extents{a} }
	oneStep(s, program, func(g *graph.Graph, a pregel.Along) []extent {
		sums := make([]extent, g.N())
		for v := range sums {
			sums[v] = noExtent()
		}
		heard(g, a, func(l link) { sums[l.to] = united(sums[l.to], offerExtent(l.from)) })
		for v := range sums {
			if sums[v].Messages == 0 {
				sums[v] = extent{}
			}
		}
		return sums
	})
}

// signatures sums what an edge function makes of all it is told.
type signatures struct{ along pregel.Along }

func (p signatures) Spec() pregel.Spec[uint64] {
	return pregel.Spec[uint64]{Combine: pregel.Sum[uint64](), Edge: pregel.EdgeFunc("sign", sign), Along: p.along}
}
func (signatures) Init(v pregel.Vertex[uint64]) (uint64, bool) { return 0, startsAwake(v.ID) }
func (signatures) Emit(v pregel.Vertex[uint64]) uint64         { return uint64(v.ID) << 20 }
func (signatures) Apply(_ pregel.Vertex[uint64], message uint64, _ bool) (uint64, bool) {
	return message ^ 1, false
}

// sign sends nothing along a quarter of the edges.
func sign(x uint64, u, v uint32, w float64) (uint64, bool) {
	h := mix(x, uint64(u), uint64(v), math.Float64bits(w))
	return h, h%4 != 0
}

func edgeFunctions(s *suite) {
	program := func(a pregel.Along) sender[uint64, uint64] { return signatures{a} }
	oneStep(s, program, func(g *graph.Graph, a pregel.Along) []uint64 {
		sums, got := make([]uint64, g.N()), make([]bool, g.N())
		heard(g, a, func(l link) {
			if x, ok := sign(uint64(l.from)<<20, l.from, l.to, l.w); ok {
				sums[l.to] += x
				got[l.to] = true
			}
		})
		for v := range sums {
			if got[v] {
				sums[v] ^= 1
			}
		}
		return sums
	})
}

// lists keeps its messages.
type lists struct{ along pregel.Along }

type signed struct {
	Source uint32
	Weight float64
}

func (p lists) Spec() pregel.Spec[signed] {
	return pregel.Spec[signed]{Along: p.along, Edge: pregel.EdgeFunc("list", func(_ signed, u, v uint32, w float64) (signed, bool) {
		return signed{u, w}, (u+v)%5 != 0
	})}
}
func (lists) Init(v pregel.Vertex[[]signed]) ([]signed, bool) { return nil, startsAwake(v.ID) }
func (lists) Emit(pregel.Vertex[[]signed]) signed             { return signed{} }
func (lists) ApplyAll(_ pregel.Vertex[[]signed], messages []signed) ([]signed, bool) {
	return append([]signed(nil), messages...), false
}

func collectorsSeeOrder(s *suite) {
	program := func(a pregel.Along) sender[[]signed, signed] { return lists{a} }
	oneStep(s, program, func(g *graph.Graph, a pregel.Along) [][]signed {
		values := make([][]signed, g.N())
		heard(g, a, func(l link) {
			if (l.from+l.to)%5 != 0 {
				values[l.to] = append(values[l.to], signed{l.from, l.w})
			}
		})
		return values
	})
}
