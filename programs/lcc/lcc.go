package lcc

import (
	"context"
	"math"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
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

// Run computes the coefficients of the job's graph.
func (*LCC) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	counts, err := Count(ctx, j)
	if err != nil {
		return nil, err
	}
	coefficient := make([]float64, j.Graph.N())
	sum, arcs := 0.0, uint64(0)
	for v := range coefficient {
		if counts.Arcs == nil {
			coefficient[v] = math.Inf(1)
			continue
		}
		coefficient[v] = counts.Coefficient(uint32(v))
		sum += coefficient[v]
		arcs += counts.Arcs[v]
	}
	answer := &pregel.Answer{
		Stop:  counts.Stop,
		Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "coefficient", Floats: coefficient}}},
	}
	if counts.Arcs != nil && len(coefficient) > 0 {
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
	for int(c.at.Stage) < len(stages) && c.Commit(c.gather, c.parts()...) {
		if stages[c.at.Stage](c) {
			c.at.Stage++
		}
	}
	if !c.Going() {
		c.answer = nil
	}
	return Counts{Arcs: c.answer, Degree: c.degree, Stop: c.Stop()}, c.Err()
}

// stages are the phases, with what has to be done to begin the next.
var stages = [...]func(*count) bool{(*count).degrees, (*count).order, (*count).measure, (*count).build, (*count).turn, (*count).triangles, (*count).sum}

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
func (*LCC) Renumbered(*graph.Graph, *pregel.Table) {}
