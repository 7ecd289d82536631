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

// work is the run of the algorithm on one graph. The rest of it depends on at, the
// columns and search alone (parts).
type work struct {
	*phase.Run
	ctx       context.Context
	job       *pregel.Job
	at        place
	component []uint32 // graph.None while unknown
	marks     []mark
	deep      tarjan
	slots     []slot // by worker
}

// place is where a run is.
type place struct {
	Stage stage
	Open  int    // vertices
	Pivot uint32 // an open vertex with many arcs both ways
	Least uint32 // vertex of the pivot's component
	Round int    // of trimming after the giant
	Led   led    // to the stage
}

// A stage is a phase, or a program, and what has to be done to know the next.
type stage uint8

const (
	trimming stage = iota
	searchingForward
	searchingBackward
	reopening
	collecting
	labelling
	trimmingMore
	finishing
	done
)

var stages = [...]func(*work){(*work).trimFirst, (*work).forward, (*work).backward, (*work).reopen, (*work).collect, (*work).label, (*work).trimMore, (*work).finish}

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
	if e, ok := j.Engine.(*cuda.Engine); ok && j.Graph.N() > 0 {
		return onDevice(ctx, e, j)
	}
	w := &work{Run: phase.New(ctx, j), ctx: ctx, job: j, slots: make([]slot, j.Engine.Pool().Workers()), deep: tarjan{out: j.Graph.Out()}}
	resumed, err := j.Continue(w.parts()...)
	if err != nil {
		return pregel.Result[uint32]{}, err
	}
	if !resumed {
		w.begin(j.Graph)
	}
	for w.at.Stage != done && w.Commit(nil, w.parts()...) {
		stages[w.at.Stage](w)
	}
	return pregel.Result[uint32]{Values: w.component, Stop: w.Stop()}, w.Err()
}

func (w *work) parts() []any {
	return append(w.deep.parts(), &w.at, &w.component, &w.marks)
}

// begin sets the first values.
func (w *work) begin(g *graph.Graph) {
	w.at.Open, w.component = g.N(), mem.Make[uint32](g.N())
	for v := range w.component {
		w.component[v] = graph.None
	}
	if g.N() == 0 {
		w.at.Stage = done
		return
	}
	if w.at.Led = thin(g.Out()); w.at.Led.Rule == isThin {
		w.rest(w.at.Led)
		return
	}
	w.marks = mem.Make[mark](g.N())
}

// rest goes to the last stage, if anything is left.
func (w *work) rest(why led) {
	mem.Give(w.marks)
	w.marks, w.at.Stage, w.at.Led = nil, finishing, why
	if w.at.Open == 0 {
		w.at.Stage = done
	}
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

// Resumes tells that it goes on from checkpoints.
func (*SCC) Resumes(bool) bool { return true }

// OnDevice tells that it runs on a CUDA device.
func (*SCC) OnDevice() bool { return true }

// Renumbered names components by their least vertices.
func (*SCC) Renumbered(_ context.Context, j *pregel.Job, a *pregel.Answer) error {
	pregel.LeastLabels(j.Engine.Pool().Workers(), a.Table.Columns[0].Vertices)
	return nil
}
