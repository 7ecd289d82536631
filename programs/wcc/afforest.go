package wcc

import (
	"context"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
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
	hub  *hub   // nil: none, or no longer asked for
	most uint32 // root of the component that most vertices seem to be in, when all are joined
	// Counted by the last phase: roots, and the vertices under most.
	roots, members atomic.Uint64

	at struct {
		Step    int    // phases done
		Largest uint32 // root of the largest component, as far as is seen; None: every arc is looked at
		Hub     bool   // vertices were joined to a hub
	}
}

// afforest joins roots, and returns what it has counted, too.
func afforest(ctx context.Context, j *pregel.Job) (pregel.Result[uint32], counted, error) {
	w := &joining{Run: phase.New(ctx, j), g: j.Graph, root: mem.Make[uint32](j.Graph.N())}
	w.at.Largest = graph.None
	resumed, err := j.Continue(&w.at, &w.root)
	if err != nil {
		return pregel.Result[uint32]{}, counted{}, err
	}
	list := w.sample(!resumed, j.Engine.Pool().Workers())
	sampled := len(list)
	list = append(list,
		part{w.rest(), func(lo, hi uint32) tally { return joinRest(w.g, w.root, lo, hi, w.at.Largest, w.looked()) }},
		part{do: func(lo, hi uint32) tally { return compress(w.root, lo, hi, w.most) }})
	for w.at.Step < len(list) && w.Commit(nil, &w.at, &w.root) {
		if w.at.Step == sampled && w.g.HasIn() {
			w.at.Largest, list[sampled].why.Have = mostSeen(w.root)
		}
		if w.hub != nil && w.at.Step > 0 {
			mem.Give(w.hub.joined)
			w.hub = nil
		}
		if w.at.Step == len(list)-1 {
			w.most = w.mostIn()
		}
		if w.step(list[w.at.Step]) {
			w.at.Step++
		}
	}
	return pregel.Result[uint32]{Values: w.root, Stop: w.Stop()}, w.counted(), w.Err()
}

// looked is how many first arcs of all vertices were looked at: with a hub they are only
// in part.
func (w *joining) looked() int {
	if w.at.Hub {
		return 0
	}
	return sampled
}

// nearHub chooses, at the beginning, whether vertices are joined to a hub. In a directed
// graph those with many out-arcs are not found at the ends of arcs.
func (w *joining) nearHub(why *pregel.Choice) {
	if w.at.Step > 0 || w.g.Directed() {
		return
	}
	h, near, of := findHub(w.g.Out())
	if w.hub, w.at.Hub = h, h != nil; w.at.Hub {
		*why = pregel.Choice{Rule: toHub, Have: near, Limit: of}
	}
}

// mostIn is the root of the component that most vertices seem to be in.
func (w *joining) mostIn() uint32 {
	if w.at.Largest != graph.None {
		return find(w.root, w.at.Largest)
	}
	most, _ := mostSeen(w.root)
	return most
}

// counted is how many components there are, and how many vertices the largest has; zero
// where that is not known.
type counted struct{ components, largest int }

// counted tells what the last phase has counted, if it shows which component is the
// largest: one of more than half of all vertices is.
func (w *joining) counted() counted {
	members := int(w.members.Load())
	if members <= len(w.root)/2 {
		return counted{}
	}
	return counted{int(w.roots.Load()), members}
}

// A part is a phase: what is done for the vertices from lo to hi, and why.
type part struct {
	why pregel.Choice
	do  func(lo, hi uint32) tally
}

// tally counts arcs that were read, and compare-and-swaps; at the end the roots, and the
// vertices of the component that most seem to be in.
type tally struct{ arcs, atomics, roots, members uint64 }

func (w *joining) step(p part) bool {
	a := pregel.Account{Widths: widths, Why: p.why}
	return w.Vertices("wcc", a, func(lo, hi uint32, k *pregel.Worker) {
		t := p.do(lo, hi)
		k.Arcs += t.arcs
		k.Atomics += t.atomics
		if t.roots|t.members != 0 {
			w.roots.Add(t.roots)
			w.members.Add(t.members)
		}
	})
}

// rest is why arcs are skipped; mostSeen has the number.
func (w *joining) rest() pregel.Choice {
	if !w.g.HasIn() {
		return pregel.Choice{Rule: readsAll}
	}
	return pregel.Choice{Rule: skips, Limit: samples}
}

const piece = 1 << 14 // vertices

// sample are the phases that join the vertices along their first arcs; at the
// beginning of the run roots are set, where no phase does.
func (w *joining) sample(begins bool, workers int) []part {
	out := w.g.Out()
	why := pregel.Choice{Rule: oneByOne, Have: out.Arcs(), Limit: dense * uint64(w.g.N())}
	if why.Have < why.Limit {
		return []part{
			{why, func(lo, hi uint32) tally { return hook(out, w.root, lo, hi) }},
			{why, func(lo, hi uint32) tally { return joinSecond(out, w.root, lo, hi) }},
		}
	}
	if w.nearHub(&why); w.at.Hub {
		return []part{{why, func(lo, hi uint32) tally { return w.hub.attach(out, w.root, lo, hi) }}}
	}
	why.Rule = together
	if begins {
		parallel.Range(workers, len(w.root), piece, func(_, lo, hi int) {
			for v := lo; v < hi; v++ {
				w.root[v] = uint32(v)
			}
		})
	}
	return []part{{why, func(lo, hi uint32) tally { return joinFirst(out, w.root, lo, hi) }}}
}

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

// joinRest joins the arcs not yet looked at, but for the out-arcs of vertices
// in the largest component: if such an arc leads out of it, the vertex at its
// other end is outside and reads it as an in-arc.
func joinRest(g *graph.Graph, root []uint32, lo, hi, largest uint32, looked int) (t tally) {
	for u := lo; u < hi; u++ {
		if atomic.LoadUint32(&root[u]) == largest {
			continue
		}
		if r := find(root, u); largest != graph.None && (r == largest || r == atomic.LoadUint32(&root[largest])) {
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

// joinUntil joins u to its neighbours one by one, until it is right under the root of the
// largest component. It returns how many it has looked at, and how many compare-and-swaps
// that took.
func joinUntil(root []uint32, u uint32, vs []uint32, largest uint32) (read, atomics uint64) {
	for i, v := range vs {
		atomics += join(root, u, v)
		if atomic.LoadUint32(&root[u]) == largest {
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
