package graph500

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/programs/bfs"
	"gopregel/programs/sssp"
)

// An algorithm is a kernel that searches from a root.
type algorithm interface {
	name() string
	from(root pregel.ID) pregel.Algorithm
	parents(*pregel.Answer) []uint32
	validate(ctx context.Context, list graph.Columns, root uint32, answer *pregel.Answer) error
}

// search is kernel 2.
type search struct{}

func (search) name() string { return "bfs" }

func (search) from(root pregel.ID) pregel.Algorithm {
	return &bfs.BFS{Source: root, Any: true, Depths: new(false)}
}

func (search) parents(a *pregel.Answer) []uint32 { return a.Table.Columns[0].Vertices }

func (s search) validate(ctx context.Context, list graph.Columns, root uint32, a *pregel.Answer) error {
	return certify.SearchTree(ctx, list, root, s.parents(a), nil)
}

// paths is kernel 3.
type paths struct{}

func (paths) name() string { return "sssp" }

func (paths) from(root pregel.ID) pregel.Algorithm {
	return &sssp.SSSP{Source: root, Method: sssp.DeltaStepping}
}

func (paths) parents(a *pregel.Answer) []uint32 { return a.Table.Columns[1].Vertices }

func (p paths) validate(ctx context.Context, list graph.Columns, root uint32, a *pregel.Answer) error {
	if dist := a.Table.Columns[0]; dist.Floats != nil {
		return certify.PathTree(ctx, list, root, p.parents(a), dist.Floats)
	}
	return certify.PathTree(ctx, list, root, p.parents(a), a.Table.Columns[0].Ints)
}
