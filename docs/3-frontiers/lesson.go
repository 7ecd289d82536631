// Package frontiers is the third lesson of the course: who is awake decides what a
// superstep costs, and in which direction it is cheaper. within.go and parents.go
// are to be completed; this file is complete.
package frontiers

import (
	"context"

	"gopregel/pregel"
	"gopregel/programs"
)

// Programs lists those of the lesson.
func Programs() []programs.Entry {
	return []programs.Entry{
		{Name: "within", Doc: "lesson 3: who is within so many hops of a source", New: func() pregel.Algorithm { return &Within{Most: 3} }},
		{Name: "parents", Doc: "lesson 3: a breadth-first search that looks at few arcs", New: func() pregel.Algorithm { return &Parents{} }},
	}
}

// Within is the algorithm around the program within.
type Within struct {
	Source pregel.ID `param:"source" doc:"id of the vertex to start from" required:"true"`
	Most   int       `param:"hops" doc:"how many hops to go at most" min:"1" max:"1000000000"`
}

// DefaultMaxSupersteps ends programs that do not end by themselves.
func (*Within) DefaultMaxSupersteps() int { return 100 }

// Run runs the program.
func (a *Within) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	source, err := a.Source.Vertex(j.Graph)
	if err != nil {
		return nil, err
	}
	r, err := pregel.RunEdge(ctx, j, within{source, uint32(a.Most)})
	if err != nil {
		return nil, err
	}
	return &pregel.Answer{Stop: r.Stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "hops", Counts: r.Values}}}}, nil
}

// Parents is the algorithm around the program parents.
type Parents struct {
	Source pregel.ID `param:"source" doc:"id of the vertex to start from" required:"true"`
}

// DefaultMaxSupersteps ends programs that do not end by themselves.
func (*Parents) DefaultMaxSupersteps() int { return 100 }

// Run runs the program.
func (a *Parents) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	source, err := a.Source.Vertex(j.Graph)
	if err != nil {
		return nil, err
	}
	r, err := pregel.RunEdge(ctx, j, parents{source})
	if err != nil {
		return nil, err
	}
	depth, parent := make([]uint32, len(r.Values)), make([]uint32, len(r.Values))
	for v, p := range r.Values {
		depth[v], parent[v] = p.Depth, p.Parent
	}
	return &pregel.Answer{Stop: r.Stop, Table: pregel.Table{PerVertex: true,
		Columns: []pregel.Column{{Name: "depth", Counts: depth}, {Name: "parent", Vertices: parent}}}}, nil
}

// Present names the column of a trace.
func (within) Present() pregel.Presentation { return pregel.Presentation{Columns: []string{"hops"}} }

// Present names the columns of a trace.
func (parents) Present() pregel.Presentation {
	return pregel.Presentation{Columns: []string{"depth", "parent"}, Vertices: []string{"parent"}, Message: true}
}
