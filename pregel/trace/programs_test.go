package trace_test

import (
	"context"
	"fmt"
	"strings"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/trace"
)

func replaceNil(text string) string { return strings.ReplaceAll(text, "<nil>", "-") }

// table makes the answer of a program of one column of whole numbers.
func table(values []uint32, stop pregel.Stop) *pregel.Answer {
	ints := make([]int64, len(values))
	for i, x := range values {
		ints[i] = int64(x)
	}
	return &pregel.Answer{Stop: stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "x", Ints: ints}}}}
}

// reach collects which of the first eight vertices reach a vertex, along both
// directions.
type reach struct{}

func (reach) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	r, err := pregel.RunEdge(ctx, j, reach{})
	return table(r.Values, r.Stop), err
}

func (reach) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Or[uint32](), Along: pregel.BothEdges}
}

func (reach) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	if v.ID < 8 {
		return 1 << v.ID, true
	}
	return 0, false
}

func (reach) Emit(v pregel.Vertex[uint32]) uint32 { return v.Value }

func (reach) Apply(v pregel.Vertex[uint32], bits uint32, _ bool) (uint32, bool) {
	return v.Value | bits, v.Value|bits != v.Value
}

func reachModel(_ *graph.Graph, _ int, before []trace.Value, v uint32, in []message) string {
	x := uint32(number(before[v]))
	for _, m := range in {
		x |= uint32(m.x)
	}
	return fmt.Sprint(x)
}

// odd keeps the least value heard, by functions; nothing is sent to even vertices,
// and Emit adds to an aggregator.
type odd struct {
	sent *pregel.Aggregator[uint64]
}

func (odd) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	p := &odd{}
	r, err := pregel.RunEdge(ctx, j, p)
	return table(r.Values, r.Stop), err
}

func (p *odd) Setup(s *pregel.Setup) error {
	p.sent = pregel.NewAggregator(s, pregel.Sum[uint64]())
	return nil
}

func (p *odd) Barrier(s *pregel.Step) {
	s.Metric("sent", float64(p.sent.Last()), 0)
}

func (*odd) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{
		Combine: pregel.Combine("lesser", pregel.Largest[uint32](), func(a, b uint32) uint32 { return min(a, b) }),
		Edge:    pregel.EdgeFunc("odd", func(x uint32, _, v uint32, _ float64) (uint32, bool) { return x, v%2 == 1 }),
		Silent:  true,
	}
}

func (*odd) Init(v pregel.Vertex[uint32]) (uint32, bool) { return v.ID, true }

func (p *odd) Emit(v pregel.Vertex[uint32]) uint32 {
	p.sent.Add(v.Place, 1)
	return v.Value
}

func (p *odd) Apply(v pregel.Vertex[uint32], x uint32, got bool) (uint32, bool) {
	if got && x < v.Value {
		return x, true
	}
	return v.Value, false
}

// ring is a vertex program: what vertex 0 has goes round, from each vertex to the
// next, whatever the arcs.
type ring struct{}

func (ring) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	r, err := pregel.RunVertex(ctx, j, ring{})
	return table(r.Values, r.Stop), err
}

func (ring) Init(v pregel.Vertex[uint32]) (uint32, bool) { return 7, v.ID%3 == 0 }

func (ring) Compute(c *pregel.Context[uint32, uint32], messages []uint32) {
	c.VoteToHalt()
	for _, m := range messages {
		c.Value += m
	}
	if c.Superstep < 3 {
		c.Send(c.ID/2, c.ID)
		c.Send(c.ID, 1)
	}
}

// failing panics at a vertex when it applies.
type failing struct{ reach }

func (failing) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	_, err := pregel.RunEdge(ctx, j, failing{})
	return nil, err
}

func (failing) Apply(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
	if v.Superstep == 1 {
		panic("enough")
	}
	return v.Value, true
}
