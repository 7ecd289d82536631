package bfs

import (
	"context"
	"math/bits"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda"
)

// This file searches without parents: a value is a depth alone, and of the messages of
// a vertex it counts only that there are some.

// alone is what a traversal has that finds depths alone and one that finds parents alone: values of
// one number, graph.None while a vertex is unreached. What it sends, and to whom, is what program sends.
type alone struct {
	source uint32
}

func (alone) Name() string { return "bfs" }

func (alone) Spec() pregel.Spec[uint32] { return program{}.Spec() }

func (p alone) Seeds() (rest uint32, seeds []uint32) { return graph.None, []uint32{p.source} }

func (alone) Emit(v pregel.Vertex[uint32]) uint32 { return v.ID }

func (alone) Settled(x uint32) bool { return x != graph.None }

// depths is one traversal that finds depths.
type depths struct{ alone }

func (p depths) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID == p.source {
		return 0, true
	}
	return graph.None, false
}

func (depths) Apply(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
	if v.Value != graph.None {
		return v.Value, false
	}
	return uint32(v.Superstep) + 1, true
}

// Arrive is Apply for a vertex that has not been reached.
func (depths) Arrive(superstep int32, _ uint32) uint32 { return uint32(superstep) + 1 }

// ApplySet is Apply for a set of vertices.
func (depths) ApplySet(b *pregel.Block[uint32], set uint64, _ []uint32) (awake, settled uint64) {
	depth := uint32(b.First.Superstep) + 1
	settled = set
	for rest := set; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		if b.Values[k] != graph.None {
			set &^= rest & -rest
			continue
		}
		b.Values[k] = depth
	}
	return set, settled
}

// Present names the column of a trace.
func (depths) Present() pregel.Presentation {
	return pregel.Presentation{Columns: []string{"depth"}, Message: true}
}

// Twin is the program in CUDA.
func (p depths) Twin() pregel.Twin {
	return pregel.Twin{Name: "depths.cu", Source: kernels.Functions("depths"), Params: struct{ Source uint32 }{p.source}, Signals: true}
}

// Depths runs BFS from a vertex, without parents.
func Depths(ctx context.Context, j *pregel.Job, source uint32) (pregel.Result[uint32], error) {
	return search(ctx, j, source, false)
}

// search is Depths; ordered: as of traverse.
func search(ctx context.Context, j *pregel.Job, source uint32, ordered bool, opts ...pregel.Option) (pregel.Result[uint32], error) {
	if ordered {
		opts = append(opts, pregel.WithUserOrder())
	}
	if e, ok := onTiles(j); ok {
		return depthsInTiles(ctx, e, j, source, ordered, opts...)
	}
	return pregel.RunEdge(ctx, j, depths{alone{source}}, opts...)
}

// onTiles returns the engine, if it is one to search tile by tile on.
func onTiles(j *pregel.Job) (*cuda.Engine, bool) {
	e, ok := j.Engine.(*cuda.Engine)
	return e, ok && j.MaxSupersteps == 0 && j.Checkpoints == nil && e.InTiles(j.Graph)
}

func extentOf(p pregel.Pool, depth []uint32) (e extent, err error) {
	err = e.inPieces(p, 0, len(depth), func(lo, hi int) (int, uint32) { return mem.Extent(depth[lo:hi]) })
	return e, err
}
