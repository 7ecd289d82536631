package wcc

import (
	"sync/atomic"

	"gopregel/pregel/graph"
)

// Result: vertices that have each other among their first arcs are in one tree.
//
// Method: in dense graphs first and second arcs of many vertices are read before any of
// them is joined (joinFirst). In thin ones a vertex begins under its least neighbour,
// without atomic operations (hook; Jaiganesh and Burtscher, HPDC 2018), and is then joined
// along its second arc (joinSecond).
//
// Invariant: root[v] <= v.
//
// Cost: O(n α), at most two arcs a vertex.

// joinFirst joins the first arcs of the vertices. Their targets, and the roots of those,
// are read for many vertices before any is joined: each is a cache line of its own, and
// no later read begins before an atomic operation has ended. A root that is one no longer
// leads to that which is.
func joinFirst(out graph.CSR, root []uint32, lo, hi uint32) (t tally) {
	var near [sampled * ahead]uint32
	for k := uint32(0); lo < hi; lo += k {
		k = min(ahead, hi-lo)
		near := near[:sampled*k]
		t.arcs += readFirst(out, lo, near)
		for i, v := range near {
			near[i] = atomic.LoadUint32(&root[v])
		}
		for i, r := range near {
			if own := atomic.LoadUint32(&root[lo+uint32(i/sampled)]); own != r {
				t.atomics += joinRoots(root, own, r)
			}
		}
	}
	return t
}

// ahead is for how many vertices that is.
const ahead = 32

// readFirst reads the targets of the first arcs of the vertices from lo on, and returns
// how many there are. The vertex itself stands for those that there are not.
func readFirst(out graph.CSR, lo uint32, near []uint32) (arcs uint64) {
	at, ends := out.Offsets[lo], out.Offsets[lo+1:][:len(near)/sampled]
	for i, end := range ends {
		row, u, to := out.Targets[at:end], lo+uint32(i), near[sampled*i:][:sampled]
		at = end
		for k := range to {
			if to[k] = u; k < len(row) {
				to[k] = row[k]
				arcs++
			}
		}
	}
	return arcs
}

// hook puts every vertex under the root of the target of its first arc, its least
// neighbour, if that is less; where that lies below lo, under itself, as others write
// its root meanwhile.
func hook(out graph.CSR, root []uint32, lo, hi uint32) (t tally) {
	at, ends := out.Offsets[lo], out.Offsets[lo+1:hi+1]
	roots := root[lo:hi]
	for i, end := range ends {
		r := lo + uint32(i)
		if at < end {
			if v := out.Targets[at]; v < r {
				r = v
				if v >= lo {
					r = roots[v-lo]
				}
			}
			t.arcs++
		}
		roots[i], at = r, end
	}
	return t
}

// joinSecond joins the vertices along their second arcs, and along the first ones
// that hook could not take, as they lead to a greater vertex. Only second arcs are
// counted.
func joinSecond(out graph.CSR, root []uint32, lo, hi uint32) (t tally) {
	at, ends := out.Offsets[lo], out.Offsets[lo+1:hi+1]
	for i, end := range ends {
		u := lo + uint32(i)
		r, vs := find(root, u), out.Targets[at:end]
		at = end
		if len(vs) > 0 && vs[0] > u {
			t.atomics += join(root, u, vs[0])
		}
		if len(vs) >= sampled {
			if v := vs[sampled-1]; atomic.LoadUint32(&root[v]) != r {
				t.atomics += join(root, u, v)
			}
			t.arcs++
		}
	}
	return t
}
