package wcc

import (
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Result: most vertices that have each other among their first arcs are in one tree.
//
// Method: a vertex begins under one of its first two neighbours (hook; Jaiganesh and
// Burtscher, HPDC 2018), which takes no atomic operation, and its other one is noted. Then
// noted arcs are joined (joinLater). So what lies far off, the row of a vertex, is read
// once, and which roots are read next is known long before.
//
// Invariant: root[v] <= v.
//
// Cost: O(n α), at most two arcs a vertex.

// hook puts the vertices of a piece, from lo on, under a lesser neighbour: within the
// piece under the root of that, one below the piece under itself, as others write its
// root meanwhile. Of two the one within is taken, so that trees of a piece are flat and
// few. The other neighbour of u becomes later[u], u itself where there is none.
func hook(out graph.CSR, root, later []uint32, lo, hi uint32) (t tally) {
	roots, later := root[lo:hi], later[lo:hi]
	at, targets := out.Offsets.At(lo), out.Targets
	for i := range roots {
		u := lo + uint32(i)
		end := out.Offsets.At(u + 1)
		v, w := u, u
		if degree := end - at; degree >= sampled {
			v, w = targets[at], targets[at+1]
			t.arcs += sampled
		} else if degree > 0 {
			v, w = min(u, targets[at]), max(u, targets[at])
			t.arcs++
		}
		at = end
		swapped := uint32(0) // without a branch, which often went the other way
		if v < lo && w-lo < uint32(i) {
			swapped = v ^ w
		}
		v, w = v^swapped, w^swapped
		r := min(u, v)
		roots[i], later[i] = r, w
		if k := r - lo; k < uint32(len(roots)) {
			roots[i] = roots[k]
		}
	}
	return t
}

// block is how many vertices are looked at together.
const block = 64

// joinLater joins the vertices along the arcs that hook has noted. Roots of ends are
// compared for a block of vertices before any is joined: most of those reads are of
// cache lines of their own, and none begins before an atomic operation has ended.
func joinLater(root, later []uint32, lo, hi uint32) (t tally) {
	var from, to [block]uint32
	for ; lo < hi; lo += block {
		end := min(hi, lo+block)
		mem.Prefetch(root, later[end:min(end+block, hi)])
		n := uint(0)
		for i, v := range later[lo:end] {
			u := lo + uint32(i)
			from[n%block], to[n%block] = u, v
			if atomic.LoadUint32(&root[u]) != atomic.LoadUint32(&root[v]) {
				n++
			}
		}
		for i, u := range from[:n] {
			t.atomics += joinRoots(root, climb(root, u), climb(root, to[i]))
		}
	}
	return t
}
