package graph

import "context"

// A Block is a batch of arcs (or undirected edges) in columns of equal length.
// The columns belong to the source and are valid during the call they are
// passed to.
type Block struct {
	U, V    []uint32 // source and target vertices
	Weights Weights  // none when the source has no weights
}

// A Source gives the arcs of a graph, again at each call and always the same
// ones, in no fixed order. It may call yield from up to workers goroutines at
// once; it stops and returns yield's error when there is one.
type Source interface {
	Arcs(ctx context.Context, workers int, yield func(Block) error) error
}

// An Arc is one arc or undirected edge, for graphs small enough to be listed.
type Arc struct {
	U, V uint32
	W    int32
}

// ArcList is a Source of listed arcs.
type ArcList struct {
	List     []Arc
	Weighted bool // W counts
}

// Arcs yields the whole list as one block.
func (l ArcList) Arcs(ctx context.Context, _ int, yield func(Block) error) error {
	b := Block{U: make([]uint32, len(l.List)), V: make([]uint32, len(l.List))}
	if l.Weighted {
		b.Weights.Int = make([]int32, len(l.List))
	}
	for i, a := range l.List {
		b.U[i], b.V[i] = a.U, a.V
		if l.Weighted {
			b.Weights.Int[i] = a.W
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return yield(b)
}

// Columns is a Source of arcs held in columns.
type Columns Block

const columnsBlock = 1 << 14

// Arcs yields the columns in pieces.
func (c Columns) Arcs(ctx context.Context, workers int, yield func(Block) error) error {
	return inPieces(ctx, workers, len(c.U), columnsBlock, func(lo, hi int) error {
		return yield(Block{U: c.U[lo:hi], V: c.V[lo:hi], Weights: c.Weights.Slice(uint64(lo), uint64(hi))})
	})
}
