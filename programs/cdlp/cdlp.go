// Package cdlp finds communities by label propagation, in the synchronous and
// deterministic form of LDBC Graphalytics.
//
// Result: label(v), a vertex: the name of v's community. Every label begins as
// the vertex itself; in each of a fixed number of iterations
//
//	label'(v) = the label most frequent among those of v's neighbours, the least of them on ties
//
// all at once. In a directed graph neighbours along out-arcs and along in-arcs
// count, and one joined both ways counts twice. Duplicate arcs count as often
// as they occur; self-loops do not count. A vertex without neighbours keeps its
// label. Ties go to the least vertex, which is the one of least id.
//
// Method: every vertex collects its neighbours' labels; few are sorted, many
// are counted in a hash table. An iteration that changes nothing ends the run,
// as those after it would change nothing either.
//
// Cost: O(n + m) an iteration, expected. Labels may swing between two states
// for ever, so there is no tolerance to reach.
//
// (Raghavan, Albert, Kumara, Near Linear Time Algorithm to Detect Community
// Structures in Large-scale Networks, 2007; there vertices change one after the
// other and ties are broken at random.)
package cdlp

import (
	"context"
	"slices"
	"sync"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/programs/internal/census"
)

// CDLP is the algorithm and its parameters.
type CDLP struct {
	Iterations int `param:"iterations" doc:"do exactly this many iterations" min:"0"`
}

// New returns CDLP with its default parameters.
func New() pregel.Algorithm { return &CDLP{Iterations: 10} }

// program is one computation; V and M are labels.
type program struct {
	iterations int
	g          *graph.Graph
	loops      bool // g has self-loops
	changed    *pregel.Aggregator[uint64]
	tables     *sync.Pool // of *table
}

func (*program) Name() string { return "cdlp" }

func (*program) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Along: pregel.BothEdges, Silent: true}
}

func (p *program) Setup(s *pregel.Setup) error {
	p.g = s.Graph
	p.loops = s.Graph.Loops() > 0
	p.changed = pregel.NewAggregator(s, pregel.Sum[uint64]())
	p.tables = &sync.Pool{New: func() any { return new(table) }}
	return nil
}

// Present names the value in a trace.
func (*program) Present() pregel.Presentation {
	return pregel.Presentation{Columns: []string{"label"}, Vertices: []string{"label"}, Message: true}
}

func (*program) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true }

func (*program) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value }

// ApplyAll gives v the label of most of its neighbours.
func (p *program) ApplyAll(v pregel.Vertex[uint32], labels []uint32) (uint32, bool) {
	if p.loops {
		labels = p.others(v.ID, labels)
	}
	if len(labels) == 0 {
		return v.Value, true
	}
	label := p.mode(labels)
	if label != v.Value {
		p.changed.Add(v.Place, 1)
	}
	return label, true
}

// others takes out the labels that v has sent to itself. All vertices are
// awake, so there is a label for each arc, in the order of arcs.
func (p *program) others(v uint32, labels []uint32) []uint32 {
	lists := [][]uint32{p.g.Out().Neighbors(v)}
	if p.g.Directed() {
		lists = append(lists, p.g.In().Neighbors(v))
	}
	kept := labels[:0]
	for _, list := range lists {
		lo, _ := slices.BinarySearch(list, v)
		hi := lo
		for hi < len(list) && list[hi] == v {
			hi++
		}
		kept = append(kept, labels[:lo]...)
		kept = append(kept, labels[hi:len(list)]...)
		labels = labels[len(list):]
	}
	return kept
}

func (p *program) Barrier(s *pregel.Step) {
	s.Metric("labels changed", float64(p.changed.Last()), 0)
	if s.Superstep+1 >= p.iterations || s.Superstep >= 0 && p.changed.Last() == 0 {
		s.Halt()
	}
}

// Labels computes the labels of the job's graph.
func (c *CDLP) Labels(ctx context.Context, j *pregel.Job) (pregel.Result[uint32], error) {
	return pregel.RunCollector(ctx, j, &program{iterations: c.Iterations})
}

// Run computes the labels of the job's graph.
func (c *CDLP) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	result, err := c.Labels(ctx, j)
	if err != nil {
		return nil, err
	}
	count, largest := census.Labels(result.Values)
	return &pregel.Answer{
		Stop:    result.Stop,
		Table:   pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "label", Vertices: result.Values}}},
		Summary: []pregel.Fact{{Name: "communities", Value: count}, {Name: "largest", Value: largest}},
	}, nil
}

// Certify does the iterations again: see certify.CDLP.
func (c *CDLP) Certify(ctx context.Context, g *graph.Graph, t *pregel.Table) error {
	label, err := t.Column("label")
	if err != nil {
		return err
	}
	return certify.CDLP(ctx, g, label.Vertices, c.Iterations)
}

// Resumes tells that it goes on from checkpoints, on the CPU.
func (*CDLP) Resumes(device bool) bool { return !device }
