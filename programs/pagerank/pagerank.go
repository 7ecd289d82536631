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
// tolerance; when rounding keeps it from falling that far (settle.go: halted, not
// converged); or after exactly the given number of iterations. On a GPU these tell the change of the last one
// alone where nobody looks at each (pregel.Job.Unmeasured), or keeps checkpoints: the others leave no ranks behind, only what is offered.
//
// Invariant: Σ rank = 1 after every superstep.
// Cost: O(n + m) a superstep; the change falls by the factor d or faster.
// (Brin and Page, The Anatomy of a Large-Scale Hypertextual Web Search Engine,
// 1998; there sinks are left out of the graph.)
package pagerank

import (
	"context"
	"fmt"
	"math"

	"gopregel/kernels"
	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// PageRank is the algorithm and its parameters.
type PageRank struct {
	Damping    float64 `param:"damping" doc:"probability of following a link rather than jumping" min:"0" max:"1"`
	Tolerance  float64 `param:"tolerance" doc:"stop when the ranks change by no more than this in all (L1 norm), or rounding lets them change by no less; 0: never" min:"0"`
	Iterations int     `param:"iterations" doc:"do exactly this many iterations, whatever the change; 0: until the tolerance" min:"0"`
	Precision  string  `param:"precision" doc:"of ranks: float32 halves the memory read, and is good for about six digits" enum:"float64,float32"`
}

// The precisions.
const (
	Float64 = "float64"
	Float32 = "float32"
)

// New returns PageRank with its default parameters.
func New() pregel.Algorithm { return &PageRank{Damping: 0.85, Tolerance: 1e-9, Precision: Float64} }

// DefaultMaxSupersteps bounds a run that is to converge.
func (p *PageRank) DefaultMaxSupersteps() int { return max(1000, p.Iterations) }

// program is one computation, with ranks of type R.
type program[R float32 | float64] struct {
	*PageRank
	n      float64
	first  R                           // rank of all
	base   float64                     // what a vertex has by jumps: (1-damping)/n
	least  R                           // base as a rank: if it is above 0, any sink holds something
	share  float64                     // of what sinks hold: damping/n
	sinks  *pregel.Aggregator[float64] // rank held by sinks
	change *pregel.Aggregator[float64] // Σ|rank'-rank|
	floor  floor
}

func (*program[R]) Name() string { return "pagerank" }

func (p *program[R]) Spec() pregel.Spec[R] {
	return pregel.Spec[R]{Combine: pregel.Sum[R](), Silent: true, Local: true}
}

// Present names the value in a trace.
func (*program[R]) Present() pregel.Presentation {
	return pregel.Presentation{Columns: []string{"rank"}}
}

func (p *program[R]) Setup(s *pregel.Setup) error {
	p.n = float64(s.Graph.N())
	p.first = R(1 / p.n)
	p.base, p.share = (1-p.Damping)/p.n, p.Damping/p.n
	p.least = R(p.base)
	p.sinks = pregel.NewAggregator(s, pregel.Sum[float64]())
	p.change = pregel.NewAggregator(s, pregel.Sum[float64]())
	p.floor = floor{Least: math.Inf(1)}
	pregel.Keep(s, &p.floor)
	return nil
}

func (p *program[R]) Init(v pregel.Vertex[R]) (R, bool) {
	p.countSink(v.Place, p.first)
	return p.first, true
}

// InitBlock is Init for a block.
func (p *program[R]) InitBlock(b *pregel.Block[R]) (awake, settled uint64) {
	for i := range b.Values {
		b.Values[i] = p.first
	}
	p.sinks.AddBlock(b.First, mem.SumEmpty(b.Values, b.Offsets()))
	return 1<<len(b.Values) - 1, 0
}

func (p *program[R]) Emit(v pregel.Vertex[R]) R { return pregel.Share(v) }

func (p *program[R]) Apply(v pregel.Vertex[R], sum R, _ bool) (R, bool) {
	rank := R(p.base + p.share*p.sinks.Last() + float64(p.Damping*float64(sum)))
	p.change.Add(v.Place, math.Abs(float64(rank)-float64(v.Value)))
	p.countSink(v.Place, rank)
	return rank, true
}

// EmitBlock is Emit for a block.
func (p *program[R]) EmitBlock(b *pregel.Block[R], offers []R) { pregel.Shares(b, offers) }

// ApplyBlock is Apply for blocks. Where there are no sinks it looks for none.
func (p *program[R]) ApplyBlock(b *pregel.Block[R], sums []R, awake []uint64) {
	base, sinks := p.base+p.share*p.sinks.Last(), p.sinks.Last() != 0 || p.least == 0
	for k := range awake {
		lo, hi := k*pregel.BlockSize, min((k+1)*pregel.BlockSize, len(sums))
		at, ranks, sums := b.Place(lo), b.Values[lo:hi], sums[lo:hi]
		if awake[k] = 1<<len(sums) - 1; sinks {
			change, held := mem.AffineEmpty(ranks, sums, b.Offsets().Slice(uint32(lo), len(sums)), base, p.Damping)
			p.change.AddBlock(at, change)
			p.sinks.AddBlock(at, held)
		} else {
			p.change.AddBlock(at, mem.Affine(ranks, sums, base, p.Damping))
		}
	}
}

func (p *program[R]) countSink(at pregel.Place, rank R) {
	if at.OutDegree == 0 {
		p.sinks.Add(at, float64(rank))
	}
}

func (p *program[R]) Barrier(s *pregel.Step) {
	switch change := p.change.Last(); {
	case p.Iterations > 0:
		last := s.Superstep+1 == p.Iterations
		if last || !math.IsNaN(change) { // it is before the last where nobody knows: pregel.NamedTally
			s.Metric("L1 change", change, 0)
		}
		if last {
			s.Halt()
		}
	case s.Superstep < 0:
		s.Metric("L1 change", change, 0)
	default:
		s.Metric("L1 change", p.change.Last(), p.Tolerance)
		if p.Tolerance > 0 && p.floor.reached(p.change.Last(), p.Damping) {
			s.Halt()
		}
	}
}

// Twin is the program in CUDA.
func (p *program[R]) Twin() pregel.Twin {
	return pregel.Twin{Name: "pagerank.cu", Source: kernels.Functions("pagerank"),
		Params:  struct{ N, Damping, Base, Share float64 }{p.n, p.Damping, p.base, p.share},
		Tallies: []pregel.NamedTally{{Name: "sinks", Tally: p.sinks}, {Name: "change", Tally: p.change, Change: true}},
		Local:   true, Anew: true, Steps: p.Iterations}
}

// Rank computes the ranks of the job's graph.
func (p *PageRank) Rank(ctx context.Context, j *pregel.Job) (pregel.Result[float64], error) {
	r, _, err := p.rank(ctx, j)
	return r, err
}

// rank is Rank, with the sum of ranks.
func (p *PageRank) rank(ctx context.Context, j *pregel.Job) (pregel.Result[float64], float64, error) {
	run := p.inDouble
	if p.Precision == Float32 {
		run = p.inSingle
	}
	r, err := run(ctx, j)
	return r, total(r.Values, j.Engine.Pool().Workers()), err
}

func (p *PageRank) inDouble(ctx context.Context, j *pregel.Job) (pregel.Result[float64], error) {
	return pregel.RunEdge(ctx, j, &program[float64]{PageRank: p}, pregel.WithUserOrder())
}

// inSingle finds ranks in float32. They and their offers lie where the answer is then made.
func (p *PageRank) inSingle(ctx context.Context, j *pregel.Job) (pregel.Result[float64], error) {
	wide := mem.Take[float64](j.Graph.N() + besides)
	r, err := pregel.RunEdge(ctx, j, &program[float32]{PageRank: p}, pregel.WithMemory(mem.Bytes(wide)), pregel.WithUserOrder())
	if err != nil { // workers may have been left behind, at work there
		wide = make([]float64, len(r.Values))
	}
	wide = wide[:len(r.Values)]
	widen(wide, r.Values, j.Engine.Pool().Workers())
	return pregel.Result[float64]{Values: wide, Stop: r.Stop, Ordered: r.Ordered}, err
}

// besides is how many numbers of float64 are room for what offers take beside those of n
// vertices: one that is nobody's, and the way to the next cache line.
const besides = 16

const piece = 1 << 14 // vertices

// total is the sum of ranks, added up in pieces that do not depend on the workers.
func total(ranks []float64, workers int) (sum float64) {
	sums := make([]float64, (len(ranks)+piece-1)/piece)
	parallel.Range(workers, len(ranks), piece, func(_, lo, hi int) { sums[lo/piece] = sumOf(ranks[lo:hi]) })
	for _, x := range sums {
		sum += x
	}
	return sum
}

// sumOf adds up in four lanes, by turns: each addition waits for the one before.
func sumOf(list []float64) float64 {
	var a, b, c, d float64
	for ; len(list) >= 4; list = list[4:] {
		a += list[0]
		b += list[1]
		c += list[2]
		d += list[3]
	}
	for _, x := range list {
		a += x
	}
	return (a + b) + (c + d)
}

// Run computes the ranks of the job's graph.
func (p *PageRank) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	result, sum, err := p.rank(ctx, j)
	if err != nil {
		return nil, err
	}
	return &pregel.Answer{
		Stop: result.Stop, Ordered: result.Ordered,
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
	switch {
	case p.Iterations > 0 && p.Precision == Float32:
		return certify.PageRankSteps(ctx, g, rank.Floats, p.Damping, p.Iterations, float32Rounding)
	case p.Iterations > 0:
		return certify.PageRankSteps(ctx, g, rank.Floats, p.Damping, p.Iterations, 1e-9)
	case p.Precision == Float32:
		return p.certifySingle(ctx, g, rank.Floats)
	}
	return certify.PageRank(ctx, g, rank.Floats, p.Damping, p.Tolerance)
}

// float32Rounding is how much of itself a rank of float32 may be off by. Sums of
// n ranks are off by about sqrt(n)·6e-8 in the mean.
const float32Rounding = 2e-4

// certifySingle checks ranks of float32: that they solve the equation to the
// tolerance and their rounding.
func (p *PageRank) certifySingle(ctx context.Context, g *graph.Graph, rank []float64) error {
	residual, _, err := certify.PageRankResidual(ctx, g, rank, p.Damping)
	if err == nil && !(residual <= p.Tolerance+float32Rounding) {
		err = &certify.Violation{Answer: "pagerank", Where: "all vertices", Found: fmt.Sprintf("a residual of %.3g", residual),
			Want: fmt.Sprintf("at most %.3g, and %g for ranks of float32", p.Tolerance, float32Rounding)}
	}
	return err
}

// Resumes tells that it goes on from checkpoints.
func (*PageRank) Resumes(bool) bool { return true }

// OnDevice tells that it runs on a CUDA device.
func (*PageRank) OnDevice() bool { return true }

// Renumbered has nothing to mend: sums are added up in another order.
func (*PageRank) Renumbered(context.Context, *pregel.Job, *pregel.Answer) error { return nil }
