package mst

import (
	"math"
	"slices"
	"sort"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// key is a number that sorts by weight first.
func key(weight, then uint32) uint64 { return uint64(weight)<<32 | uint64(then) }

const (
	mostSamples  = 1 << 11 // arcs
	leastSamples = 1 << 8
	arcsASample  = 1 << 8 // where that is neither more nor less
	everything   = math.MaxUint64
	within       = math.MaxUint64 // no edge has that key: no vertex is so great
)

// limit bounds the next batch: of the edges between different trees it takes
// those whose key, of weight and lesser end, is at most the limit. That aims at
// the given number of edges, or at everything when there are not many more; why
// tells which. It also finds out whether there is a giant tree.
func (s *span) limit(want float64) (limit uint64, why pregel.Choice) {
	edges := float64(s.g.Arcs())
	if !s.at.Directed {
		edges /= 2
	}
	s.at.Giant = graph.None
	why = pregel.Choice{Rule: takesAll, Have: uint64(edges), Limit: uint64(2 * want)}
	if edges <= 2*want {
		return everything, why
	}
	keys := s.sample()
	edges *= float64(len(keys)) / float64(s.samples())
	why.Have = uint64(edges)
	if edges <= 2*want {
		return everything, why
	}
	why.Rule = takesLight
	slices.Sort(keys)
	return keys[int(float64(len(keys))*want/edges)], why
}

// earlyLimit bounds the edges that are collected in the first round: that aims at perVertex of
// them for each vertex. It is everything, and none are, where there are not many more.
func (s *span) earlyLimit() (limit uint64, why pregel.Choice) {
	edges, want := float64(s.g.Arcs()/2), perVertex*float64(s.n)
	why = pregel.Choice{Rule: collectsNone, Have: uint64(edges), Limit: uint64(2 * want)}
	if edges <= 2*want {
		return everything, why
	}
	keys := make([]uint64, s.samples())
	s.draw(func(i int, at uint64, u, v uint32) { keys[i] = key(s.weights.at(at), min(u, v)) })
	slices.Sort(keys)
	why.Rule = collectsLight
	return keys[int(float64(len(keys))*want/edges)], why
}

// samples is how many arcs are drawn: so many that a batch is what was wanted within a tenth or so, on
// graphs of few edges within a quarter, and no more than take less time than a batch of these does.
func (s *span) samples() int {
	return int(min(max(s.g.Arcs()/arcsASample, leastSamples), mostSamples))
}

// draw calls f for some arcs, drawn at random, from several workers.
func (s *span) draw(f func(i int, at uint64, u, v uint32)) {
	c := s.g.Out()
	parallel.Range(s.job.Engine.Pool().Workers(), s.samples(), leastSamples, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			at := graph.SplitMix64(uint64(i)) % c.Arcs()
			u := uint32(sort.Search(s.n, func(u int) bool { return c.Offsets.At(uint32(u)+1) > at }))
			f(i, at, u, c.Targets[at])
		}
	})
}

// sample returns the keys of those of some arcs that are between different trees. A
// tree of more than half of their sources is a giant: an edge that leaves a tree has an
// end elsewhere, so the lists of the giant's vertices need not be read.
func (s *span) sample() (keys []uint64) {
	trees, found := make([]uint32, s.samples()), make([]uint64, s.samples())
	s.draw(func(i int, at uint64, u, v uint32) {
		if trees[i], found[i] = s.tree[u], within; trees[i] != s.tree[v] {
			found[i] = key(s.weights.at(at), min(u, v))
		}
	})
	keys = slices.DeleteFunc(found, func(k uint64) bool { return k == within })
	if !s.at.Directed {
		s.at.Giant = majority(trees)
	}
	return keys
}

// majority returns the number that more than half of a list are; graph.None: there is
// none. (Boyer, Moore, MJRTY, 1981.)
func majority(list []uint32) uint32 {
	most, lead := graph.None, 0
	for _, x := range list {
		switch {
		case x == most:
			lead++
		case lead == 0:
			most, lead = x, 1
		default:
			lead--
		}
	}
	times := 0
	for _, x := range list {
		if x == most {
			times++
		}
	}
	if times > len(list)/2 {
		return most
	}
	return graph.None
}
