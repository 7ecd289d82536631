package wcc

import (
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Result: trees of vertices, the roots of which are told by root[v] = v.
//
// Method: the greater of two roots is put under the lesser by a compare-and-swap, and who
// asks for its root is put right under it (Sutton, Ben-Nun, Barak, IPDPS 2018).
//
// Invariant: root[v] <= v, and a vertex never leaves its tree. Only roots are changed by
// others than who asks.
//
// Cost: O(α) a join, nearly always.

// joinRest joins the arcs not yet looked at, but for the out-arcs of vertices
// in the largest component: if such an arc leads out of it, the vertex at its
// other end is outside and reads it as an in-arc.
func joinRest(g *graph.Graph, root []uint32, lo, hi, largest uint32, looked int) (t tally) {
	for u := lo; u < hi; u++ {
		if atomic.LoadUint32(&root[u]) == largest || isOf(root, find(root, u), largest) {
			continue
		}
		if rest := g.Out().Neighbors(u); len(rest) > looked {
			read, atomics := joinUntil(root, u, rest[looked:], largest)
			t.arcs += read
			t.atomics += atomics
		}
		if g.Directed() && largest != graph.None {
			in := g.In().Neighbors(u)
			t.atomics += joinAll(root, u, in)
			t.arcs += uint64(len(in))
		}
	}
	return t
}

// isOf tells whether r, to which a vertex points, is seen to be of the largest component,
// whose root may have been put under another meanwhile. None has no vertices.
func isOf(root []uint32, r, largest uint32) bool {
	return r == largest || largest != graph.None && r == atomic.LoadUint32(&root[largest])
}

// joinUntil joins u to its neighbours one by one, until it is seen to be in the largest
// component. It returns how many it has looked at, and how many compare-and-swaps that
// took.
func joinUntil(root []uint32, u uint32, vs []uint32, largest uint32) (read, atomics uint64) {
	for i, v := range vs {
		atomics += join(root, u, v)
		if isOf(root, atomic.LoadUint32(&root[u]), largest) {
			return uint64(i + 1), atomics
		}
	}
	return uint64(len(vs)), atomics
}

// joinAll joins u to its neighbours, and returns how many compare-and-swaps that took.
func joinAll(root []uint32, u uint32, vs []uint32) (atomics uint64) {
	for _, v := range vs {
		atomics += join(root, u, v)
	}
	return atomics
}

// join puts the greater of two roots under the lesser; it is likewise. Most are one by
// then, and that is seen without a call.
func join(root []uint32, u, v uint32) (atomics uint64) {
	a, b := atomic.LoadUint32(&root[u]), atomic.LoadUint32(&root[v])
	if a == b {
		return 0
	}
	return joinRoots(root, a, b)
}

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

// compress makes the vertices point at their roots, and counts these and the vertices
// under one of them. It reads no arcs.
func compress(root []uint32, lo, hi, most uint32) tally {
	roots, members := uint64(0), uint64(0)
	for v := lo; v < hi; v++ {
		r := atomic.LoadUint32(&root[v])
		if atomic.LoadUint32(&root[r]) != r {
			r = find(root, v)
		}
		if r == v {
			roots++
		}
		if r == most {
			members++
		}
	}
	return tally{roots: roots, members: members}
}

// samples are the vertices that mostSeen looks at.
const samples = 1024

// mostSeen returns the root most frequent in a sample spread over the vertices, and
// how often it was seen.
func mostSeen(root []uint32) (most uint32, seen uint64) {
	if len(root) == 0 {
		return graph.None, 0
	}
	count := make(map[uint32]int)
	best := graph.None
	for i := range samples {
		r := find(root, uint32(graph.SplitMix64(uint64(i))%uint64(len(root))))
		if count[r]++; count[r] > count[best] {
			best = r
		}
	}
	return best, uint64(count[best])
}
