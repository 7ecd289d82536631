package bfs

import (
	"context"
	"errors"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
)

// This file searches without depths: a value is a parent alone, half of what a GPU has to write
// and, on a prepared graph, to bring into the user's order. Graph500 asks for no more.
//
// The CPU finds both, and leaves the depths. A vertex that is sent to while others are sent to takes the
// lesser parent only if the one it has is of the same superstep, which its depth tells (pregel.Arriver);
// without, a grid takes half as long again.

// tree is one traversal that finds parents; the source is its own parent until the end.
type tree struct{ alone }

func (p tree) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == p.source {
		return p.source, true
	}
	return graph.None, false
}

func (tree) Apply(v pregel.Vertex[uint32], parent uint32, _ bool) (uint32, bool) {
	if v.Value != graph.None {
		return v.Value, false
	}
	return parent, true
}

// Present names the column of a trace.
func (tree) Present() pregel.Presentation {
	return pregel.Presentation{Columns: []string{"parent"}, Vertices: []string{"parent"}, Message: true}
}

// Twin is the program in CUDA.
func (p tree) Twin() pregel.Twin {
	return pregel.Twin{Name: "tree.cu", Source: kernels.Functions("tree"), Params: struct{ Source uint32 }{p.source}}
}

// parentsAlone is Run without depths. Where states are looked at or kept they are the same on all
// engines.
func parentsAlone(ctx context.Context, j *pregel.Job, source uint32) (*pregel.Answer, error) {
	_, gpu := j.Engine.(*cuda.Engine)
	_, tiles := onTiles(j)
	if tiles || !gpu && j.Barrier == nil && j.Checkpoints == nil {
		return parentsLeft(ctx, j, source)
	}
	r, err := pregel.RunEdge(ctx, j, tree{alone{source}}, pregel.WithMore(), pregel.WithUserOrder())
	if err != nil {
		return nil, err
	}
	root := source
	if order, _ := j.Order(); r.Ordered {
		root = order[source]
	}
	r.Values[root] = graph.None
	e := extent{reached: 1}
	err = e.inPieces(j.Engine.Pool(), 0, len(r.Values), func(lo, hi int) (int, uint32) { return mem.Extent(r.Values[lo:hi]) })
	return parentsOf(r.Stop, r.Ordered, r.Values, e.reached), err
}

// parentsLeft finds both, and leaves the depths.
func parentsLeft(ctx context.Context, j *pregel.Job, source uint32) (*pregel.Answer, error) {
	r, _, err := traverse(ctx, j, source, wish{ordered: true}, pregel.WithMore())
	if err != nil {
		return nil, err
	}
	depth, parent, e, err := columns(j.Engine.Pool(), r.Values, true)
	if err != nil {
		return nil, err
	}
	mem.Give(depth)
	return parentsOf(r.Stop, r.Ordered, parent, e.reached), nil
}

func parentsOf(stop pregel.Stop, ordered bool, parent []uint32, reached int) *pregel.Answer {
	return &pregel.Answer{
		Stop: stop, Ordered: ordered,
		Table:   pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "parent", Vertices: parent}}},
		Summary: []pregel.Fact{{Name: "reached", Value: reached}},
	}
}

// Validate finds parameters that contradict each other.
func (b *BFS) Validate() error {
	switch {
	case b.Any && !b.parents():
		return errors.New("any_parent: found true, allowed where parents is true")
	case !b.depths() && !b.parents():
		return errors.New("depths: found false, allowed where parents is true")
	}
	return nil
}
