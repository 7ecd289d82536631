package lcc

import (
	"context"
	"math"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
	"gopregel/programs/internal/phase"
)

// LCC is the algorithm; it has no parameters.
type LCC struct{}

// New returns LCC.
func New() pregel.Algorithm { return &LCC{} }

// Counts are the numbers of which coefficients are made, by vertex.
type Counts struct {
	Arcs   []uint64 // t(v): arcs between neighbours of v; nil when the run was stopped before they were known
	Degree []uint32 // d: neighbours
	Stop   pregel.Stop
}

// Coefficient returns the coefficient of v.
func (c *Counts) Coefficient(v uint32) float64 {
	d := float64(c.Degree[v])
	if d < 2 {
		return 0
	}
	return float64(c.Arcs[v]) / (d * (d - 1))
}

// coefficients returns those of all vertices, and their sum, added up in pieces that do
// not depend on the workers. They take the place of c.Arcs, number by number; where
// those are not known they are infinite.
func (c *Counts) coefficients(workers int) (list []float64, sum float64) {
	if len(c.Arcs) == 0 {
		return unknown(len(c.Degree)), math.Inf(1)
	}
	list = mem.View[float64](mem.Bytes(c.Arcs))
	sums := make([]float64, (len(list)+coefficientPiece-1)/coefficientPiece)
	parallel.Range(workers, len(list), coefficientPiece, func(_, lo, hi int) {
		sum := 0.0
		for v := lo; v < hi; v++ {
			if c.Arcs[v] != 0 { // else it is 0 in either form
				list[v] = c.Coefficient(uint32(v))
				sum += list[v]
			}
		}
		sums[lo/coefficientPiece] = sum
	})
	c.Arcs = nil
	for _, x := range sums {
		sum += x
	}
	return list, sum
}

func unknown(n int) []float64 {
	list := mem.Make[float64](n)
	for v := range list {
		list[v] = math.Inf(1)
	}
	return list
}

const coefficientPiece = 1 << 14 // vertices

// Run computes the coefficients of the job's graph.
func (*LCC) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	counts, err := Count(ctx, j)
	if err != nil {
		return nil, err
	}
	known := counts.Arcs != nil
	coefficient, sum := counts.coefficients(j.Engine.Pool().Workers())
	mem.Give(counts.Degree)
	answer := &pregel.Answer{
		Stop:  counts.Stop,
		Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "coefficient", Floats: coefficient}}},
	}
	if known && len(coefficient) > 0 {
		answer.Summary = []pregel.Fact{{Name: "mean coefficient", Value: sum / float64(len(coefficient))}}
	}
	return answer, nil
}

// Count counts the arcs between the neighbours of each vertex.
func Count(ctx context.Context, j *pregel.Job) (Counts, error) {
	c := &count{Run: phase.New(ctx, j), job: j, g: j.Graph, n: j.Graph.N(), slots: make([]slot, j.Engine.Pool().Workers())}
	c.degree = mem.Make[uint32](c.n)
	if _, err := j.Continue(c.parts()...); err != nil {
		return Counts{}, err
	}
	for int(c.at.Stage) < len(c.stages()) && c.Commit(c.gather, c.parts()...) {
		if c.stages()[c.at.Stage](c) {
			c.at.Stage++
		}
	}
	if !c.Going() {
		c.answer = nil
	}
	return Counts{Arcs: c.answer, Degree: c.degree, Stop: c.Stop()}, c.Err()
}

// The phases, with what has to be done to begin the next.
var (
	ranked = []func(*count) bool{(*count).degrees, (*count).order, (*count).measure, (*count).build, (*count).turn, (*count).triangles, (*count).sum}
	byID   = []func(*count) bool{(*count).degrees, (*count).trianglesByID}
)

func (c *count) stages() []func(*count) bool {
	if c.at.Thin {
		return byID
	}
	return ranked
}

const (
	certifyReads  = 1 << 33 // arcs; to check all vertices beyond that would take minutes
	certifySample = 1 << 10 // vertices
)

// Certify counts again, for all vertices or, when that would take minutes, for
// a sample: see certify.LCC.
func (*LCC) Certify(ctx context.Context, g *graph.Graph, t *pregel.Table) error {
	coefficient, err := t.Column("coefficient")
	if err != nil {
		return err
	}
	sample, reads := 0, 0.0
	for v := range uint32(g.N()) {
		d := float64(g.Out().Degree(v))
		if g.Directed() {
			d += float64(g.In().Degree(v))
		}
		reads += d * d
	}
	if reads > certifyReads {
		sample = certifySample
	}
	return certify.LCC(ctx, g, coefficient.Floats, sample)
}

// Resumes tells that it goes on from checkpoints on the CPU.
func (*LCC) Resumes(device bool) bool { return !device }

// Renumbered has nothing to mend.
func (*LCC) Renumbered(context.Context, *pregel.Job, *pregel.Answer) error { return nil }
