package pregel

import (
	"math/bits"
	"slices"

	"gopregel/pregel/graph"
)

// This file pulls where the message of the first awake neighbour is all that a vertex hears (byFirst): the
// loop of breadth-first search. Who is first is found for a block of vertices together (seeker.go), then
// their messages are made, by calls where an operation on arcs is a function, then they are applied. Where
// the operation sends nothing along the first arc, the next awake neighbour is asked.
//
// Cost: a look at each arc up to the first awake neighbour, and a read of an offer, and of a weight where it
// counts, for each vertex that has one; those of a block are under way together.

// pullFirst is pull for the vertices run of block i when a message is the
// first awake neighbour's: the loop of breadth-first search.
func (t *edgeTask[V, M]) pullFirst(i int, run uint64, w *Worker, f Frontier, s *seeker, b *block) {
	lo := i * BlockSize
	hit := s.awake(i, run, f)
	n := min(BlockSize, len(t.values)-lo)
	messages, same := any(s.source[:n]).([]M)
	if bySource := t.spec.Edge.kind == opSource; !same || !bySource {
		messages = t.corners[w.Slot].room[:n]
		if bySource {
			t.sourcesOf(lo, hit, messages, s)
		} else {
			hit = t.alongFirst(lo, hit, messages, f, s)
		}
	}
	t.applySome(lo, hit, messages, w, b)
}

// sourcesOf makes messages of the numbers of the neighbours in s.
func (t *edgeTask[V, M]) sourcesOf(lo int, hit uint64, messages []M, s *seeker) {
	for ; hit != 0; hit &= hit - 1 {
		k := bits.TrailingZeros64(hit)
		messages[k], _ = t.spec.Edge.along(t.spec.Combine.Identity, s.source[k], uint32(lo+k), 1)
	}
}

// byArcs tells whether what is sent may hang on the weight of an arc.
func (t *edgeTask[V, M]) byArcs() bool {
	return t.spec.Edge.along != nil && t.spec.Edge.kind != opSource && !t.spec.Edge.Weightless
}

// alongFirst makes messages of the offers of the first awake neighbours, in s, of the vertices hit
// from lo on, and returns who has one: where the operation sends nothing, the row is gone through
// from its start.
func (t *edgeTask[V, M]) alongFirst(lo int, hit uint64, messages []M, f Frontier, s *seeker) (got uint64) {
	along, weighted := t.spec.Edge.along, t.byArcs() && s.c.Weights.Kind() != graph.Unweighted
	if weighted {
		firstWeights(lo, hit, s)
	}
	for set := hit; set != 0; set &= set - 1 { // all under way before the first call
		k := bits.TrailingZeros64(set) % BlockSize
		s.w.At = uint32(lo + k)
		messages[k] = t.offers[s.source[k]]
	}
	if along == nil {
		return hit
	}
	for got = hit; hit != 0; hit &= hit - 1 {
		k, weight := bits.TrailingZeros64(hit)%BlockSize, 1.0
		v := uint32(lo + k)
		s.w.At = v
		if weighted {
			weight = s.weights[k]
		}
		x, ok := along(messages[k], s.source[k], v, weight)
		if !ok {
			x, ok = t.gatherFirst(v, s.c, s.c.Offsets.At(v), s.c.Neighbors(v), f)
		}
		if messages[k] = x; !ok {
			got &^= hit & -hit
		}
	}
	return got
}

// firstWeights finds the weights of the first arcs that join the vertices hit, from lo on, to those
// in s. All are asked for before one is read.
func firstWeights(lo int, hit uint64, s *seeker) {
	n := 0
	for set := hit; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set) % BlockSize
		s.w.At = uint32(lo + k)
		us, i := s.c.Neighbors(s.w.At), 0
		if us[0] != s.source[k] {
			i, _ = slices.BinarySearch(us, s.source[k])
		}
		// Of a damaged list, which does not ascend, it is that of some arc.
		s.room[n] = s.c.Offsets.At(s.w.At) + uint64(min(i, len(us)-1))
		n++
	}
	s.c.Weights.PrefetchAt(s.room[:n])
	for n = 0; hit != 0; hit &= hit - 1 {
		s.weights[bits.TrailingZeros64(hit)%BlockSize] = s.c.Weights.At(s.room[n])
		n++
	}
}

// gatherFirst returns the message of the first awake vertex of us. As they
// ascend, that is the least vertex.
func (t *edgeTask[V, M]) gatherFirst(v uint32, c graph.CSR, lo uint64, us []uint32, f Frontier) (message M, got bool) {
	for i, u := range us {
		if !f.Has(u) {
			continue
		}
		e := &t.spec.Edge
		if e.along == nil {
			return t.offers[u], true
		}
		var offer M
		if e.kind != opSource {
			offer = t.offers[u]
		}
		if x, ok := e.along(offer, u, v, c.Weights.At(lo+uint64(i))); ok {
			return x, true
		}
	}
	return t.spec.Combine.Identity, false
}
