package mst

import (
	"cmp"
	"slices"
)

// counter is a worker's room to count a bucket out.
type counter struct {
	next     []uint32
	from, to []edge
	_        [64]byte
}

// out returns the edges in from, whose lesser ends are of so many vertices, in order.
func (c *counter) out(least uint32, vertices int) []edge {
	from := c.from
	if len(from) == 0 {
		return nil
	}
	c.next = append(c.next[:0], make([]uint32, vertices+1)...)
	c.to = slices.Grow(c.to[:0], len(from))[:len(from)]
	next, to := c.next, c.to
	for i := range from {
		next[from[i].u-least+1]++
	}
	sum, longest := uint32(0), uint32(0)
	for i, k := range next {
		sum, longest = sum+k, max(longest, k)
		next[i] = sum
	}
	for _, e := range from {
		i := &next[e.u-least]
		to[*i] = e
		*i++
	}
	sortRuns(to, next[:vertices], longest)
	return to
}

// sortRuns sorts edges, of which the lesser ends ascend, by the others. Given are where the
// runs of one lesser end are over, and how long the longest is. Most edges are in their place.
func sortRuns(edges []edge, ends []uint32, longest uint32) {
	if longest <= shortRun {
		sortRun(edges)
		return
	}
	begin := uint32(0)
	for _, end := range ends {
		if run := edges[begin:end]; len(run) > shortRun {
			slices.SortFunc(run, func(a, b edge) int { return cmp.Compare(a.v, b.v) })
		} else {
			sortRun(run)
		}
		begin = end
	}
}

// sortRun is sortRuns for short runs.
func sortRun(edges []edge) {
	for i := 1; i < len(edges); i++ {
		for k := i; k > 0 && key(edges[k-1].u, edges[k-1].v) > key(edges[k].u, edges[k].v); k-- {
			edges[k-1], edges[k] = edges[k], edges[k-1]
		}
	}
}
