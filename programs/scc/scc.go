package scc

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/programs/internal/census"
	"gopregel/programs/internal/phase"
	"gopregel/programs/wcc"
	"gopregel/runtime/cuda"
)

// SCC is the algorithm; it has no parameters. Tests ask for a way to go about a graph.
type SCC struct {
	way  way
	arcs uint64 // of a district; 0: districtArcs
}

// way is how to go about a graph.
type way uint8

const (
	byChoice way = iota
	byPhases
	byDistricts
)

// New returns SCC.
func New() pregel.Algorithm { return &SCC{} }

// Run finds the components of the job's graph.
func (s *SCC) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	result, found, err := s.components(ctx, j)
	if err != nil {
		return nil, err
	}
	if found == (tally{}) || result.Stop.Reason != pregel.Halted {
		found.Components, found.Largest = census.Of(result, j.Engine.Pool().Workers())
	}
	return &pregel.Answer{
		Stop: result.Stop, Ordered: result.Ordered,
		Table:   pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "component", Vertices: result.Values}}},
		Summary: []pregel.Fact{{Name: "components", Value: found.Components}, {Name: "largest", Value: found.Largest}},
	}, nil
}

// A tally is of components.
type tally struct {
	Components int
	Largest    int // vertices of the largest
}

// add counts so many components of a size.
func (t *tally) add(components, size int) {
	if t.Components += components; components > 0 {
		t.Largest = max(t.Largest, size)
	}
}

// work is the run of the algorithm on one graph. The rest of it depends on at, the
// columns and search alone (kept).
type work struct {
	*phase.Run
	ctx       context.Context
	job       *pregel.Job
	asked     SCC
	at        place
	component []uint32 // graph.None while unknown
	marks     []mark
	parts     districts
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
	Found tally  // but for what deep has
}

// A stage is a phase, or a program, and what has to be done to know the next.
type stage uint8

const (
	trimming stage = iota
	searchingForward
	searchingBackward
	reopening
	labelling
	trimmingMore
	dividing
	joining
	naming
	finishing
	done
)

var stages = [...]func(*work){(*work).trimFirst, (*work).forward, (*work).backward, (*work).reopen, (*work).label, (*work).trimMore, (*work).divide, (*work).join, (*work).name, (*work).finish}

// mark is what is known of a vertex while the phases run.
type mark = uint8

const (
	open    mark = iota // its component is unknown
	forward             // likewise, and the pivot reaches it
	giant               // it is in the pivot's component, which it has yet to be told
	closed              // its component is known
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
	r, _, err := new(SCC).components(ctx, j)
	return r, err
}

// components is Components with a tally of them, if that has been kept.
func (s *SCC) components(ctx context.Context, j *pregel.Job) (r pregel.Result[uint32], found tally, err error) {
	if !j.Graph.Directed() {
		r, err = connected(ctx, j)
		return r, found, err
	}
	if e, ok := j.Engine.(*cuda.Engine); ok && j.Graph.N() > 0 {
		r, err = onDevice(ctx, e, j)
		return r, found, err
	}
	w := &work{Run: phase.New(ctx, j), ctx: ctx, job: j, asked: *s, slots: make([]slot, j.Engine.Pool().Workers()), deep: tarjan{out: j.Graph.Out()}}
	resumed, err := j.Continue(w.kept()...)
	if err != nil {
		return r, found, err
	}
	if !resumed {
		w.begin(j.Graph)
	}
	w.deep.component = w.component
	for w.at.Stage != done && w.Commit(nil, w.kept()...) {
		stages[w.at.Stage](w)
	}
	w.deep.end()
	found = w.at.Found
	found.add(w.deep.at.Found.Components, w.deep.at.Found.Largest)
	return pregel.Result[uint32]{Values: w.component, Stop: w.Stop()}, found, w.Err()
}

func (w *work) kept() []any {
	return append(w.deep.parts(), &w.at, &w.component, &w.marks, &w.parts.names, &w.parts.sizes, &w.parts.bridges)
}

// begin sets the first values, and chooses the way.
func (w *work) begin(g *graph.Graph) {
	w.at.Open, w.component = g.N(), mem.Take[uint32](g.N())
	parallel.Range(len(w.slots), g.N(), 1<<16, func(_, lo, hi int) { mem.Fill(w.component[lo:hi], graph.None) })
	if g.N() == 0 {
		w.at.Stage = done
		return
	}
	w.at.Led = w.asked.choose(g)
	switch w.at.Led.Rule {
	case isThin, isSmall, isSparse:
		w.rest(w.at.Led)
	case isNear:
		w.at.Stage = dividing
	default:
		w.marks = mem.Take[mark](g.N())
	}
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

// Renumbered names components by their least vertices, unless the device has.
func (*SCC) Renumbered(_ context.Context, j *pregel.Job, a *pregel.Answer) error {
	if a.Ordered {
		return nil
	}
	pregel.LeastLabels(j.Engine.Pool().Workers(), a.Table.Columns[0].Vertices)
	return nil
}
