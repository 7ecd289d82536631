package command

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
)

// The programs of the scripts: small ones that end in every way there is.
func fakes() []programs.Entry {
	return []programs.Entry{
		{Name: "crash", Doc: "panics at a vertex", New: func() pregel.Algorithm { return &crash{} }},
		{Name: "degrees", Doc: "out-degree and least neighbour of every vertex", New: func() pregel.Algorithm { return &degrees{Factor: 1} }},
		{Name: "drift", Doc: "goes wrong on two workers", New: func() pregel.Algorithm { return &drift{} }},
		{Name: "flood", Doc: "sends without end", New: func() pregel.Algorithm { return pregel.VertexAlgorithm(&flood{}) }},
		{Name: "links", Doc: "every arc with its weight", New: func() pregel.Algorithm { return &links{} }},
		{Name: "rot", Doc: "has values that become NaN", New: func() pregel.Algorithm { return &rot{} }},
		{Name: "wander", Doc: "goes round until it is stopped", New: func() pregel.Algorithm { return &wander{} }},
	}
}

// degrees counts. With a wrong factor its certificate fails.
type degrees struct {
	Factor int       `param:"factor" doc:"multiplies the degrees; any but 1 is wrong" min:"1" max:"9"`
	Source pregel.ID `param:"source" doc:"a vertex that must be there"`
}

func (d *degrees) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	n := j.Graph.N()
	degree, least := make([]uint32, n), make([]uint32, n)
	stop, err := j.Phase(ctx, "count", func(lo, hi uint32, w *pregel.Worker) {
		for v := lo; v < hi; v++ {
			list := j.Graph.Out().Neighbors(v)
			degree[v], least[v] = uint32(d.Factor*len(list)), graph.None
			if len(list) > 0 {
				least[v] = list[0]
			}
			w.Arcs += uint64(len(list))
		}
	})
	return &pregel.Answer{Stop: stop, Summary: []pregel.Fact{{Name: "arcs", Value: j.Graph.Arcs()}}, Table: pregel.Table{
		PerVertex: true, Columns: []pregel.Column{{Name: "degree", Counts: degree}, {Name: "least", Vertices: least}},
	}}, err
}

func (d *degrees) Certify(_ context.Context, g *graph.Graph, t *pregel.Table) error {
	c, err := t.Column("degree")
	if err != nil {
		return err
	}
	for v, found := range c.Counts {
		if want := g.Out().Degree(uint32(v)); uint64(found) != want {
			return fmt.Errorf("vertex %s has degree %d, not %d", g.IDs().Text(uint32(v)), want, found)
		}
	}
	return nil
}

// links lists arcs; it refuses negative weights, and has no certificate.
type links struct{}

func (*links) Run(_ context.Context, j *pregel.Job) (*pregel.Answer, error) {
	if j.Graph.Weighted() == graph.Unweighted {
		return nil, errors.New("the graph has no weights")
	}
	var source, target []uint32
	weight := []float64{}
	for u := range uint32(j.Graph.N()) {
		base := j.Graph.Out().Offsets.At(u)
		for i, v := range j.Graph.Out().Neighbors(u) {
			w := j.Graph.Out().Weights.At(base + uint64(i))
			if w < 0 {
				return nil, fmt.Errorf("the arc from %s to %s has weight %g, allowed: at least 0", j.Graph.IDs().Text(u), j.Graph.IDs().Text(v), w)
			}
			source, target, weight = append(source, u), append(target, v), append(weight, w)
		}
	}
	return &pregel.Answer{Table: pregel.Table{Columns: []pregel.Column{
		{Name: "source", Vertices: source}, {Name: "target", Vertices: target}, {Name: "weight", Floats: weight},
	}}}, nil
}

// crash is an edge program that panics.
type crash struct{}

func (*crash) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	_, err := pregel.RunEdge(ctx, j, crashing{})
	return nil, err
}

type crashing struct{}

func (crashing) Name() string { return "crash" }
func (crashing) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Silent: true}
}
func (crashing) Init(pregel.Vertex[uint32]) (uint32, bool) { return 0, true }
func (crashing) Emit(v pregel.Vertex[uint32]) uint32       { return v.ID }
func (crashing) Apply(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
	if v.ID == 2 {
		panic("two is too much")
	}
	return 0, true
}

// wander runs supersteps for ever, and says when it has begun.
type wander struct {
	Begun string `param:"begun" doc:"a file to make after the first superstep"`
	Until int    `param:"until" doc:"supersteps after which it has converged; 0: never" min:"0"`
}

func (*wander) Resumes(bool) bool { return true }

func (*wander) DefaultMaxSupersteps() int { return 5 }

func (r *wander) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	result, err := pregel.RunEdge(ctx, j, &wandering{r})
	return &pregel.Answer{Stop: result.Stop, Table: pregel.Table{
		PerVertex: true, Columns: []pregel.Column{{Name: "step", Ints: result.Values}},
	}}, err
}

type wandering struct{ *wander }

func (wandering) Name() string { return "wander" }
func (wandering) Spec() pregel.Spec[int64] {
	return pregel.Spec[int64]{Combine: pregel.Max[int64](), Silent: true}
}
func (wandering) Init(pregel.Vertex[int64]) (int64, bool) { return 0, true }
func (wandering) Emit(v pregel.Vertex[int64]) int64       { return v.Value }
func (wandering) Apply(v pregel.Vertex[int64], _ int64, _ bool) (int64, bool) {
	return v.Value + 1, true
}
func (w *wandering) Barrier(s *pregel.Step) {
	if s.Superstep == 0 && w.Begun != "" {
		if err := os.WriteFile(w.Begun, nil, 0o644); err != nil {
			s.Fail(err)
		}
	}
	s.Metric("steps to go", float64(w.Until-s.Superstep-1), 0)
	if w.Until > 0 && s.Superstep+1 == w.Until {
		s.Metric("steps to go", 0.5, 0.5)
	}
}

func (*wander) Certify(context.Context, *graph.Graph, *pregel.Table) error { return nil }

// drift counts supersteps; on two workers it is wrong from superstep 5 on, by
// the least there is, at vertices 17 and 23.
type drift struct{}

type drifting struct{ workers int }

type drifted struct {
	step  int64
	level float64
}

func (*drift) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	result, err := pregel.RunEdge(ctx, j, drifting{j.Engine.Pool().Workers()})
	steps, levels := make([]int64, len(result.Values)), make([]float64, len(result.Values))
	for v, x := range result.Values {
		steps[v], levels[v] = x.step, x.level
	}
	return &pregel.Answer{Stop: result.Stop, Table: pregel.Table{
		PerVertex: true, Columns: []pregel.Column{{Name: "step", Ints: steps}, {Name: "level", Floats: levels}},
	}}, err
}

func (drifting) Name() string { return "drift" }
func (drifting) Spec() pregel.Spec[int64] {
	return pregel.Spec[int64]{Combine: pregel.Max[int64](), Silent: true}
}
func (drifting) Init(pregel.Vertex[drifted]) (drifted, bool) { return drifted{0, 0.25}, true }
func (drifting) Emit(v pregel.Vertex[drifted]) int64         { return v.Value.step }
func (d drifting) Apply(v pregel.Vertex[drifted], _ int64, _ bool) (drifted, bool) {
	x := drifted{v.Value.step + 1, v.Value.level + 1}
	if d.workers == 2 && v.Superstep >= 5 && (v.ID == 17 || v.ID == 23) {
		x.level = math.Nextafter(float64(x.step)+0.25, math.Inf(1))
	} else {
		x.level = float64(x.step) + 0.25
	}
	return x, true
}

// flood sends without end at vertex 7 in superstep 1.
type flood struct{}

func (*flood) Init(pregel.Vertex[uint32]) (uint32, bool) { return 0, true }

func (*flood) Compute(c *pregel.Context[uint32, uint32], _ []uint32) {
	for c.Superstep == 1 && c.ID == 7 {
		c.SendAll(1)
	}
}

func (*flood) Name() string { return "flood" }
