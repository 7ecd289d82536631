package graph

import (
	"context"
	"fmt"

	"gopregel/pregel/parallel"
)

// Edgewise makes a graph a Source: of its arcs when directed, of each edge once
// when not.
func (g *Graph) Edgewise() Source { return edgewise{g} }

type edgewise struct{ g *Graph }

const edgewiseBlock = 1 << 12

// Arcs yields the arcs (u, v) in blocks, those with u <= v when undirected.
func (e edgewise) Arcs(ctx context.Context, workers int, yield func(Block) error) error {
	c := e.g.out
	bounds := c.Cut(chunkArcs, 1)
	return inPieces(ctx, workers, len(bounds)-1, 1, func(i, _ int) error {
		b := newBlockBuffer(e.g.Weighted())
		for u := bounds[i]; u < bounds[i+1]; u++ {
			base := c.Offsets.At(u)
			for j, v := range c.Neighbors(u) {
				if v < u && !e.g.directed {
					continue
				}
				b.add(u, v, c.Weights, base+uint64(j))
				if len(b.U) < edgewiseBlock {
					continue
				}
				if err := yield(b.Block); err != nil {
					return err
				}
				b.reset()
			}
		}
		if len(b.U) == 0 {
			return nil
		}
		return yield(b.Block)
	})
}

type blockBuffer struct{ Block }

func newBlockBuffer(kind WeightKind) *blockBuffer {
	b := &blockBuffer{Block{U: make([]uint32, 0, edgewiseBlock), V: make([]uint32, 0, edgewiseBlock)}}
	switch kind {
	case Int32:
		b.Weights.Int = make([]int32, 0, edgewiseBlock)
	case Float32:
		b.Weights.Float = make([]float32, 0, edgewiseBlock)
	}
	return b
}

func (b *blockBuffer) add(u, v uint32, w Weights, i uint64) {
	b.U = append(b.U, u)
	b.V = append(b.V, v)
	switch {
	case b.Weights.Int != nil:
		b.Weights.Int = append(b.Weights.Int, w.Int[i])
	case b.Weights.Float != nil:
		b.Weights.Float = append(b.Weights.Float, w.Float[i])
	}
}

func (b *blockBuffer) reset() {
	b.U, b.V = b.U[:0], b.V[:0]
	b.Weights = b.Weights.Slice(0, 0)
}

// Undirected returns the graph with directions forgotten, self-loops dropped
// and parallel edges merged into one of least weight: the simple view that
// spanning forests and triangles are defined on.
func (g *Graph) Undirected(ctx context.Context, workers int) (*Graph, error) {
	return Build(ctx, g.ids, g.Edgewise(), Options{Loops: DropLoops, Duplicates: MinDuplicates, Workers: workers})
}

// HashWeight is the weight that `weights: splitmix64` gives the edge between
// the vertices with ids u and v: a number from 1 to 255, the same both ways.
func HashWeight(u, v uint64) int32 {
	return int32(SplitMix64(min(u, v)<<32+max(u, v))%255) + 1
}

// SplitMix64 is the finaliser of Steele, Lea and Flood's generator: state x
// advanced once and mixed.
func SplitMix64(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// WithHashWeights returns the graph with HashWeight of the ids on every arc.
// Ids must be numbers.
func (g *Graph) WithHashWeights() (*Graph, error) {
	if g.ids.Names() != nil {
		return nil, fmt.Errorf("graph: splitmix64 weights are made of numeric ids, this graph's are strings")
	}
	return g.WithWeights(func(u, v uint32) int32 { return HashWeight(g.ids.Number(u), g.ids.Number(v)) }), nil
}

// MaxDegree returns a vertex with the most arcs (the least such) and how many.
func (c CSR) MaxDegree() (u uint32, degree uint64) {
	type best struct {
		u      uint32
		degree uint64
	}
	n := c.N()
	found := make([]best, parallel.Workers(0))
	parallel.Range(0, n, 1<<16, func(w, lo, hi int) {
		for v := lo; v < hi; v++ {
			d := c.Degree(uint32(v))
			if d > found[w].degree || d == found[w].degree && uint32(v) < found[w].u {
				found[w] = best{uint32(v), d}
			}
		}
	})
	for _, b := range found {
		if b.degree > degree || b.degree == degree && b.degree > 0 && b.u < u {
			u, degree = b.u, b.degree
		}
	}
	return u, degree
}
