package cpu_test

import (
	"math"

	"gopregel/pregel"
)

// Programs as a user would write them, each declaring that it may be relaxed.

// widest is the greatest width of a path from vertex 0: the least weight on it.
type widest struct{}

func (widest) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Max[float64](), Edge: pregel.MinWeight[float64]()}
}

func (widest) Init(v pregel.Vertex[float64]) (float64, bool) {
	if v.ID == 0 {
		return math.Inf(1), true
	}
	return math.Inf(-1), false
}

func (widest) Emit(v pregel.Vertex[float64]) float64 { return v.Value }

func (widest) Apply(v pregel.Vertex[float64], offer float64, _ bool) (float64, bool) {
	return max(v.Value, offer), offer > v.Value
}

func (widest) Relaxes() bool { return true }

// widestFirst is widest with the widest first, by steps.
type widestFirst struct {
	widest
	most, step float64
}

func (p widestFirst) Priority(width float64) uint64 {
	return uint64(max(p.most-max(width, -1), 0) / p.step)
}

// shortest is the least sum of weights of a path from vertex 0.
type shortest struct{}

func (shortest) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Min[float64](), Edge: pregel.PlusWeight[float64]()}
}

func (shortest) Init(v pregel.Vertex[float64]) (float64, bool) {
	if v.ID == 0 {
		return 0, true
	}
	return math.Inf(1), false
}

func (shortest) Emit(v pregel.Vertex[float64]) float64 { return v.Value }

func (shortest) Apply(v pregel.Vertex[float64], offer float64, _ bool) (float64, bool) {
	return min(v.Value, offer), offer < v.Value
}

func (shortest) Relaxes() bool { return true }

// nearestFirst is shortest with the nearest first, by steps.
type nearestFirst struct {
	shortest
	step float64
}

func (p nearestFirst) Priority(distance float64) uint64 { return uint64(min(distance/p.step, 1<<40)) }

// least is the least vertex that can reach each.
type least struct{ along pregel.Along }

func (p least) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Along: p.along}
}

func (least) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true }
func (least) Emit(v pregel.Vertex[uint32]) uint32         { return v.Value }
func (least) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return min(v.Value, m), m < v.Value
}
func (least) Relaxes() bool { return true }

// sources is which of 32 sources can reach each vertex.
type sources struct{ every uint32 }

func (sources) Spec() pregel.Spec[uint32] { return pregel.Spec[uint32]{Combine: pregel.Or[uint32]()} }

func (p sources) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID%p.every != 0 {
		return 0, false
	}
	return 1 << (v.ID / p.every % 32), true
}

func (sources) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value }
func (sources) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return v.Value | m, v.Value|m != v.Value
}
func (sources) Relaxes() bool { return true }

// within is hop-limited reach: the fewest arcs from vertex 0, up to a limit.
type within struct{ limit uint32 }

func (within) Spec() pregel.Spec[uint32] { return pregel.Spec[uint32]{Combine: pregel.Min[uint32]()} }

func (within) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == 0 {
		return 0, true
	}
	return math.MaxUint32, false
}

func (within) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value + 1 }
func (p within) Apply(v pregel.Vertex[uint32], hops uint32, _ bool) (uint32, bool) {
	return min(v.Value, hops), hops < v.Value && hops < p.limit
}
func (within) Relaxes() bool { return true }

// route is the best of paths from vertex 0 by fewest arcs, then by width: values
// and messages that are structs, combined by a function.
type route struct{}

type leg struct {
	hops  int32
	width float64
}

func better(a, b leg) leg {
	if b.hops < a.hops || b.hops == a.hops && b.width > a.width {
		return b
	}
	return a
}

func (route) Spec() pregel.Spec[leg] {
	m := pregel.Combine("better", leg{math.MaxInt32, 0}, better)
	m.Idempotent = true
	return pregel.Spec[leg]{Combine: m, Edge: pregel.EdgeFunc("leg", func(x leg, _, _ uint32, w float64) (leg, bool) {
		return leg{x.hops + 1, min(x.width, w)}, true
	})}
}

func (route) Init(v pregel.Vertex[leg]) (leg, bool) {
	if v.ID == 0 {
		return leg{0, math.Inf(1)}, true
	}
	return leg{math.MaxInt32, 0}, false
}

func (route) Emit(v pregel.Vertex[leg]) leg { return v.Value }
func (route) Apply(v pregel.Vertex[leg], m leg, _ bool) (leg, bool) {
	best := better(v.Value, m)
	return best, best != v.Value
}
func (route) Relaxes() bool { return true }

// touched is reach by whichever message comes.
type touched struct{}

func (touched) Spec() pregel.Spec[[]byte]               { return pregel.Spec[[]byte]{Combine: pregel.Any[[]byte]()} }
func (touched) Init(v pregel.Vertex[bool]) (bool, bool) { return v.ID == 0, v.ID == 0 }
func (touched) Emit(pregel.Vertex[bool]) []byte         { return []byte{1} }
func (touched) Apply(v pregel.Vertex[bool], _ []byte, _ bool) (bool, bool) {
	return true, !v.Value
}
func (touched) Relaxes() bool { return true }

// settling is sources, done where all have been heard of.
type settling struct{ sources }

func (settling) Settled(value uint32) bool { return value == math.MaxUint32 }

// leastSource is the least in-neighbour: messages made of ids alone.
type leastSource struct{}

func (leastSource) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (leastSource) Init(pregel.Vertex[uint32]) (uint32, bool) { return math.MaxUint32, true }
func (leastSource) Emit(pregel.Vertex[uint32]) uint32         { panic("never asked") }
func (leastSource) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return min(v.Value, m), false
}
func (leastSource) Relaxes() bool { return true }

// spreading is the greatest product of weights of a path, up to a bound: an
// operation without a loop of its own.
type spreading struct{}

func (spreading) Spec() pregel.Spec[uint64] {
	return pregel.Spec[uint64]{Combine: pregel.Max[uint64](), Edge: pregel.TimesWeight[uint64]()}
}
func (spreading) Init(v pregel.Vertex[uint64]) (uint64, bool) { return uint64(v.ID % 7), v.ID%7 == 3 }
func (spreading) Emit(v pregel.Vertex[uint64]) uint64         { return min(v.Value, 1<<20) }
func (spreading) Apply(v pregel.Vertex[uint64], m uint64, _ bool) (uint64, bool) {
	return max(v.Value, m), m > v.Value
}
func (spreading) Relaxes() bool { return true }

// roads is shortest in integers, with as many sources as there are hundreds of vertices.
type roads struct{ along pregel.Along }

func (p roads) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.PlusWeight[uint32](), Along: p.along}
}
func (roads) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID%100 == 0 {
		return v.ID, true
	}
	return math.MaxUint32, false
}
func (roads) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value }
func (roads) Apply(v pregel.Vertex[uint32], m uint32, _ bool) (uint32, bool) {
	return min(v.Value, m), m < v.Value
}
func (roads) Relaxes() bool { return true }

// pipes is widest in integers, from vertex 0, whose own width bounds all.
type pipes struct{ along pregel.Along }

func (p pipes) Spec() pregel.Spec[int32] {
	return pregel.Spec[int32]{Combine: pregel.Max[int32](), Edge: pregel.MinWeight[int32](), Along: p.along}
}
func (pipes) Init(v pregel.Vertex[int32]) (int32, bool) {
	if v.ID == 0 {
		return 1 << 20, true
	}
	return math.MinInt32, false
}
func (pipes) Emit(v pregel.Vertex[int32]) int32 { return v.Value }
func (pipes) Apply(v pregel.Vertex[int32], m int32, _ bool) (int32, bool) {
	return max(v.Value, m), m > v.Value
}
func (pipes) Relaxes() bool { return true }

// detours is nearest first by functions, and some arcs carry nothing.
type detours struct{ nearestFirst }

func (detours) Spec() pregel.Spec[float64] {
	m := pregel.Combine("nearer", math.Inf(1), func(a, b float64) float64 { return min(a, b) })
	m.Idempotent = true
	return pregel.Spec[float64]{Combine: m, Along: pregel.BothEdges, Edge: pregel.EdgeFunc("open", func(x float64, u, v uint32, w float64) (float64, bool) {
		return x + w, (u+v)%5 != 0
	})}
}
