package mst

import (
	"context"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// MST is the algorithm; it has no parameters.
type MST struct{}

// New returns MST.
func New() pregel.Algorithm { return &MST{} }

// Forest is a spanning forest: edge i joins Source[i] < Target[i]; edges ascend.
type Forest struct {
	Source, Target []uint32
	Weights        graph.Weights // of the edges; none when the graph has none
	Stop           pregel.Stop
	Ordered        bool // of a prepared graph: vertices are the user's, by whose numbers the edges ascend
}

// Run finds the forest of the job's graph.
func (*MST) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	f, err := Span(ctx, j)
	if err != nil {
		return nil, err
	}
	weight, total := f.column(j.Engine.Pool().Workers())
	mem.Give(f.Weights.Int)
	mem.Give(f.Weights.Float)
	return &pregel.Answer{
		Stop: f.Stop, Ordered: f.Ordered,
		Table: pregel.Table{Columns: []pregel.Column{
			{Name: "source", Vertices: f.Source},
			{Name: "target", Vertices: f.Target},
			weight,
		}},
		Summary: []pregel.Fact{
			{Name: "total weight", Value: total},
			{Name: "trees", Value: j.Graph.N() - len(f.Source)},
			{Name: "edges", Value: len(f.Source)},
		},
	}, nil
}

// column returns the weights as a column, and their sum: an int64, or a float64
// summed in the order of the edges.
func (f *Forest) column(workers int) (c pregel.Column, total any) {
	c = pregel.Column{Name: "weight"}
	if f.Weights.Kind() == graph.Float32 {
		sum := 0.0
		c.Floats = mem.Take[float64](len(f.Source))
		for i, w := range f.Weights.Float {
			c.Floats[i] = float64(w)
			sum += float64(w)
		}
		return c, sum
	}
	c.Ints = mem.Take[int64](len(f.Source))
	var sum atomic.Int64
	parallel.Range(workers, len(c.Ints), columnLength, func(_, lo, hi int) { sum.Add(f.integers(c.Ints, lo, hi)) })
	return c, sum.Load()
}

const columnLength = 1 << 14 // of a piece

// integers makes the weights from lo to hi a part of a column, and returns their sum.
func (f *Forest) integers(column []int64, lo, hi int) (sum int64) {
	for i := lo; i < hi; i++ {
		column[i] = 1
		if f.Weights.Int != nil {
			column[i] = int64(f.Weights.Int[i])
		}
		sum += column[i]
	}
	return sum
}

// Certify checks the forest: see certify.MST.
func (*MST) Certify(ctx context.Context, g *graph.Graph, t *pregel.Table) error {
	var columns [3]pregel.Column
	for i, name := range []string{"source", "target", "weight"} {
		c, err := t.Column(name)
		if err != nil {
			return err
		}
		columns[i] = c
	}
	source, target, weight := columns[0].Vertices, columns[1].Vertices, columns[2]
	if g.Weighted() == graph.Float32 {
		return certify.MST(ctx, g, source, target, weight.Floats)
	}
	return certify.MST(ctx, g, source, target, weight.Ints)
}

// Resumes tells that it goes on from checkpoints.
func (*MST) Resumes(bool) bool { return true }

// OnDevice tells that it runs on a CUDA device.
func (*MST) OnDevice() bool { return true }

// Renumbered puts the edges in order, if they are not. Where weights are equal the forest may be
// another of the same weight.
func (*MST) Renumbered(_ context.Context, j *pregel.Job, a *pregel.Answer) error {
	if !a.Ordered {
		pregel.SortEdges(j.Engine.Pool().Workers(), &a.Table)
	}
	return nil
}
