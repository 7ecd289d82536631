package wcc

import (
	"context"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs/internal/phase"
)

// sampled is the number of arcs of each vertex that are looked at first.
const sampled = 2

// In graphs of so many arcs a vertex the first arcs of the vertices are looked at
// once, as they lie on cache lines of their own; in thinner ones twice.
const dense = 8

// A joining is a run in phases. Invariant: root[v] <= v, and following roots from v
// ends at a vertex of v's component.
type joining struct {
	*phase.Run
	g    *graph.Graph
	root []uint32
	at   struct {
		Step    int    // phases done
		Largest uint32 // root of the largest component, as far as is seen; None: every arc is looked at
	}
}

// afforest joins roots.
func afforest(ctx context.Context, j *pregel.Job) (pregel.Result[uint32], error) {
	w := &joining{Run: phase.New(ctx, j), g: j.Graph, root: mem.Make[uint32](j.Graph.N())}
	w.at.Largest = graph.None
	resumed, err := j.Continue(&w.at, &w.root)
	if err != nil {
		return pregel.Result[uint32]{}, err
	}
	list := w.sample(!resumed)
	sampled := len(list)
	list = append(list,
		func(lo, hi uint32) uint64 { return joinRest(w.g, w.root, lo, hi, w.at.Largest) },
		func(lo, hi uint32) uint64 { return compress(w.root, lo, hi) })
	for w.at.Step < len(list) && w.Commit(nil, &w.at, &w.root) {
		if w.at.Step == sampled && w.g.HasIn() {
			w.at.Largest = mostSeen(w.root)
		}
		if w.step(list[w.at.Step]) {
			w.at.Step++
		}
	}
	return pregel.Result[uint32]{Values: w.root, Stop: w.Stop()}, w.Err()
}

// A part of a phase is what is done for the vertices from lo to hi; it returns how
// many arcs it has read.
type part func(lo, hi uint32) (read uint64)

func (w *joining) step(f part) bool {
	return w.Vertices("wcc", func(lo, hi uint32, k *pregel.Worker) { k.Arcs += f(lo, hi) })
}

// sample are the phases that join the vertices along their first arcs; at the
// beginning of the run roots are set, where no phase does.
func (w *joining) sample(begins bool) []part {
	out := w.g.Out()
	if len(out.Targets) < dense*w.g.N() {
		return []part{
			func(lo, hi uint32) uint64 { return hook(out, w.root, lo, hi) },
			func(lo, hi uint32) uint64 { return joinSecond(out, w.root, lo, hi) },
		}
	}
	for v := range w.root {
		if begins {
			w.root[v] = uint32(v)
		}
	}
	return []part{func(lo, hi uint32) uint64 { return joinFirst(out, w.root, lo, hi) }}
}

// joinFirst joins the first arcs of the vertices, and returns how many there were.
func joinFirst(out graph.CSR, root []uint32, lo, hi uint32) (read uint64) {
	for u := lo; u < hi; u++ {
		read += joinAll(root, u, out.Neighbors(u)[:min(sampled, out.Degree(u))])
	}
	return read
}

// hook puts every vertex under the root of the target of its first arc, its least
// neighbour, if that is less; where that lies below lo, under itself, as others write
// its root meanwhile. It returns how many arcs there were.
func hook(out graph.CSR, root []uint32, lo, hi uint32) (read uint64) {
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
			read++
		}
		roots[i], at = r, end
	}
	return read
}

// joinSecond joins the vertices along their second arcs, and along the first ones
// that hook could not take, as they lead to a greater vertex. It returns how many
// second arcs there were.
func joinSecond(out graph.CSR, root []uint32, lo, hi uint32) (read uint64) {
	at, ends := out.Offsets[lo], out.Offsets[lo+1:hi+1]
	for i, end := range ends {
		u := lo + uint32(i)
		r, vs := find(root, u), out.Targets[at:end]
		at = end
		if len(vs) > 0 && vs[0] > u {
			join(root, u, vs[0])
		}
		if len(vs) >= sampled {
			if v := vs[sampled-1]; atomic.LoadUint32(&root[v]) != r {
				join(root, u, v)
			}
			read++
		}
	}
	return read
}

// joinRest joins the arcs not yet looked at, but for the out-arcs of vertices
// in the largest component: if such an arc leads out of it, the vertex at its
// other end is outside and reads it as an in-arc. It returns how many arcs it has
// read.
func joinRest(g *graph.Graph, root []uint32, lo, hi, largest uint32) (read uint64) {
	for u := lo; u < hi; u++ {
		if r := find(root, u); largest != graph.None && (r == largest || r == atomic.LoadUint32(&root[largest])) {
			continue
		}
		if rest := g.Out().Neighbors(u); len(rest) > sampled {
			read += joinAll(root, u, rest[sampled:])
		}
		if g.Directed() && largest != graph.None {
			read += joinAll(root, u, g.In().Neighbors(u))
		}
	}
	return read
}

// joinAll joins u to its neighbours, and returns how many there were.
func joinAll(root []uint32, u uint32, vs []uint32) uint64 {
	for _, v := range vs {
		join(root, u, v)
	}
	return uint64(len(vs))
}

// join puts the greater of two roots under the lesser.
func join(root []uint32, u, v uint32) {
	a, b := atomic.LoadUint32(&root[u]), atomic.LoadUint32(&root[v])
	for a != b {
		high, low := max(a, b), min(a, b)
		above := atomic.LoadUint32(&root[high])
		if above == low || above == high && atomic.CompareAndSwapUint32(&root[high], high, low) {
			return
		}
		a, b = atomic.LoadUint32(&root[above]), atomic.LoadUint32(&root[low])
	}
}

// find returns the root of v, and puts v under it. Roots alone are changed by others.
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

// compress makes the vertices point at their roots. It reads no arcs.
func compress(root []uint32, lo, hi uint32) (read uint64) {
	for v := lo; v < hi; v++ {
		find(root, v)
	}
	return 0
}

// mostSeen returns the root most frequent in a sample spread over the vertices.
func mostSeen(root []uint32) uint32 {
	if len(root) == 0 {
		return graph.None
	}
	const samples = 1024
	count := make(map[uint32]int)
	best := graph.None
	for i := range samples {
		r := find(root, uint32(graph.SplitMix64(uint64(i))%uint64(len(root))))
		if count[r]++; count[r] > count[best] {
			best = r
		}
	}
	return best
}
