package graph

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// Loops says what becomes of self-loops.
type Loops uint8

// The ways to treat self-loops.
const (
	KeepLoops Loops = iota
	DropLoops
)

// Duplicates says what becomes of arcs with the same ends.
type Duplicates uint8

// The ways to treat duplicate arcs.
const (
	KeepDuplicates Duplicates = iota
	DropDuplicates            // one stays: the one of least weight where there are weights
	MinDuplicates             // one stays, with the least weight
	SumDuplicates             // one stays, with the sum of the weights
)

// Options say how Build makes a graph of arcs. The zero value keeps all of an
// undirected graph.
type Options struct {
	Directed   bool
	Loops      Loops
	Duplicates Duplicates
	Workers    int // 0: all processors
}

// Build makes the graph of src over the vertices of ids. It reads src twice:
// once to count, once to put each arc in its place; beside the graph itself it
// needs no memory that grows with the number of arcs. The graph is the same
// for any number of workers.
//
// Cost: O(n + m + Σ d log d) time, d being the degrees.
func Build(ctx context.Context, ids IDs, src Source, o Options) (*Graph, error) {
	if uint64(ids.Len()) > MaxVertices {
		return nil, fmt.Errorf("graph: %d vertices, at most %d fit", ids.Len(), uint64(MaxVertices))
	}
	b := builder{ids: ids, n: ids.Len(), Options: o}
	if err := b.count(ctx, src); err != nil {
		return nil, err
	}
	if err := b.place(ctx, src); err != nil {
		return nil, err
	}
	if err := b.order(); err != nil {
		return nil, err
	}
	return New(Parts{Directed: o.Directed, IDs: ids, Out: b.csr})
}

// FromArcs makes a graph of n vertices, with ids 0 to n-1, of a short list.
func FromArcs(n int, list ArcList, o Options) (*Graph, error) {
	return Build(context.Background(), RangeIDs(0, n), list, o)
}

type builder struct {
	Options
	ids IDs
	n   int
	csr CSR
	// counts[u+2] counts the arcs of u, modulo 2^32; carried has how often that was passed.
	counts  []uint32
	mu      sync.Mutex
	carried map[uint32]uint64
	// Prefix sums make next[u+1] the place of u's next arc; when all are placed it is the end
	// of u, which is the start of u+1: the first n+1 are then the offsets.
	next Offsets
	kind atomic.Int32 // WeightKind of the blocks, -1 before the first
}

func (b *builder) check(k Block) error {
	if len(k.U) != len(k.V) || k.Weights.Kind() != Unweighted && k.Weights.len() != len(k.U) {
		return fmt.Errorf("graph: block with %d sources, %d targets, %d weights", len(k.U), len(k.V), k.Weights.len())
	}
	kind := int32(k.Weights.Kind())
	if len(k.U) > 0 && !b.kind.CompareAndSwap(-1, kind) && b.kind.Load() != kind {
		return fmt.Errorf("graph: some arcs have weights of kind %v, others of kind %v", WeightKind(b.kind.Load()), WeightKind(kind))
	}
	n := uint32(b.n)
	for i, u := range k.U {
		if v := k.V[i]; u >= n || v >= n {
			return fmt.Errorf("graph: arc (%d, %d), there are %d vertices", u, v, n)
		}
	}
	return nil
}

func (b *builder) place(ctx context.Context, src Source) error {
	sum, err := b.sum()
	if err != nil {
		return err
	}
	b.csr.Targets = mem.Make[uint32](int(sum))
	switch WeightKind(max(b.kind.Load(), 0)) {
	case Int32:
		b.csr.Weights.Int = mem.Make[int32](int(sum))
	case Float32:
		b.csr.Weights.Float = mem.Make[float32](int(sum))
	}
	var placed atomic.Uint64
	err = src.Arcs(ctx, parallel.Workers(b.Workers), func(k Block) error {
		if err := b.check(k); err != nil {
			return err
		}
		count, err := b.placeBlock(k)
		placed.Add(count)
		return err
	})
	if err == nil && placed.Load() != sum {
		err = fmt.Errorf("graph: the second reading of the arcs gave %d, the first %d", placed.Load(), sum)
	}
	b.csr.Offsets = b.next.Slice(0, b.n)
	return err
}

// placeGroup arcs are placed together: first all get their places, then all are
// written. An atomic addition waits for every write before it, so a write
// among them that misses the cache would hold up the next.
const placeGroup = 512

func (b *builder) placeBlock(k Block) (placed uint64, err error) {
	var group placing
	for lo := 0; lo < len(k.U); lo += placeGroup {
		hi := min(lo+placeGroup, len(k.U))
		part := Block{U: k.U[lo:hi], V: k.V[lo:hi], Weights: k.Weights.Slice(uint64(lo), uint64(hi))}
		count, err := group.place(b, part.U, part.V, part.Weights, false)
		placed += count
		if err != nil {
			return placed, err
		}
		if b.Directed {
			continue
		}
		count, err = group.place(b, part.V, part.U, part.Weights, true)
		placed += count
		if err != nil {
			return placed, err
		}
	}
	return placed, nil
}

// placing holds the places of a group of arcs.
type placing struct{ at [placeGroup]uint64 }

const noPlace = ^uint64(0)

// place puts the arcs from us to vs in their places. back tells that they are
// edges the other way round, of which loops are not placed again.
func (p *placing) place(b *builder, us, vs []uint32, w Weights, back bool) (placed uint64, err error) {
	noLoops := back || b.Loops == DropLoops
	at := p.at[:len(us)]
	for i, u := range us {
		if noLoops && u == vs[i] {
			at[i] = noPlace
			continue
		}
		at[i] = b.next.Take(u + 1)
		placed++
	}
	n := uint64(len(b.csr.Targets))
	for i, to := range at {
		if to < n {
			b.csr.Targets[to] = vs[i]
		} else if to != noPlace {
			return placed, fmt.Errorf("graph: the second reading of the arcs gave more than the first")
		}
	}
	switch {
	case w.Int != nil:
		scatter(b.csr.Weights.Int, w.Int, at)
	case w.Float != nil:
		scatter(b.csr.Weights.Float, w.Float, at)
	}
	return placed, nil
}

func scatter[T any](to, from []T, at []uint64) {
	for i, place := range at {
		if place != noPlace {
			to[place] = from[i]
		}
	}
}
