// Package bfs finds how many arcs every vertex is from a source.
//
// Result: depth(v), the least number of arcs on a path from the source to v,
// and parent(v), the least in-neighbour of v at depth(v)-1. The source has depth
// 0 and no parent; a vertex that cannot be reached has neither. With the parameter
// parents false there are depths alone (depths.go), with depths false parents alone
// (tree.go). With any_parent true parent(v) is any in-neighbour at depth(v)-1: on a
// prepared graph the first in its order, which takes no time to find.
//
// Arcs are followed from source to target; in an undirected graph both ways.
// Self-loops and duplicates change nothing.
//
// Method: in superstep s the vertices at depth s send their own id along their
// arcs, combined by minimum; a vertex reached for the first time gets depth s+1
// and the sender as its parent. Since the ids of neighbours ascend, a vertex
// that pulls may stop at the first neighbour that is awake: the engine finds
// that out from the combiner and the edge operation (direction-optimising BFS:
// Beamer, Asanović, Patterson, SC 2012). Unlike there, the parent is fixed.
//
// Cost: O(n + m) in all, depth+1 supersteps. On a CUDA device, and on prepared
// graphs whose vertices stand with their neighbours (order tiles), the depths are
// found tile by tile, in fewer rounds than that, which are what is then counted as
// supersteps: tiles.go.
package bfs

import (
	"context"
	"math/bits"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
)

// BFS is the algorithm and its parameters.
type BFS struct {
	Source  pregel.ID `param:"source" doc:"id of the vertex to start from" required:"true"`
	Parents *bool     `param:"parents" doc:"whether parents are found too: depths alone take less time"`
	Depths  *bool     `param:"depths" doc:"whether depths are found too: on a GPU parents alone take less time"`
	Any     bool      `param:"any_parent" doc:"whether any neighbour that is nearer by a step will do for a parent, not the one of least id alone: on a prepared graph that takes less time"`
}

// parents tells whether they are to be found: a BFS that says nothing finds them.
func (b *BFS) parents() bool { return b.Parents == nil || *b.Parents }

// depths tells the same of them.
func (b *BFS) depths() bool { return b.Depths == nil || *b.Depths }

// New returns BFS with its default parameters.
func New() pregel.Algorithm { return &BFS{Parents: new(true), Depths: new(true)} }

// State is the value of a vertex; both numbers are graph.None while it is
// unreached.
type State struct {
	Depth, Parent uint32
}

// program is one traversal.
type program struct {
	source uint32
}

func (program) Name() string { return "bfs" }

func (program) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}

func (p program) Init(v pregel.Vertex[State]) (State, bool) {
	if v.ID == p.source {
		return State{Depth: 0, Parent: graph.None}, true
	}
	return State{Depth: graph.None, Parent: graph.None}, false
}

func (p program) Seeds() (rest State, seeds []uint32) {
	return State{Depth: graph.None, Parent: graph.None}, []uint32{p.source}
}

func (program) Emit(v pregel.Vertex[State]) uint32 { return v.ID }

func (program) Apply(v pregel.Vertex[State], parent uint32, _ bool) (State, bool) {
	if v.Value.Depth != graph.None {
		return v.Value, false
	}
	return State{Depth: uint32(v.Superstep) + 1, Parent: parent}, true
}

// Arrive is Apply for a vertex that has not been reached.
func (program) Arrive(superstep int32, parent uint32) State {
	return State{Depth: uint32(superstep) + 1, Parent: parent}
}

// ApplySet is Apply for a set of vertices.
func (program) ApplySet(b *pregel.Block[State], set uint64, messages []uint32) (awake, settled uint64) {
	depth := uint32(b.First.Superstep) + 1
	for rest := set; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		if b.Values[k].Depth != graph.None {
			set &^= rest & -rest
			settled |= rest & -rest
			continue
		}
		b.Values[k] = State{Depth: depth, Parent: messages[k]}
	}
	return set, set | settled
}

func (program) Settled(s State) bool { return s.Depth != graph.None }

// Present names the columns of a trace.
func (program) Present() pregel.Presentation {
	return pregel.Presentation{Columns: []string{"depth", "parent"}, Vertices: []string{"parent"}, Message: true}
}

// Twin is the program in CUDA.
func (p program) Twin() pregel.Twin {
	return pregel.Twin{Name: "bfs.cu", Source: kernels.Functions("bfs"), Params: struct{ Source uint32 }{p.source}}
}

// Traverse runs BFS from a vertex.
func Traverse(ctx context.Context, j *pregel.Job, source uint32) (pregel.Result[State], error) {
	r, _, err := traverse(ctx, j, source, wish{})
	return r, err
}

// A wish is how the values of a prepared graph may come back: in the user's order, with the least
// parents by the user's numbers.
type wish struct{ ordered, least bool }

// traverse is Traverse, and tells whether both has been done (mended).
func traverse(ctx context.Context, j *pregel.Job, source uint32, w wish, opts ...pregel.Option) (_ pregel.Result[State], mended bool, err error) {
	if w.ordered {
		opts = append(opts, pregel.WithUserOrder())
	}
	if e, ok := onTiles(j); ok {
		return inTiles(ctx, e, j, source, w, opts...)
	}
	r, err := pregel.RunEdge(ctx, j, program{source}, opts...)
	return r, false, err
}

// Run traverses the job's graph from the source.
func (b *BFS) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	source, err := b.Source.Vertex(j.Graph)
	if err != nil {
		return nil, err
	}
	switch err := b.Validate(); {
	case err != nil:
		return nil, err
	case !b.parents():
		return depthsAlone(ctx, j, source)
	case !b.depths():
		return parentsAlone(ctx, j, source)
	}
	result, mended, err := traverse(ctx, j, source, wish{ordered: true, least: !b.Any}, pregel.WithMore())
	if err != nil {
		return nil, err
	}
	depth, parent, e, err := columns(j.Engine.Pool(), result.Values, b.Any || mended || !j.Mended())
	if err != nil {
		return nil, err
	}
	columns := []pregel.Column{{Name: "depth", Counts: depth}, {Name: "parent", Vertices: parent}}
	return answer(result.Stop, result.Ordered, columns, e), nil
}

func depthsAlone(ctx context.Context, j *pregel.Job, source uint32) (*pregel.Answer, error) {
	result, err := search(ctx, j, source, true, pregel.WithMore())
	if err != nil {
		return nil, err
	}
	e, err := extentOf(j.Engine.Pool(), result.Values)
	if err != nil {
		return nil, err
	}
	return answer(result.Stop, result.Ordered, []pregel.Column{{Name: "depth", Counts: result.Values}}, e), nil
}

func answer(stop pregel.Stop, ordered bool, columns []pregel.Column, e extent) *pregel.Answer {
	return &pregel.Answer{
		Stop:    stop,
		Ordered: ordered,
		Table:   pregel.Table{PerVertex: true, Columns: columns},
		Summary: []pregel.Fact{{Name: "reached", Value: e.reached}, {Name: "greatest depth", Value: int(e.deepest)}},
	}
}

// Certify checks depths and parents: see certify.BFS.
func (b *BFS) Certify(ctx context.Context, g *graph.Graph, t *pregel.Table) error {
	source, err := b.Source.Vertex(g)
	if err != nil {
		return err
	}
	depth, parent, err := b.answered(ctx, g, source, t)
	if err != nil {
		return err
	}
	if b.Any {
		return certify.BFSTree(ctx, g, source, depth, parent)
	}
	return certify.BFS(ctx, g, source, depth, parent)
}

// answered returns the columns of an answer, nil for parents that are not wanted, and depths, if they
// are not, as the tree has them.
func (b *BFS) answered(ctx context.Context, g *graph.Graph, source uint32, t *pregel.Table) (depth, parent []uint32, err error) {
	if b.depths() {
		column, err := t.Column("depth")
		if err != nil {
			return nil, nil, err
		}
		depth = column.Counts
	}
	if b.parents() {
		column, err := t.Column("parent")
		if err != nil {
			return nil, nil, err
		}
		parent = column.Vertices
	}
	if depth == nil {
		depth, err = certify.Levels(ctx, g, source, parent)
	}
	return depth, parent, err
}

// Resumes tells that it goes on from checkpoints.
func (*BFS) Resumes(bool) bool { return true }

// OnDevice tells that it runs on a CUDA device.
func (*BFS) OnDevice() bool { return true }
