package wcc

import (
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs/internal/census"
)

// Result: trees of vertices, the roots of which are told by root[v] = v.
//
// Method: the greater of two roots is put under the lesser by a compare-and-swap, and
// whoever looks for a root shortens the way to it (Sutton, Ben-Nun, Barak, IPDPS 2018).
//
// Invariant: root[v] <= v, and a vertex never leaves its tree: a root is changed by
// compare-and-swap alone, and any other word to an ancestor of its vertex, so that it
// does not matter which of two that do so is the last.
//
// Cost: O(α) a join, nearly always.

// joinRest joins all arcs but those of vertices seen to be in the largest component: if
// such an arc leads out of it, the vertex at its other end is outside and looks at it from
// there, until it is seen to be inside, too. In a directed graph in-arcs come first: they
// mostly lead to it.
func joinRest(g *graph.Graph, root []uint32, lo, hi, largest uint32) (t tally) {
	lists := []graph.CSR{g.Out()}
	if g.Directed() && largest != graph.None {
		lists = []graph.CSR{g.In(), g.Out()}
	}
	var list, some [block]uint32
	for ; lo < hi; lo += block {
		vertices := list[:outside(root, &list, lo, min(hi, lo+block), largest)]
		for k := range lists {
			c := &lists[k] // a copy for each vertex took half of the time
			for _, u := range some[:withArcs(c.Offsets, vertices, &some)] {
				begin, end := c.Offsets.Row(u)
				t.joinUntil(root, u, c.Targets[begin:end], largest)
			}
		}
	}
	return t
}

// outside lists the vertices that a look at two words does not show to be in the largest
// component, and returns how many they are; it has no branch that depends on that. Of
// those in it the first word is brought up to date.
func outside(root []uint32, list *[block]uint32, lo, hi, largest uint32) uint {
	top := largest // under which the root of the largest may have been put; None has no vertices
	if largest != graph.None {
		top = atomic.LoadUint32(&root[largest])
	}
	n, roots := uint(0), root[lo:hi]
	for i := range roots {
		r := atomic.LoadUint32(&roots[i])
		above := atomic.LoadUint32(&root[r])
		list[n%block] = lo + uint32(i)
		if above != top {
			n++
		}
		if above != r {
			mem.Store(&roots[i], above)
		}
	}
	return n
}

// withArcs picks the vertices of a list that have arcs, and returns how many they are.
func withArcs(offsets graph.Offsets, list []uint32, some *[block]uint32) uint {
	n := uint(0)
	for _, u := range list {
		some[n%block] = u
		if offsets.Degree(u) != 0 {
			n++
		}
	}
	return n
}

// isOf tells whether r, to which a vertex points, is seen to be of the largest component,
// whose root may have been put under another meanwhile. None has no vertices.
func isOf(root []uint32, r, largest uint32) bool {
	return r == largest || largest != graph.None && r == atomic.LoadUint32(&root[largest])
}

// joinUntil joins u to its neighbours one by one, until it is seen to be in the largest
// component.
func (t *tally) joinUntil(root []uint32, u uint32, vs []uint32, largest uint32) {
	r := climb(root, u)
	if isOf(root, r, largest) {
		return
	}
	for i, v := range vs {
		other := atomic.LoadUint32(&root[v])
		if other == r {
			continue
		}
		t.atomics += joinRoots(root, r, other)
		if r = climb(root, u); isOf(root, r, largest) {
			t.arcs += uint64(i + 1)
			return
		}
	}
	t.arcs += uint64(len(vs))
}

// joinRoots puts the greater of two roots under the lesser; what is a root no longer leads
// to that which is. It returns how many compare-and-swaps that took.
func joinRoots(root []uint32, a, b uint32) (atomics uint64) {
	for a != b {
		high, low := max(a, b), min(a, b)
		above := atomic.LoadUint32(&root[high])
		if above == low {
			break
		}
		if above == high {
			if atomics++; atomic.CompareAndSwapUint32(&root[high], high, low) {
				break
			}
		}
		a, b = atomic.LoadUint32(&root[above]), atomic.LoadUint32(&root[low])
	}
	return atomics
}

// climb returns the root of v, and halves the way there.
func climb(root []uint32, v uint32) uint32 {
	for {
		r := atomic.LoadUint32(&root[v])
		above := atomic.LoadUint32(&root[r])
		if above == r {
			return r
		}
		mem.Store(&root[v], above)
		v = above
	}
}

// compress makes the vertices point at their roots, and counts these and the vertices
// under one of them. Each word has one writer: one that halves ways would be late here. It
// reads no arcs.
func compress(root []uint32, lo, hi, most uint32) (t tally) {
	if lo <= most && most < hi {
		t.roots++
	}
	for i, r := range root[lo:hi] {
		if r != most {
			v := lo + uint32(i)
			if r = find(root, v); r == v {
				t.roots++
			}
		}
		if r == most {
			t.members++
		}
	}
	return t
}

// find returns the root of v, and puts v under it.
func find(root []uint32, v uint32) uint32 {
	first := atomic.LoadUint32(&root[v])
	r := first
	for above := atomic.LoadUint32(&root[r]); above != r; above = atomic.LoadUint32(&root[r]) {
		r = above
	}
	if r != first {
		mem.Store(&root[v], r)
	}
	return r
}

// mostSeen returns the root most frequent in a sample spread over the vertices, and
// how often it was seen.
func mostSeen(root []uint32) (most uint32, seen uint64) {
	return census.MostSeen(len(root), func(v uint32) uint32 { return climb(root, v) })
}
