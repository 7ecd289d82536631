package certify

import (
	"slices"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// reach returns the vertices that can be reached from the starts along those
// arcs of the given directions that follow allows: breadth-first search, the
// vertices of a round in parallel. follow is told the direction (an index of
// along), the arc's place in it and its two ends.
//
// Cost: O(n + m).
func (c *checker) reach(starts []uint32, along []graph.CSR, follow func(dir int, place uint64, u, v uint32) bool) (bitmap.Bitmap, error) {
	seen := bitmap.New(c.g.N())
	for _, v := range starts {
		seen.Set(v)
	}
	next := make([][]uint32, parallel.Workers(0))
	for round := starts; len(round) > 0; {
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		workers := len(next)
		if len(round) < smallRound {
			workers = 1
		}
		parallel.Range(workers, len(round), smallRound/4, func(w, lo, hi int) {
			for _, u := range round[lo:hi] {
				for dir, arcs := range along {
					first := arcs.Offsets.At(u)
					for i, v := range arcs.Neighbors(u) {
						if !seen.HasAtomic(v) && follow(dir, first+uint64(i), u, v) && seen.SetAtomic(v) {
							next[w] = append(next[w], v)
						}
					}
				}
			}
		})
		round = slices.Concat(next...)
		for w := range next {
			next[w] = next[w][:0]
		}
	}
	return seen, nil
}

// representatives returns the vertices that are their own label.
func representatives(label []uint32) []uint32 {
	var list []uint32
	for v, l := range label {
		if l == uint32(v) {
			list = append(list, l)
		}
	}
	return list
}

// leastLabels checks that every vertex has a label that is its own or a lesser
// vertex's, which has itself as its label.
func (c *checker) leastLabels(label []uint32) error {
	return c.each(c.g.Out(), func(_ int, v uint32) *Violation {
		switch l := label[v]; {
		case l > v:
			return c.at(v, "component "+c.id(l), "at most the vertex itself, as a component is named after its least vertex")
		case label[l] != l:
			return c.at(v, "component "+c.id(l), "the least vertex of its component, but %s is in component %s", c.id(l), c.id(label[l]))
		}
		return nil
	})
}

// allSeen checks that every vertex was reached from its label.
func (c *checker) allSeen(seen bitmap.Bitmap, label []uint32, how string) error {
	return c.each(c.g.Out(), func(_ int, v uint32) *Violation {
		if !seen.Has(v) {
			return c.at(v, "component "+c.id(label[v]), "another, as %s", how)
		}
		return nil
	})
}
