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
	flatten := func(lo, hi uint32) uint64 { return compress(w.root, lo, hi) }
	if len(out.Targets) < dense*w.g.N() {
		return []part{
			func(lo, hi uint32) uint64 { return hook(out, w.root, lo, hi) },
			flatten,
			func(lo, hi uint32) uint64 { return joinSecond(out, w.root, lo, hi) },
			flatten,
		}
	}
	for v := range w.root {
		if begins {
			w.root[v] = uint32(v)
		}
	}
	return []part{func(lo, hi uint32) uint64 { return joinFirst(out, w.root, lo, hi) }, flatten}
}

// joinFirst joins the first arcs of the vertices, and returns how many there were.
func joinFirst(out graph.CSR, root []uint32, lo, hi uint32) (read uint64) {
	for u := lo; u < hi; u++ {
		read += joinAll(root, u, out.Neighbors(u)[:min(sampled, out.Degree(u))])
	}
	return read
}

// hook puts every vertex under the target of its first arc, its least neighbour,
// if that is less, and returns how many arcs there were. Nobody else writes to its
// root meanwhile.
func hook(out graph.CSR, root []uint32, lo, hi uint32) (read uint64) {
	for u := lo; u < hi; u++ {
		r := u
		if vs := out.Neighbors(u); len(vs) > 0 {
			r = min(u, vs[0])
			read++
		}
		root[u] = r
	}
	return read
}

// joinSecond joins the vertices along their second arcs, and along the first ones
// that hook could not take, as they lead to a greater vertex. It returns how many
// second arcs there were.
func joinSecond(out graph.CSR, root []uint32, lo, hi uint32) (read uint64) {
	for u := lo; u < hi; u++ {
		vs := out.Neighbors(u)
		if len(vs) > 0 && vs[0] > u {
			join(root, u, vs[0])
		}
		if len(vs) >= sampled {
			join(root, u, vs[sampled-1])
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
		if atomic.LoadUint32(&root[u]) == largest {
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

// compress makes the vertices point at their roots. It reads no arcs.
func compress(root []uint32, lo, hi uint32) (read uint64) {
	for v := lo; v < hi; v++ {
		r := atomic.LoadUint32(&root[v])
		for above := atomic.LoadUint32(&root[r]); above != r; above = atomic.LoadUint32(&root[r]) {
			mem.Store(&root[v], above)
			r = above
		}
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
	best := root[0]
	for i := range samples {
		r := root[graph.SplitMix64(uint64(i))%uint64(len(root))]
		if count[r]++; count[r] > count[best] {
			best = r
		}
	}
	return best
}
