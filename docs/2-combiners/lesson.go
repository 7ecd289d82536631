// Package combiners is the second lesson of the course: messages are combined in
// any order and in any portions, so a combiner has laws to keep. friends.go and
// famous.go break them, and are to be mended; this file is complete.
package combiners

import (
	"context"

	"gopregel/pregel"
	"gopregel/programs"
)

// Programs lists those of the lesson.
func Programs() []programs.Entry {
	return []programs.Entry{
		{Name: "friends", Doc: "lesson 2: how many friends the friends of a vertex have, on average", New: func() pregel.Algorithm { return &Friends{} }},
		{Name: "famous", Doc: "lesson 2: who, of all that can reach a vertex, has the most neighbours", New: func() pregel.Algorithm { return &Famous{} }},
	}
}

// Friends is the algorithm around the program friends.
type Friends struct{}

// DefaultMaxSupersteps ends programs that do not end by themselves.
func (*Friends) DefaultMaxSupersteps() int { return 100 }

// Run runs the program.
func (*Friends) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	r, err := pregel.RunEdge(ctx, j, friends{})
	if err != nil {
		return nil, err
	}
	return &pregel.Answer{Stop: r.Stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "mean", Floats: r.Values}}}}, nil
}

// Famous is the algorithm around the program famous.
type Famous struct{}

// DefaultMaxSupersteps ends programs that do not end by themselves.
func (*Famous) DefaultMaxSupersteps() int { return 1000 }

// Run runs the program.
func (*Famous) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	r, err := pregel.RunEdge(ctx, j, famous{})
	if err != nil {
		return nil, err
	}
	who := make([]uint32, len(r.Values))
	for v, f := range r.Values {
		who[v] = f.Who
	}
	return &pregel.Answer{Stop: r.Stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "famous", Vertices: who}}}}, nil
}

// Present names the column of a trace.
func (friends) Present() pregel.Presentation { return pregel.Presentation{Columns: []string{"mean"}} }

// Present names the columns of a trace.
func (famous) Present() pregel.Presentation {
	return pregel.Presentation{Columns: []string{"degree", "who"}, Vertices: []string{"who"}}
}
