package mst

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// edge is an edge of the simple graph: u < v.
type edge struct {
	u, v, weight uint32
}

// batch returns the edges of the next batch, ascending by their ends.
func (s *span) batch(limit uint64, why pregel.Choice) ([]edge, error) {
	found := make([]finder, s.job.Engine.Pool().Workers())
	account := s.overVertices(rootBytes, weightBytes(s.g), why)
	account.Beside = func() uint64 { return edgeBytes * count(found) }
	s.Vertices("mst select", account, func(lo, hi uint32, w *pregel.Worker) {
		f := &found[w.Slot]
		f.begin(lo)
		for u := lo; u < hi; u++ {
			w.Arcs += uint64(s.selectAt(u, limit, f))
		}
		f.sift(s.tree)
		f.end()
	})
	edges, err := s.gather(found)
	switch {
	case err != nil || !s.Going():
	case s.g.Directed():
		return s.canonical(edges)
	case s.at.Giant != graph.None:
		return s.ascending(edges), nil
	}
	return edges, err
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

// room makes room for so many edges, at most slabLength, at the end of the current run.
func (f *finder) room(n int) []edge {
	if len(f.slab)+n > cap(f.slab) {
		run := f.slab[f.start:]
		f.slab, f.start = append(make([]edge, 0, max(2*len(run)+n, slabLength)), run...), 0
	}
	return f.slab[len(f.slab) : len(f.slab)+n]
}

// take takes the first n edges in the room that was made.
func (f *finder) take(n int) { f.slab = f.slab[:len(f.slab)+n] }

// sift drops from the current run edges within a tree, and those that come after a
// parallel one which is no heavier.
func (f *finder) sift(tree []uint32) {
	run, n := f.slab[f.start:], 0
	var last edge
	for _, e := range run {
		run[n] = e
		next := n
		if tree[e.u] != tree[e.v] {
			next = n + 1
		}
		if e.u == last.u && e.v == last.v && e.weight >= last.weight {
			next = n
		}
		n, last = next, e
	}
	f.slab = f.slab[:f.start+n]
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
