package mst

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs/internal/phase"
	"gopregel/runtime/cuda"
)

// span is the run of the algorithm on one graph.
type span struct {
	*phase.Run
	ctx      context.Context
	job      *pregel.Job
	g        *graph.Graph
	n        int
	weights  weights
	parent   []uint32 // a tree of vertices for each tree of the forest; roots are their own
	lightest []uint64 // key, of weight and place, of the lightest link found at a root
	rows     []edge   // chosen in the batches so far, ascending
}

const (
	perVertex  = 3       // edges of the first batch
	leastBatch = 1 << 13 // edges
	mostBatch  = 1 << 30
)

// Span finds the forest of the job's graph; a run stopped early has found part
// of its edges.
func Span(ctx context.Context, j *pregel.Job) (Forest, error) {
	if e, ok := j.Engine.(*cuda.Engine); ok {
		return onDevice(ctx, e, j)
	}
	n := j.Graph.N()
	s := &span{Run: phase.New(ctx, j), ctx: ctx, job: j, g: j.Graph, n: n, weights: weightsOf(j.Graph.Out().Weights),
		parent: mem.Make[uint32](n), lightest: mem.Make[uint64](n)}
	for v := range s.parent {
		s.parent[v], s.lightest[v] = uint32(v), none
	}
	if err := s.run(); err != nil {
		return Forest{}, err
	}
	return newForest(j.Graph, s.rows, s.Stop()), s.Err()
}

// newForest returns the forest of some edges, which ascend.
func newForest(g *graph.Graph, rows []edge, stop pregel.Stop) Forest {
	f := Forest{Source: make([]uint32, len(rows)), Target: make([]uint32, len(rows)), Weights: restore(g.Weighted(), rows), Stop: stop}
	for i, e := range rows {
		f.Source[i], f.Target[i] = e.u, e.v
	}
	return f
}

// run takes the edges in batches, each heavier than the ones before and twice
// as large, so that there are O(log m) of them.
func (s *span) run() error {
	for want := float64(max(perVertex*s.n, leastBatch)); s.n > 0; want = min(2*want, mostBatch) {
		limit := s.limit(want)
		edges, err := s.batch(limit)
		if err != nil {
			return err
		}
		b := &boruvka{span: s, edges: edges, chosen: bitmap.New(len(edges))}
		b.run()
		s.rows = merge(s.rows, b.rows())
		if limit == everything || !s.flatten() {
			return s.Err()
		}
	}
	return nil
}

// flatten makes every vertex a child of its root.
func (s *span) flatten() bool {
	return s.Vertices("mst flatten", func(lo, hi uint32, _ *pregel.Worker) {
		for v := lo; v < hi; v++ {
			mem.Store(&s.parent[v], find(s.parent, v))
		}
	})
}

// merge merges two ascending lists of edges.
func merge(a, b []edge) []edge {
	if len(a) == 0 {
		return b
	}
	all := make([]edge, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if x, y := a[0], b[0]; key(x.u, x.v) < key(y.u, y.v) {
			all, a = append(all, x), a[1:]
		} else {
			all, b = append(all, y), b[1:]
		}
	}
	return append(append(all, a...), b...)
}
