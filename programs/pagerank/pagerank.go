// Package pagerank ranks vertices by the stationary distribution of a surfer
// who follows links and sometimes jumps anywhere.
//
// Result: rank(v), a probability; all sum to 1.
//
//	rank'(v) = (1-d)/n + d·(Σ rank(u)/outdeg(u) + S/n)   over arcs u → v,
//
// d being the damping and S the rank held by sinks, vertices without out-arcs,
// whose surfer jumps anywhere (the rule of LDBC Graphalytics). It starts from
// 1/n. Duplicate arcs count as often as they occur, self-loops as any arc; in an
// undirected graph an edge is followed both ways.
//
// It ends when the L1 change Σ|rank'-rank| of a superstep is at most the
// tolerance, or after exactly the given number of iterations.
//
// Invariant: Σ rank = 1 after every superstep.
// Cost: O(n + m) a superstep; the change falls by the factor d or faster.
// (Brin and Page, The Anatomy of a Large-Scale Hypertextual Web Search Engine,
// 1998; there sinks are left out of the graph.)
package pagerank

import (
	"context"
	"math"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
)

// PageRank is the algorithm and its parameters.
type PageRank struct {
	Damping    float64 `param:"damping" doc:"probability of following a link rather than jumping" min:"0" max:"1"`
	Tolerance  float64 `param:"tolerance" doc:"stop when the ranks change by no more than this in all (L1 norm); 0: never" min:"0"`
	Iterations int     `param:"iterations" doc:"do exactly this many iterations, whatever the change; 0: until the tolerance" min:"0"`
}

// New returns PageRank with its default parameters.
func New() pregel.Algorithm { return &PageRank{Damping: 0.85, Tolerance: 1e-9} }

// DefaultMaxSupersteps bounds a run that is to converge.
func (p *PageRank) DefaultMaxSupersteps() int { return max(1000, p.Iterations) }

// program is one computation; V and M are ranks.
type program struct {
	*PageRank
	n      float64
	sinks  *pregel.Aggregator[float64] // rank held by sinks
	change *pregel.Aggregator[float64] // Σ|rank'-rank|
}

func (*program) Name() string { return "pagerank" }

func (p *program) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Sum[float64](), Silent: true}
}

func (p *program) Setup(s *pregel.Setup) error {
	p.n = float64(s.Graph.N())
	p.sinks = pregel.NewAggregator(s, pregel.Sum[float64]())
	p.change = pregel.NewAggregator(s, pregel.Sum[float64]())
	return nil
}

func (p *program) Init(v pregel.Vertex[float64]) (float64, bool) {
	rank := 1 / p.n
	p.countSink(v.Place, rank)
	return rank, true
}

func (p *program) Emit(v pregel.Vertex[float64]) float64 {
	return v.Value / float64(v.OutDegree)
}

func (p *program) Apply(v pregel.Vertex[float64], sum float64, _ bool) (float64, bool) {
	rank := (1-p.Damping)/p.n + p.Damping*(sum+p.sinks.Last()/p.n)
	p.change.Add(v.Place, math.Abs(rank-v.Value))
	p.countSink(v.Place, rank)
	return rank, true
}

func (p *program) countSink(at pregel.Place, rank float64) {
	if at.OutDegree == 0 {
		p.sinks.Add(at, rank)
	}
}

func (p *program) Barrier(s *pregel.Step) {
	switch {
	case p.Iterations > 0 && s.Superstep+1 == p.Iterations:
		s.Metric("L1 change", p.change.Last(), 0)
		s.Halt()
	case p.Iterations > 0 || s.Superstep < 0:
		s.Metric("L1 change", p.change.Last(), 0)
	default:
		s.Metric("L1 change", p.change.Last(), p.Tolerance)
	}
}

// Rank computes the ranks of the job's graph.
func (p *PageRank) Rank(ctx context.Context, j *pregel.Job) (pregel.Result[float64], error) {
	return pregel.RunEdge(ctx, j, &program{PageRank: p})
}

// Run computes the ranks of the job's graph.
func (p *PageRank) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	result, err := p.Rank(ctx, j)
	if err != nil {
		return nil, err
	}
	sum := 0.0
	for _, rank := range result.Values {
		sum += rank
	}
	return &pregel.Answer{
		Stop:    result.Stop,
		Table:   pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "rank", Floats: result.Values}}},
		Summary: []pregel.Fact{{Name: "sum of ranks", Value: sum}},
	}, nil
}

// Certify checks that the ranks solve the equation to the tolerance, or, after
// a number of iterations, that recomputing those gives them.
func (p *PageRank) Certify(ctx context.Context, g *graph.Graph, t *pregel.Table) error {
	rank, err := t.Column("rank")
	if err != nil {
		return err
	}
	if p.Iterations > 0 {
		return certify.PageRankSteps(ctx, g, rank.Floats, p.Damping, p.Iterations, 1e-9)
	}
	return certify.PageRank(ctx, g, rank.Floats, p.Damping, p.Tolerance)
}
