package bench

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// An Own is a program of a user's that bench knows nothing else of, and that has no certificate.
type Own interface {
	pregel.Algorithm
	// From has it begin at a source.
	From(source pregel.ID)
	// CertifyOn finds what is wrong with an answer on a graph, by a run on the engine.
	CertifyOn(ctx context.Context, e pregel.Engine, g *graph.Graph, t *pregel.Table) error
}

// certify finds what is wrong with an answer of the series' graph.
func (s *series) certify(ctx context.Context, a pregel.Algorithm, t *pregel.Table) error {
	switch c := a.(type) {
	case pregel.Certifier:
		return c.Certify(ctx, s.graph, t)
	case Own:
		return c.CertifyOn(ctx, s.engine, s.graph, t)
	}
	return nil
}
