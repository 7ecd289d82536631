package mst

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// edge is an edge of the simple graph: u < v.
type edge struct {
	u, v, weight uint32
}

// key is a number that sorts by weight first.
func key(weight, then uint32) uint64 { return uint64(weight)<<32 | uint64(then) }

const (
	samples    = 1 << 11 // arcs
	everything = math.MaxUint64
)

// limit bounds the next batch: of the edges between different trees it takes
// those whose key, of weight and lesser end, is at most the limit. That aims at
// the given number of edges, or at everything when there are not many more; why
// tells which.
func (s *span) limit(want float64) (limit uint64, why pregel.Choice) {
	c := s.g.Out()
	edges := float64(c.Arcs())
	if !s.g.Directed() {
		edges /= 2
	}
	why = pregel.Choice{Rule: takesAll, Have: uint64(edges), Limit: uint64(2 * want)}
	if edges <= 2*want {
		return everything, why
	}
	var keys []uint64
	for i := range uint64(samples) {
		at := graph.SplitMix64(i) % c.Arcs()
		u := uint32(sort.Search(s.n, func(u int) bool { return c.Offsets[u+1] > at }))
		if v := c.Targets[at]; s.parent[u] != s.parent[v] {
			keys = append(keys, key(s.weights.at(at), min(u, v)))
		}
	}
	edges *= float64(len(keys)) / samples
	why.Have = uint64(edges)
	if edges <= 2*want {
		return everything, why
	}
	why.Rule = takesLight
	slices.Sort(keys)
	return keys[int(float64(len(keys))*want/edges)], why
}

// batch returns the edges of the next batch, ascending by their ends.
func (s *span) batch(limit uint64, why pregel.Choice) ([]edge, error) {
	found, out := make([]finder, s.job.Engine.Pool().Workers()), s.g.Out()
	account := s.overVertices(rootBytes, weightBytes(s.g), why)
	account.Beside = func() uint64 { return edgeBytes * count(found) }
	s.Vertices("mst select", account, func(lo, hi uint32, w *pregel.Worker) {
		f := &found[w.Slot]
		f.begin(lo)
		for u := lo; u < hi; u++ {
			s.selectAt(u, limit, f)
		}
		f.end()
		w.Arcs += out.Offsets[hi] - out.Offsets[lo]
	})
	edges, err := s.gather(found)
	if err == nil && s.g.Directed() && s.Going() {
		edges, err = s.canonical(edges)
	}
	return edges, err
}

// selectAt finds the edges of the batch among the arcs of u: each edge once in
// an undirected graph; in a directed one, as often as there are arcs.
func (s *span) selectAt(u uint32, limit uint64, f *finder) {
	c := s.g.Out()
	base, tree := c.Offsets[u], s.parent[u]
	from := uint32(0)
	if !s.g.Directed() {
		from = u
	}
	last := u
	for i, v := range c.Neighbors(u) {
		if v < from || v == u || v == last {
			continue // the first of parallel arcs is the lightest
		}
		last = v
		weight := s.weights.at(base + uint64(i))
		if key(weight, min(u, v)) <= limit && s.parent[v] != tree {
			f.add(edge{min(u, v), max(u, v), weight})
		}
	}
}

// finder collects the edges that a worker finds, in slabs, as runs of edges
// from one range of vertices.
type finder struct {
	runs  []run
	lo    uint32 // where the current run's range begins
	slab  []edge
	start int // of the current run, in the slab
	_     [64]byte
}

type run struct {
	lo    uint32
	edges []edge
}

const slabLength = 1 << 15 // edges

func (f *finder) begin(lo uint32) { f.lo, f.start = lo, len(f.slab) }

func (f *finder) end() {
	if f.start < len(f.slab) {
		f.runs = append(f.runs, run{f.lo, f.slab[f.start:]})
	}
}

func (f *finder) add(e edge) {
	if len(f.slab) == cap(f.slab) {
		f.end()
		f.slab, f.start = make([]edge, 0, slabLength), 0
	}
	f.slab = append(f.slab, e)
}

// count counts the edges that were found.
func count(found []finder) (edges uint64) {
	for i := range found {
		for _, r := range found[i].runs {
			edges += uint64(len(r.edges))
		}
	}
	return edges
}

// gather puts the runs in order of their ranges.
func (s *span) gather(found []finder) ([]edge, error) {
	var runs []run
	for i := range found {
		runs = append(runs, found[i].runs...)
	}
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.lo, b.lo) })
	starts, sum := make([]int, len(runs)), 0
	for i, r := range runs {
		starts[i] = sum
		sum += len(r.edges)
	}
	if sum > math.MaxUint32 {
		return nil, fmt.Errorf("mst: a batch of %d edges, at most %d fit", sum, uint32(math.MaxUint32))
	}
	edges := mem.Make[edge](sum)
	account := pregel.Account{Widths: pregel.Widths{Frontier: pregel.NoFrontier, Beside: 2 * edgeBytes * uint64(sum)}}
	s.Items("mst gather", len(runs), account, func(i int, _ *pregel.Worker) { copy(edges[starts[i]:], runs[i].edges) })
	return edges, nil
}

// canonical sorts the edges found in a directed graph, in which an arc to a
// lesser vertex is found at its greater end, and leaves one of parallel edges.
func (s *span) canonical(edges []edge) ([]edge, error) {
	u, v, w := mem.Make[uint32](len(edges)), mem.Make[uint32](len(edges)), mem.Make[int32](len(edges))
	for i, e := range edges {
		u[i], v[i], w[i] = e.u, e.v, int32(e.weight^sign)
	}
	source := graph.Columns{U: u, V: v, Weights: graph.Weights{Int: w}}
	ctx := s.Whole()
	g, err := graph.Build(ctx, graph.RangeIDs(0, s.n), source,
		graph.Options{Directed: true, Duplicates: graph.MinDuplicates, Workers: s.job.Engine.Pool().Workers()})
	if err != nil {
		if ctx.Err() != nil {
			s.Note(pregel.Stop{Reason: pregel.Cancelled}, nil)
			return nil, nil
		}
		return nil, err
	}
	edges = edges[:g.Arcs()]
	out := g.Out()
	account := pregel.Account{Widths: pregel.Widths{Weight: weightBytes(g), Frontier: pregel.NoFrontier, Beside: edgeBytes * g.Arcs()}}
	s.Vertices("mst sort", account, func(lo, hi uint32, w *pregel.Worker) {
		w.Arcs += out.Offsets[hi] - out.Offsets[lo]
		for u := lo; u < hi; u++ {
			for i := out.Offsets[u]; i < out.Offsets[u+1]; i++ {
				edges[i] = edge{u, out.Targets[i], uint32(out.Weights.Int[i]) ^ sign}
			}
		}
	})
	return edges, nil
}
