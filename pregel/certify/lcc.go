package certify

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// LCC certifies local clustering coefficients as LDBC Graphalytics defines them:
// let N(v) be the neighbours of v, directions forgotten, without v, and d their
// number; the coefficient is t/(d(d-1)), t being the number of ordered pairs of
// different vertices of N(v) with an arc from the first to the second (an
// undirected edge is two arcs), and 0 when d < 2. Self-loops and duplicates
// change nothing.
//
// No certificate is known but to count again. It is done by marking N(v) in an
// array and reading the arcs of every member: no intersections, no orientation
// by degree. If sample is positive, only about that many vertices are checked,
// a fixed choice by hash; when a share f of the coefficients is wrong, all
// pass with probability (1-f)^sample.
//
// Cost: O(Σ deg(u)) over the neighbours u of all checked vertices, which is
// Σ deg² when all are; O(n) memory a worker. A coefficient may be off by 2^-50 of
// itself: division and one rounding of its parts.
func LCC(ctx context.Context, g *graph.Graph, coefficient []float64, sample int) error {
	c := checker{ctx, g, "lcc"}
	if err := c.has("coefficient", len(coefficient)); err != nil {
		return err
	}
	if sample < 0 {
		return fmt.Errorf("certify lcc: a sample of %d vertices, want at least 0", sample)
	}
	k := clustering{g: g, along: []graph.CSR{g.Out()}, of: make([]marker, parallel.Workers(0))}
	if g.Directed() {
		k.along = append(k.along, g.In())
	}
	check := func(w int, v uint32) *Violation {
		arcs, pairs := k.count(w, v)
		want := 0.0
		if pairs > 0 {
			want = float64(arcs) / pairs
		}
		if x := coefficient[v]; !(math.Abs(x-want) <= want/(1<<50)) {
			return c.at(v, fmt.Sprintf("coefficient %v", x), "%v: %d arcs among %.0f pairs of neighbours", want, arcs, pairs)
		}
		return nil
	}
	if sample == 0 || sample >= g.N() {
		return c.each(g.Out(), check)
	}
	chosen := choose(sample, g.N())
	return c.rows(len(chosen), 1, func(w, i int) *Violation { return check(w, chosen[i]) })
}

// choose draws vertices with replacement and returns them sorted, each once.
func choose(sample, n int) []uint32 {
	list := make([]uint32, sample)
	for i := range list {
		hi, _ := bits.Mul64(graph.SplitMix64(uint64(i)), uint64(n))
		list[i] = uint32(hi)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

type clustering struct {
	g     *graph.Graph
	along []graph.CSR
	of    []marker // each worker's
}

type marker struct {
	marks   []uint32 // v+1 at the neighbours of v
	members []uint32 // those neighbours
}

// count returns the number of arcs among the neighbours of v, and of ordered
// pairs of them.
func (k *clustering) count(w int, v uint32) (arcs uint64, pairs float64) {
	m := &k.of[w]
	if m.marks == nil {
		m.marks = make([]uint32, k.g.N())
	}
	marks, mark := m.marks, v+1
	members := m.members[:0]
	for _, c := range k.along {
		for _, u := range c.Neighbors(v) {
			if u != v && marks[u] != mark {
				marks[u] = mark
				members = append(members, u)
			}
		}
	}
	m.members = members
	for _, u := range members {
		last := graph.None // lists are sorted: duplicates follow each other
		for _, x := range k.g.Out().Neighbors(u) {
			if x != last && x != u && marks[x] == mark {
				arcs++
			}
			last = x
		}
	}
	d := float64(len(members))
	return arcs, d * (d - 1)
}
