package scc

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs/internal/phase"
	"gopregel/programs/wcc"
	"gopregel/runtime/cuda"
)

// SCC is the algorithm; it has no parameters.
type SCC struct{}

// New returns SCC.
func New() pregel.Algorithm { return &SCC{} }

// Run finds the components of the job's graph.
func (*SCC) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	result, err := Components(ctx, j)
	if err != nil {
		return nil, err
	}
	count, largest := census(result.Values)
	return &pregel.Answer{
		Stop:    result.Stop,
		Table:   pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "component", Vertices: result.Values}}},
		Summary: []pregel.Fact{{Name: "components", Value: count}, {Name: "largest", Value: largest}},
	}, nil
}

// census counts the components and the vertices of the largest.
func census(component []uint32) (count, largest int) {
	sizes := make([]uint32, len(component))
	for _, c := range component {
		if c == graph.None {
			continue
		}
		if sizes[c] == 0 {
			count++
		}
		sizes[c]++
		largest = max(largest, int(sizes[c]))
	}
	return count, largest
}

// work is the run of the algorithm on one graph.
type work struct {
	*phase.Run
	ctx       context.Context
	job       *pregel.Job
	n         int
	component []uint32 // graph.None while unknown
	marks     []mark
	slots     []slot // by worker
	pivot     uint32 // an open vertex with many arcs both ways
	open      int    // vertices
}

// mark is what is known of a vertex while the phases run.
type mark = uint8

const (
	open    mark = iota // its component is unknown
	forward             // likewise, and the pivot reaches it
	closed              // its component is known, or the pivot's
)

const (
	trimRounds  = 3       // at most, after the giant
	trimShare   = 32      // a round must close one in so many open vertices to be followed by another
	trimFrom    = 1 << 14 // open vertices
	searchLimit = 1 << 10 // supersteps of one search
)

// Components returns the least vertex of each vertex's component, graph.None
// where the run ended before it was known.
func Components(ctx context.Context, j *pregel.Job) (pregel.Result[uint32], error) {
	if !j.Graph.Directed() {
		return connected(ctx, j)
	}
	n := j.Graph.N()
	if e, ok := j.Engine.(*cuda.Engine); ok && n > 0 {
		return onDevice(ctx, e, j)
	}
	w := &work{Run: phase.New(ctx, j), ctx: ctx, job: j, n: n, open: n, component: mem.Make[uint32](n)}
	for v := range w.component {
		w.component[v] = graph.None
	}
	if n > 0 && !thin(j.Graph.Out()) {
		w.marks = mem.Make[mark](n)
		w.slots = make([]slot, j.Engine.Pool().Workers())
		w.trim("scc trim", w.ends)
		w.giant()
		w.trimMore()
	}
	if w.Going() && w.open > 0 {
		w.Serial("scc finish", func(ctx context.Context, k *pregel.Worker) { k.Arcs += finish(ctx, j.Graph.Out(), w.component) })
	}
	return pregel.Result[uint32]{Values: w.component, Stop: w.Stop()}, w.Err()
}

// connected finds the components of an undirected graph.
func connected(ctx context.Context, j *pregel.Job) (pregel.Result[uint32], error) {
	r, err := (&wcc.WCC{Method: wcc.Afforest}).Components(ctx, j)
	r.Stop.Supersteps = j.Supersteps()
	if r.Stop.Reason != pregel.Halted { // labels are not yet those of components
		for v := range r.Values {
			r.Values[v] = graph.None
		}
	}
	return r, err
}

// Certify checks the components: see certify.SCC.
func (*SCC) Certify(ctx context.Context, g *graph.Graph, t *pregel.Table) error {
	component, err := t.Column("component")
	if err != nil {
		return err
	}
	return certify.SCC(ctx, g, component.Vertices)
}

// OnDevice tells that it runs on a CUDA device.
func (*SCC) OnDevice() bool { return true }

// Renumbered names components by their least vertices.
func (*SCC) Renumbered(_ *graph.Graph, t *pregel.Table) { pregel.LeastLabels(t.Columns[0].Vertices) }
