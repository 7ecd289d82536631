package wcc

import (
	"sync/atomic"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs/internal/census"
)

// Result: root[v] = first for the hub, its neighbours, and vertices of which one of the
// first neighbours is known to be joined; root[v] = v for all others.
//
// Method: where a vertex of an undirected graph has a large share of all others as
// neighbours, most vertices have one of these among their first neighbours (the bottom-up
// step of Beamer, Asanović, Patterson, Direction-Optimizing Breadth-First Search, SC 2012).
// Who is joined is one bit, so that to look at a neighbour is to look into a cache, and a
// vertex that finds one writes its own root, without atomic operations. Vertices see who
// was found before them.
//
// Invariant: first is the least of the hub and its neighbours; vertices below it stay by
// themselves, so that root[v] <= v. A word of the bits is written by the worker alone that
// has its vertices. No word of roots is read.
//
// Cost: O(n) reads of arcs, at most tries a vertex, and the hub's own; n bits.

const (
	tries = 16 // arcs that a vertex looks at to find one that is joined

	// A vertex is a hub if it has one of so many vertices for a neighbour.
	hubShare = 256
)

// A hub is a vertex of many neighbours.
type hub struct {
	center uint32
	first  uint32 // the least of it and its neighbours
	joined bitmap.Bitmap
}

// findHub looks for a hub that most vertices with arcs can be joined to, by samples, and
// returns how many of how many samples can be; nil: there is none.
func findHub(out graph.CSR) (h *hub, near, of uint64) {
	u := center(out)
	if u == graph.None {
		return nil, 0, 0
	}
	h = newHub(out, u)
	if near, of = h.sample(out); 2*near <= of {
		mem.Give(h.joined)
		return nil, near, of
	}
	return h, near, of
}

// center is a vertex of many neighbours, None if none is seen. Of the ends of arcs most
// are such.
func center(out graph.CSR) uint32 {
	u, most := graph.None, uint64(out.N())/hubShare
	for i := range uint64(min(census.Samples, out.Arcs())) {
		v := out.Targets[graph.SplitMix64(i)%out.Arcs()]
		if d := out.Degree(v); d > most {
			u, most = v, d
		}
	}
	return u
}

// sample tells how many of how many vertices with arcs can be joined.
func (h *hub) sample(out graph.CSR) (near, of uint64) {
	n := uint64(out.N())
	for i := range uint64(census.Samples) {
		v := uint32(graph.SplitMix64(i) % n)
		found, looked := h.near(out.Neighbors(v))
		if v > h.first && found || h.joined.Has(v) {
			near++
		}
		if looked > 0 {
			of++
		}
	}
	return near, of
}

// newHub joins u and its neighbours.
func newHub(out graph.CSR, u uint32) *hub {
	h := &hub{center: u, first: u, joined: bitmap.New(out.N())}
	h.joined.Set(u)
	for _, v := range out.Neighbors(u) {
		h.joined.Set(v)
		h.first = min(h.first, v)
	}
	return h
}

// near tells whether one of the first vertices is joined, and how many it has looked at.
func (h *hub) near(vs []uint32) (bool, uint64) {
	for i, v := range vs[:min(tries, len(vs))] {
		if h.joined.HasAtomic(v) {
			return true, uint64(i + 1)
		}
	}
	return false, uint64(min(tries, len(vs)))
}

// attach sets the roots of the vertices from lo, a multiple of 64, to hi. The hub's own
// arcs, which newHub has read, count where it is.
func (h *hub) attach(out graph.CSR, root []uint32, lo, hi uint32) (t tally) {
	if lo <= h.center && h.center < hi {
		t.arcs = out.Degree(h.center)
	}
	for i := lo / 64; i <= (hi-1)/64; i++ {
		from := i * 64
		h.ask(out, uint64(from)+wordsAhead*64, uint64(hi))
		t.arcs += h.attachWord(out, root[from:min(uint64(from)+64, uint64(hi))], from)
	}
	return t
}

// wordsAhead are looked at while the first neighbours of the next one are asked for. Kronecker 20, this phase
// by two workers: 15 to 10 ms.
const wordsAhead = 2

// ask asks for where the rows of the 64 vertices from lo on begin, of those not joined.
func (h *hub) ask(out graph.CSR, lo, hi uint64) {
	if lo+64 <= hi {
		out.Offsets.PrefetchFirst(uint32(lo), out.Targets, ^atomic.LoadUint64(&h.joined[lo/64]))
	}
}

// attachWord is attach for those that are one word of joined, which others read
// meanwhile.
func (h *hub) attachWord(out graph.CSR, roots []uint32, lo uint32) (arcs uint64) {
	joined := h.joined[lo/64]
	at := out.Offsets.At(lo)
	for i := range roots {
		v := lo + uint32(i)
		end := out.Offsets.At(v + 1)
		vs := out.Targets[at:end]
		at = end
		if joined>>i&1 == 0 && v > h.first && len(vs) > 0 {
			found, looked := h.near(vs)
			if arcs += looked; found {
				joined |= 1 << i
			}
		}
		if roots[i] = v; joined>>i&1 != 0 {
			roots[i] = h.first
		}
	}
	mem.Store(&h.joined[lo/64], joined)
	return arcs
}
