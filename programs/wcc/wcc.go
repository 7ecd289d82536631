// Package wcc finds the weakly connected components: the vertices that are
// joined when directions are forgotten.
//
// Result: component(v), the least vertex joined to v.
//
// Method: every vertex keeps the root of a tree of its component, at first itself or a
// lesser one of its first two neighbours (Jaiganesh and Burtscher, A High-Performance
// Connected Components Implementation for GPUs, HPDC 2018), which takes no atomic
// operation; roots of neighbours are joined, the greater under the lesser, with atomic
// operations; who looks for a root shortens the way there.
// The first two arcs of all vertices are looked at first (first.go); then the component
// that a sample shows to be the largest is known, and its vertices need not look at their
// arcs, as far as these are seen from the other side: out-arcs are
// skipped, and in a directed graph in-arcs are read by those outside it, until they are
// in it. (Sutton,
// Ben-Nun, Barak, Optimizing Parallel Graph Connectivity Computation via Subgraph
// Sampling, IPDPS 2018.) Where most vertices of an undirected graph are near to one of
// many neighbours, they are joined to that one in place of their first arcs, who is by a
// bit each (hub.go). The answer does not depend on the order: a component's root is its
// least vertex.
//
// This is a phase program, four supersteps, three with a hub; four on a CUDA
// device (device.go, kernels/wcc.cu); hash-min label propagation, which the same
// model expresses in a dozen lines (see Propagate), needs as many as the diameter.
//
// Cost: O(n + m α) and in practice far less than m reads. Records count the arcs
// that were read. With several workers this number depends on their timing: a
// vertex skips its arcs if it is in the largest component by the time it is looked
// at, and one beside a hub's neighbour needs not look further if that is joined by then.
// With one worker it is always the same, but for a run that was gone on with, which may
// look at first arcs again.
package wcc

import (
	"context"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/census"
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
	r, _, err := c.components(ctx, j)
	return r, err
}

// components also returns how many there are, where that was counted on the way.
func (c *WCC) components(ctx context.Context, j *pregel.Job) (r pregel.Result[uint32], known counted, err error) {
	if c.Method == Propagate {
		r, err = pregel.RunEdge(ctx, j, labels{}, pregel.WithUserOrder())
		return r, counted{}, err
	}
	if e, ok := j.Engine.(*cuda.Engine); ok {
		r, err = onDevice(ctx, e, j)
		return r, counted{}, err
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

// Absorbs tells that a label is the least heard of.
func (labels) Absorbs() bool { return true }

// Twin is the program in CUDA.
func (labels) Twin() pregel.Twin {
	return pregel.Twin{Name: "labels.cu", Source: kernels.Functions("labels")}
}

// Run finds the components of the job's graph.
func (c *WCC) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	result, known, err := c.components(ctx, j)
	if err != nil {
		return nil, err
	}
	if known.components == 0 {
		known.components, known.largest = census.Of(result, j.Engine.Pool().Workers())
	}
	stop := result.Stop
	stop.Supersteps = j.Supersteps()
	return &pregel.Answer{
		Stop: stop, Ordered: result.Ordered,
		Table:   pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "component", Vertices: result.Values}}},
		Summary: []pregel.Fact{{Name: "components", Value: known.components}, {Name: "largest", Value: known.largest}},
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

// Resumes tells that it goes on from checkpoints.
func (*WCC) Resumes(bool) bool { return true }

// OnDevice tells that it runs on a CUDA device.
func (*WCC) OnDevice() bool { return true }

// Renumbered names components by their least vertices. Where the device has brought the labels that
// its own kernels have found, it has done that.
func (c *WCC) Renumbered(_ context.Context, j *pregel.Job, a *pregel.Answer) error {
	if a.Ordered && c.Method != Propagate {
		return nil
	}
	pregel.LeastLabels(j.Engine.Pool().Workers(), a.Table.Columns[0].Vertices)
	return nil
}
