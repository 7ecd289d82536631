package certify

import (
	"context"
	"fmt"
	"slices"

	"gopregel/pregel/graph"
)

// KCore certifies core numbers: core(v) is the greatest k for which v is in a
// subgraph whose vertices all have at least k neighbours in it. Directions are
// forgotten, self-loops left out, and parallel arcs count once.
//
// Theorem. Let
//
//	(1) every v have at least core(v) neighbours u with core(u) >= core(v),
//	(2) the vertices can be removed in an order in which core never falls, each
//	    having at most core(v) neighbours left when it goes.
//
// Then core is right. By (1) the vertices with core >= k are such a subgraph for
// k, so no core number is too great. If that of v were too small, v would be in
// a subgraph H with more than core(v) neighbours each; the first vertex u of H
// to go has more than core(v) neighbours left, so core(u) > core(v) by (2),
// though u goes before v: a contradiction.
//
// Cost: O(n log n + m), and the simple undirected view of the graph where it is
// not one. The order is that of V. Batagelj and M. Zaveršnik: An O(m) algorithm
// for cores decomposition of networks, 2003.
func KCore(ctx context.Context, g *graph.Graph, core []uint32) error {
	c := checker{ctx, g, "k-core"}
	if err := c.has("core", len(core)); err != nil {
		return err
	}
	simple := g
	if g.Directed() || g.Loops() > 0 || parallelArcs(g) {
		var err error
		if simple, err = g.WithoutWeights().Undirected(ctx, 0); err != nil {
			return err
		}
	}
	err := c.each(simple.Out(), func(_ int, v uint32) *Violation {
		support := uint32(0)
		for _, u := range simple.Out().Neighbors(v) {
			if core[u] >= core[v] {
				support++
			}
		}
		if support < core[v] {
			return c.at(v, fmt.Sprintf("core number %d", core[v]), "at most %d, its neighbours of that core number or more", support)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.peel(simple.Out(), core)
}

func parallelArcs(g *graph.Graph) bool {
	for u := range uint32(g.N()) {
		list := g.Out().Neighbors(u)
		for i := 1; i < len(list); i++ {
			if list[i] == list[i-1] {
				return true
			}
		}
	}
	return false
}

// peel removes the vertices level by level of core.
func (c *checker) peel(arcs graph.CSR, core []uint32) error {
	left := make([]uint64, len(core)) // neighbours that are left
	order := make([]uint32, len(core))
	for v := range core {
		left[v] = arcs.Degree(uint32(v))
		order[v] = uint32(v)
	}
	slices.SortStableFunc(order, func(u, v uint32) int { return int(int64(core[u]) - int64(core[v])) })
	gone := make([]bool, len(core))
	var queue []uint32
	for lo := 0; lo < len(order); {
		if err := c.ctx.Err(); err != nil {
			return err
		}
		level, hi := core[order[lo]], lo
		for ; hi < len(order) && core[order[hi]] == level; hi++ {
			if v := order[hi]; left[v] <= uint64(level) {
				gone[v] = true
				queue = append(queue, v)
			}
		}
		for i := 0; i < len(queue); i++ {
			for _, u := range arcs.Neighbors(queue[i]) {
				left[u]--
				if core[u] == level && !gone[u] && left[u] <= uint64(level) {
					gone[u] = true
					queue = append(queue, u)
				}
			}
		}
		for _, v := range order[lo:hi] {
			if !gone[v] {
				return c.at(v, fmt.Sprintf("core number %d", level), "more, as it is in a subgraph of vertices with more neighbours than that")
			}
		}
		lo, queue = hi, queue[:0]
	}
	return nil
}
