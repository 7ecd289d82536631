// Package gpu is the fourth lesson of the course: what coalescing, atomics and
// divergence do to the same supersteps on a GPU. lanes.go, reach.cu and answers.yaml
// are to be completed; this file is complete.
package gpu

import (
	"context"

	"gopregel/pregel"
	"gopregel/programs"
)

// Programs lists those of the lesson.
func Programs() []programs.Entry {
	return []programs.Entry{
		{Name: "lanes", Doc: "lesson 4: how many lanes of a warp go through the arcs of a vertex", New: func() pregel.Algorithm { return &Lanes{} }},
	}
}

// Lanes asks the function lanes for every vertex.
type Lanes struct{}

// Run runs it, as one superstep that is a plain loop.
func (*Lanes) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	out, column := j.Graph.Out(), make([]uint32, j.Graph.N())
	stop, err := j.Phase(ctx, "lanes", func(lo, hi uint32, _ *pregel.Worker) {
		for v := lo; v < hi; v++ {
			column[v] = lanes(uint32(out.Degree(v)))
		}
	})
	if err != nil {
		return nil, err
	}
	return &pregel.Answer{Stop: stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "lanes", Counts: column}}}}, nil
}
