// Package graph holds immutable graphs in compressed sparse row form (CSR).
//
// A vertex is a dense uint32 in 0..N-1; vertex order is the order of the
// user's own ids, so "least vertex" and "least id" mean the same (IDs is the
// table back), but in a graph that has been Renumbered. Arcs leaving u are Neighbors(u), sorted by
// target, then weight. An undirected edge is stored as two arcs, an undirected
// self-loop as one. The arcs that enter a vertex (CSC, the same form over the
// reversed graph) are made when first asked for.
//
// Graphs come from Build, which reads a Source of arcs twice and needs no copy
// of them, or from New, which takes finished arrays.
package graph

import (
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// MaxVertices is the largest number of vertices a graph can have: one less
// than the number of uint32 values, because None is not a vertex.
const MaxVertices = math.MaxUint32

// MaxDegree is the largest number of arcs that may leave a vertex: programs have it as a uint32.
const MaxDegree = math.MaxUint32

// None is the uint32 that stands for "no vertex".
const None uint32 = math.MaxUint32

// A Graph is immutable and safe for concurrent use.
type Graph struct {
	directed  bool
	ids       IDs
	out       CSR
	in        func() CSR
	inMade    *atomic.Bool // in would return at once
	extremes  func() WeightRange
	deadEnds  func() bitmap.Bitmap
	close     io.Closer
	reordered bool // see Reordered
}

// CSR is one direction of a graph's arcs. Its slices are shared with the graph
// and must not be written to.
type CSR struct {
	Offsets Offsets
	Targets []uint32 // sorted within each vertex
	Weights Weights  // beside Targets; none for an unweighted graph
	cuts    *cuts    // of the arcs of a graph; nil: Cut remembers nothing
}

// Degree returns the number of arcs at u.
func (c CSR) Degree(u uint32) uint64 {
	begin, end := c.Offsets.Row(u)
	return end - begin
}

// Neighbors returns the other ends of the arcs at u, ascending.
func (c CSR) Neighbors(u uint32) []uint32 {
	begin, end := c.Offsets.Row(u)
	return c.Targets[begin:end]
}

// N returns the number of vertices.
func (c CSR) N() int { return c.Offsets.Len() - 1 }

// Arcs returns the number of arcs.
func (c CSR) Arcs() uint64 { return uint64(len(c.Targets)) }

// WeightKind tells how the weights of a graph are stored.
type WeightKind uint8

// The kinds of weights.
const (
	Unweighted WeightKind = iota
	Int32                 // exact integers
	Float32
)

func (k WeightKind) String() string {
	switch k {
	case Int32:
		return "int32"
	case Float32:
		return "float32"
	}
	return "none"
}

// Weights are the weights of a list of arcs: at most one of the slices is set.
type Weights struct {
	Int   []int32
	Float []float32
}

// Kind tells which slice is set.
func (w Weights) Kind() WeightKind {
	switch {
	case w.Int != nil:
		return Int32
	case w.Float != nil:
		return Float32
	}
	return Unweighted
}

// At returns weight i as a float64, which holds both kinds exactly. It is 1
// for an unweighted graph.
func (w Weights) At(i uint64) float64 {
	switch {
	case w.Int != nil:
		return float64(w.Int[i])
	case w.Float != nil:
		return float64(w.Float[i])
	}
	return 1
}

// PrefetchAt asks for the weights of some arcs, as mem.PrefetchAt does.
func (w Weights) PrefetchAt(arcs []uint64) {
	switch {
	case w.Int != nil:
		mem.PrefetchAt(w.Int, arcs)
	case w.Float != nil:
		mem.PrefetchAt(w.Float, arcs)
	}
}

// Slice returns weights lo to hi.
func (w Weights) Slice(lo, hi uint64) Weights {
	switch {
	case w.Int != nil:
		return Weights{Int: w.Int[lo:hi]}
	case w.Float != nil:
		return Weights{Float: w.Float[lo:hi]}
	}
	return Weights{}
}

func (w Weights) len() int { return len(w.Int) + len(w.Float) }

// Parts are the arrays of a finished graph, for New.
type Parts struct {
	Directed bool
	IDs      IDs       // of as many vertices as Out has
	Out      CSR       // of an undirected graph each edge is in the lists of both ends
	In       *CSR      // nil: made when first asked for. Ignored for an undirected graph
	Closer   io.Closer // what Graph.Close closes: the file behind the arrays
}

// New makes a graph of arrays that already are in its form. It checks their
// lengths, not their content; Check does.
func New(p Parts) (*Graph, error) {
	if err := p.Out.checkShape(p.IDs.Len()); err != nil {
		return nil, fmt.Errorf("graph: out-arcs: %w", err)
	}
	g := &Graph{directed: p.Directed, ids: p.IDs, out: p.Out.remembering(), inMade: new(atomic.Bool), close: p.Closer}
	g.inMade.Store(!p.Directed || p.In != nil)
	g.lookLater()
	switch {
	case !p.Directed:
		g.in = func() CSR { return g.out }
	case p.In != nil:
		in := p.In.remembering()
		if err := in.checkShape(p.IDs.Len()); err != nil {
			return nil, fmt.Errorf("graph: in-arcs: %w", err)
		}
		g.in = func() CSR { return in }
	default:
		g.in = sync.OnceValue(func() CSR {
			defer g.inMade.Store(true)
			return transpose(g.out, 0).remembering()
		})
	}
	return g, nil
}

// lookLater leaves what is known by looking at all arcs or vertices to whoever asks first.
func (g *Graph) lookLater() {
	g.extremes = sync.OnceValue(func() WeightRange { return weightRange(g.out) })
	g.deadEnds = sync.OnceValue(func() bitmap.Bitmap { return deadEnds(g.out, !g.directed) })
}

func (c CSR) checkShape(n int) error {
	switch {
	case uint64(n) > MaxVertices:
		return fmt.Errorf("%d vertices, at most %d fit", n, uint64(MaxVertices))
	case c.Offsets.Len() != n+1:
		return fmt.Errorf("%d offsets for %d vertices, want one more than vertices", c.Offsets.Len(), n)
	case c.Offsets.At(uint32(n)) != uint64(len(c.Targets)):
		return fmt.Errorf("last offset %d, want the number of arcs, %d", c.Offsets.At(uint32(n)), len(c.Targets))
	case c.Weights.Kind() != Unweighted && c.Weights.len() != len(c.Targets):
		return fmt.Errorf("%d weights for %d arcs", c.Weights.len(), len(c.Targets))
	}
	return nil
}

// Check reports the first place where the arrays break the rules of CSR:
// offsets ascending, targets below N and sorted.
func (g *Graph) Check() error {
	n := uint64(g.N())
	for u := range uint32(n) {
		lo, hi := g.out.Offsets.Row(u)
		if lo > hi || hi > g.out.Arcs() {
			return fmt.Errorf("graph: offsets of vertex %d are %d..%d of %d arcs", u, lo, hi, g.out.Arcs())
		}
		last := uint32(0)
		for _, v := range g.out.Targets[lo:hi] {
			if uint64(v) >= n {
				return fmt.Errorf("graph: vertex %d has target %d, there are %d vertices", u, v, n)
			}
			if v < last {
				return fmt.Errorf("graph: targets of vertex %d are not sorted: %d after %d", u, v, last)
			}
			last = v
		}
	}
	return nil
}

// N returns the number of vertices.
func (g *Graph) N() int { return g.out.N() }

// Arcs returns the number of stored arcs.
func (g *Graph) Arcs() uint64 { return g.out.Arcs() }

// Loops counts the self-loops, in one pass over the arcs.
func (g *Graph) Loops() uint64 {
	var loops uint64
	for u := range uint32(g.N()) {
		for _, v := range g.out.Neighbors(u) {
			if u == v {
				loops++
			}
		}
	}
	return loops
}

// Edges returns the number of edges as the user counts them: arcs of a
// directed graph; pairs of arcs and loops of an undirected one (one pass over
// the arcs).
func (g *Graph) Edges() uint64 {
	if g.directed {
		return g.Arcs()
	}
	return (g.Arcs() + g.Loops()) / 2
}

// Directed tells whether arcs have a direction.
func (g *Graph) Directed() bool { return g.directed }

// IDs returns the table from vertices to the user's own ids.
func (g *Graph) IDs() IDs { return g.ids }

// Out returns the arcs by their source.
func (g *Graph) Out() CSR { return g.out }

// In returns the arcs by their target; Targets then holds sources. The first
// call on a directed graph makes them, in O(n+m).
func (g *Graph) In() CSR { return g.in() }

// HasIn tells whether In would return at once.
func (g *Graph) HasIn() bool { return g.inMade.Load() }

// Weighted tells the kind of the weights.
func (g *Graph) Weighted() WeightKind { return g.out.Weights.Kind() }

// Reverse returns the graph with every arc turned round. Arrays are shared.
func (g *Graph) Reverse() *Graph {
	if !g.directed {
		return g
	}
	out := g.out
	h := &Graph{directed: true, ids: g.ids, out: g.In(), in: func() CSR { return out }, inMade: new(atomic.Bool)}
	h.inMade.Store(true)
	h.lookLater()
	return h
}

// Bytes returns the size of the arrays of out-arcs and ids.
func (g *Graph) Bytes() uint64 {
	return g.out.Offsets.Bytes() + g.Arcs()*4 + uint64(g.out.Weights.len())*4 + g.ids.bytes()
}

// WithWeights returns the graph with the given weight on each arc (u, v) in
// place of those it has. f must be symmetric for an undirected graph, and safe
// for concurrent calls.
func (g *Graph) WithWeights(f func(u, v uint32) int32) *Graph {
	w := mem.Make[int32](len(g.out.Targets))
	eachChunk(g.out, 0, func(_ int, lo, hi uint32) {
		for u := lo; u < hi; u++ {
			base := g.out.Offsets.At(u)
			for i, v := range g.out.Neighbors(u) {
				w[base+uint64(i)] = f(u, v)
			}
		}
	})
	return g.replaceWeights(Weights{Int: w})
}

// WithoutWeights returns the graph without its weights. Arrays are shared.
func (g *Graph) WithoutWeights() *Graph { return g.replaceWeights(Weights{}) }

func (g *Graph) replaceWeights(w Weights) *Graph {
	out := g.out
	out.Weights = w
	h, err := New(Parts{Directed: g.directed, IDs: g.ids, Out: out, Closer: g.close})
	if err != nil {
		panic(err) // the shapes were right before and are still
	}
	return h
}

// Close releases the file behind the graph, if there is one. The graph, and
// slices of it, must not be used afterwards.
func (g *Graph) Close() error {
	if g.close == nil {
		return nil
	}
	return g.close.Close()
}
