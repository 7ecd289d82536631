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

// Counts are the numbers of which coefficients are made, by vertex; nil when the run was
// stopped before they were known.
type Counts struct {
	Arcs   []uint64 // t(v): arcs between neighbours of v
	Degree []uint32 // d: neighbours
	Stop   pregel.Stop
}

// Coefficient returns the coefficient of v.
func (c *Counts) Coefficient(v uint32) float64 { return coefficient(c.Arcs[v], uint64(c.Degree[v])) }

func coefficient(arcs, degree uint64) float64 {
	if degree < 2 {
		return 0
	}
	return float64(arcs) / (float64(degree) * float64(degree-1))
}

// coefficients returns those of all vertices, and their sum, added up in pieces that do
// not depend on the workers. They take the place of the answer, number by number.
func (c *count) coefficients() (list []float64, sum float64) {
	arcs, degree, offsets := c.answer, c.degree, c.g.Out().Offsets
	list = mem.View[float64](mem.Bytes(arcs))
	if c.at.Thin && c.at.Closed == 0 { // all are 0
		return list, 0
	}
	sums := make([]float64, (len(list)+coefficientPiece-1)/coefficientPiece)
	parallel.Range(len(c.slots), len(list), coefficientPiece, func(_, lo, hi int) {
		sum := 0.0
		for v := lo; v < hi; v++ {
			if arcs[v] == 0 { // it is 0 in either form
				continue
			}
			d := offsets.Degree(uint32(v)) // of a thin or even graph
			if len(degree) > 0 {
				d = uint64(degree[v])
			}
			list[v] = coefficient(arcs[v], d)
			sum += list[v]
		}
		sums[lo/coefficientPiece] = sum
	})
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
	c, err := run(ctx, j)
	if err != nil {
		return nil, err
	}
	answer := &pregel.Answer{Stop: c.Stop()}
	column := pregel.Column{Name: "coefficient"}
	if c.answer == nil {
		column.Floats = unknown(c.n)
	} else {
		sum := 0.0
		if column.Floats, sum = c.coefficients(); c.n > 0 {
			answer.Summary = []pregel.Fact{{Name: "mean coefficient", Value: sum / float64(c.n)}}
		}
	}
	mem.Give(c.degree)
	answer.Table = pregel.Table{PerVertex: true, Columns: []pregel.Column{column}}
	return answer, nil
}

// Count counts the arcs between the neighbours of each vertex.
func Count(ctx context.Context, j *pregel.Job) (Counts, error) {
	c, err := run(ctx, j)
	if err != nil || c.answer == nil {
		return Counts{Stop: c.Stop()}, err
	}
	if len(c.degree) == 0 {
		c.degree = make([]uint32, c.n)
		for v := range c.degree {
			c.degree[v] = uint32(c.g.Out().Degree(uint32(v)))
		}
	}
	return Counts{Arcs: c.answer, Degree: c.degree, Stop: c.Stop()}, nil
}

// run counts the arcs; the answer is nil when it was stopped before.
func run(ctx context.Context, j *pregel.Job) (*count, error) {
	c := &count{Run: phase.New(ctx, j), job: j, g: j.Graph, n: j.Graph.N(), slots: make([]slot, j.Engine.Pool().Workers())}
	resumed, err := j.Continue(c.parts()...)
	if err != nil {
		return c, err
	}
	c.lower.Offsets = c.lowerRows.offsets()
	if !resumed {
		c.at.Thin, c.at.Even = shape(c.g, len(c.slots))
	}
	for int(c.at.Stage) < len(c.stages()) && c.Commit(c.gather, c.parts()...) {
		if c.stages()[c.at.Stage](c) {
			c.at.Stage++
		}
	}
	if !c.Going() {
		c.answer = nil
	}
	return c, c.Err()
}

// The phases, with what has to be done to begin the next.
var (
	ranked = []func(*count) bool{(*count).degrees, (*count).order, (*count).measure, (*count).build, (*count).triangles, (*count).sum}
	byID   = []func(*count) bool{(*count).trianglesByID, (*count).simple}
	marked = []func(*count) bool{(*count).look, (*count).trianglesEven, (*count).sum}
)

func (c *count) stages() []func(*count) bool {
	switch {
	case c.at.Thin:
		return byID
	case c.at.Even:
		return marked
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
