// Package wcc finds the weakly connected components: the vertices that are
// joined when directions are forgotten.
//
// Result: component(v), the least vertex joined to v.
//
// Method: every vertex keeps the root of a tree of its component, at first
// itself, in thin graphs the lesser of itself and its first neighbour (Jaiganesh and
// Burtscher, A High-Performance Connected Components Implementation for GPUs, HPDC
// 2018), which takes no atomic operation; roots of neighbours are joined, the
// greater under the lesser, with atomic operations, and paths are halved in between.
// The first two arcs of all vertices are looked at first; then the component that a
// sample shows to be the largest is known, and its vertices need not look at their
// remaining arcs, as far as these are seen from the other side: out-arcs are
// skipped, and in a directed graph in-arcs are read by those outside it. (Sutton,
// Ben-Nun, Barak, Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling, IPDPS 2018.) The answer does not depend on the order: a component's root
// is its least vertex.
//
// This is a phase program, four supersteps, six in thin graphs, four on a CUDA
// device (device.go, kernels/wcc.cu); hash-min label propagation, which the same
// model expresses in a dozen lines (see Propagate), needs as many as the diameter.
//
// Cost: O(n + m α) and in practice far less than m reads. Records count the arcs
// that were read. With several workers this number depends on their timing: a
// vertex skips its arcs if it is in the largest component by the time it is looked
// at. With one worker it is always the same.
package wcc

import (
	"context"
	"sync/atomic"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
)

// WCC is the algorithm and its parameters.
type WCC struct {
	Method string `param:"method" doc:"join roots by sampling (afforest), or pass least labels along (propagate)" enum:"afforest,propagate"`
}

// The methods.
const (
	Afforest  = "afforest"
	Propagate = "propagate"
)

// New returns WCC with its default parameters.
func New() pregel.Algorithm { return &WCC{Method: Afforest} }

// Components finds the component of every vertex of the job's graph.
func (c *WCC) Components(ctx context.Context, j *pregel.Job) (pregel.Result[uint32], error) {
	if c.Method == Propagate {
		return pregel.RunEdge(ctx, j, labels{})
	}
	if e, ok := j.Engine.(*cuda.Engine); ok {
		return onDevice(ctx, e, j)
	}
	return afforest(ctx, j)
}

// labels passes the least vertex heard of to all neighbours.
type labels struct{}

func (labels) Name() string { return "wcc" }

func (labels) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Along: pregel.BothEdges}
}

// Present names the value in a trace.
func (labels) Present() pregel.Presentation {
	return pregel.Presentation{Columns: []string{"component"}, Vertices: []string{"component"}, Message: true}
}

func (labels) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true }

func (labels) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value }

func (labels) Apply(v pregel.Vertex[uint32], least uint32, _ bool) (uint32, bool) {
	return min(v.Value, least), least < v.Value
}

// Relaxes tells that labels may come at any time: they only fall.
func (labels) Relaxes() bool { return true }

// Twin is the program in CUDA.
func (labels) Twin() pregel.Twin {
	return pregel.Twin{Name: "labels.cu", Source: kernels.Functions("labels")}
}

// sampled is the number of arcs of each vertex that are looked at first.
const sampled = 2

// In graphs of so many arcs a vertex the first arcs of the vertices are looked at
// once, as they lie on cache lines of their own; in thinner ones twice.
const dense = 8

// afforest joins roots in phases. Invariant: root[v] <= v, and following roots
// from v ends at a vertex of v's component.
func afforest(ctx context.Context, j *pregel.Job) (pregel.Result[uint32], error) {
	g := j.Graph
	root := mem.Make[uint32](g.N())
	stop, err := run(ctx, j, sample(g.Out(), root))
	if err != nil || stop.Reason != pregel.Halted {
		return pregel.Result[uint32]{Values: root, Stop: stop}, err
	}
	largest := graph.None // none: every arc is looked at
	if g.HasIn() {
		largest = mostSeen(root)
	}
	stop, err = run(ctx, j, []part{
		func(lo, hi uint32) uint64 { return joinRest(g, root, lo, hi, largest) },
		func(lo, hi uint32) uint64 { return compress(root, lo, hi) },
	})
	return pregel.Result[uint32]{Values: root, Stop: stop}, err
}

// A part of a phase is what is done for the vertices from lo to hi; it returns how
// many arcs it has read.
type part func(lo, hi uint32) (read uint64)

// sample joins the vertices along their first arcs.
func sample(out graph.CSR, root []uint32) []part {
	flatten := func(lo, hi uint32) uint64 { return compress(root, lo, hi) }
	if len(out.Targets) < dense*len(root) {
		return []part{
			func(lo, hi uint32) uint64 { return hook(out, root, lo, hi) },
			flatten,
			func(lo, hi uint32) uint64 { return joinSecond(out, root, lo, hi) },
			flatten,
		}
	}
	for v := range root {
		root[v] = uint32(v)
	}
	return []part{func(lo, hi uint32) uint64 { return joinFirst(out, root, lo, hi) }, flatten}
}

// run does one phase after the other.
func run(ctx context.Context, j *pregel.Job, phases []part) (stop pregel.Stop, err error) {
	for _, f := range phases {
		stop, err = j.Phase(ctx, "wcc", func(lo, hi uint32, w *pregel.Worker) { w.Arcs += f(lo, hi) })
		if err != nil || stop.Reason != pregel.Halted {
			break
		}
	}
	return stop, err
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

// count returns the number of components and the size of the largest.
func count(component []uint32) (components int, largest uint32) {
	size := make([]uint32, len(component))
	for _, r := range component {
		if size[r] == 0 {
			components++
		}
		size[r]++
		largest = max(largest, size[r])
	}
	return components, largest
}

// Run finds the components of the job's graph.
func (c *WCC) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	result, err := c.Components(ctx, j)
	if err != nil {
		return nil, err
	}
	components, largest := count(result.Values)
	stop := result.Stop
	stop.Supersteps = j.Supersteps()
	return &pregel.Answer{
		Stop:    stop,
		Table:   pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "component", Vertices: result.Values}}},
		Summary: []pregel.Fact{{Name: "components", Value: components}, {Name: "largest", Value: int(largest)}},
	}, nil
}

// Certify checks the components: see certify.Components.
func (c *WCC) Certify(ctx context.Context, g *graph.Graph, t *pregel.Table) error {
	component, err := t.Column("component")
	if err != nil {
		return err
	}
	return certify.Components(ctx, g, component.Vertices)
}

// Relaxes tells that labels may be passed on at once.
func (c *WCC) Relaxes(bool) bool { return c.Method == Propagate }

// Resumes tells that label propagation goes on from checkpoints.
func (c *WCC) Resumes(bool) bool { return c.Method == Propagate }

// OnDevice tells that it runs on a CUDA device.
func (*WCC) OnDevice() bool { return true }

// Renumbered names components by their least vertices.
func (*WCC) Renumbered(_ *graph.Graph, t *pregel.Table) { pregel.LeastLabels(t.Columns[0].Vertices) }
