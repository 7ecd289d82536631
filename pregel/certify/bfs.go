package certify

import (
	"context"
	"fmt"

	"gopregel/pregel/graph"
)

// BFS certifies depths and parents of a breadth-first search: depth(v) is the
// least number of arcs on a path from the source to v, parent(v) the least
// in-neighbour of v at depth(v)-1; the source has no parent, an unreached
// vertex neither depth nor parent (graph.None). parent may be nil: then depths
// alone are certified.
//
// Theorem. Let depth(source) = 0 and
//
//	(1) depth(v) <= depth(u) + 1, and v is reached, for every arc u → v of a reached u,
//	(2) every reached v but the source has an in-neighbour p with depth(p) + 1 = depth(v).
//
// Then depth is the distance. By (1), along a shortest path from the source,
// depth is at most the distance, and what can be reached is reached. By (2)
// from any reached v one can go back arc by arc, the depth falling by one each
// time; this must end, and can end only at the source, which gives a path of
// depth(v) arcs. That p = parent(v) is the least is (3): no arc u → v with
// depth(u) + 1 = depth(v) has u < parent(v).
//
// Cost: O(n log d + m), reading the out-arcs once (and the in-arcs, when parent
// is nil).
//
// The rules are those that Graph500 validates its searches by (graph500.org,
// specification 1.2, kernel 2 validation).
func BFS(ctx context.Context, g *graph.Graph, source uint32, depth, parent []uint32) error {
	b := bfs{checker: checker{ctx, g, "bfs"}, source: source, depth: depth, parent: parent}
	return b.certify()
}

// BFSTree is BFS where any in-neighbour of v at depth(v)-1 will do for parent(v): of the theorem
// (1) and (2).
func BFSTree(ctx context.Context, g *graph.Graph, source uint32, depth, parent []uint32) error {
	b := bfs{checker: checker{ctx, g, "bfs"}, source: source, depth: depth, parent: parent, any: true}
	return b.certify()
}

func (b *bfs) certify() error {
	source, depth, parent := b.source, b.depth, b.parent
	if err := b.has("depth", len(depth)); err != nil {
		return err
	}
	if parent != nil {
		if err := b.has("parent", len(parent)); err != nil {
			return err
		}
	}
	if err := b.hasSource(source); err != nil {
		return err
	}
	if depth[source] != 0 {
		return b.at(source, depthText(depth[source]), "depth 0, as it is the source")
	}
	return b.each(b.g.Out(), b.check)
}

type bfs struct {
	checker
	source        uint32
	depth, parent []uint32
	any           bool // parents need not be the least
}

func depthText(d uint32) string {
	if d == graph.None {
		return "no depth"
	}
	return fmt.Sprintf("depth %d", d)
}

// check holds the rules at u and on the arcs that leave it.
func (b *bfs) check(_ int, u uint32) *Violation {
	if broken := b.checkParent(u); broken != nil {
		return broken
	}
	d := b.depth[u]
	if d == graph.None {
		return nil
	}
	for _, v := range b.g.Out().Neighbors(u) {
		if e := b.depth[v]; e == graph.None || e > d+1 {
			return b.at(v, depthText(e), "at most depth %d, as %s has depth %d and an edge to it", uint64(d)+1, b.id(u), d)
		}
		if b.parent != nil && !b.any && b.depth[v] == d+1 && b.parent[v] > u {
			return b.at(v, "parent "+b.id(b.parent[v]), "at most parent %s, which has an edge to it and depth %d", b.id(u), d)
		}
	}
	return nil
}

func (b *bfs) checkParent(v uint32) *Violation {
	d := b.depth[v]
	if b.parent == nil {
		if v == b.source || d == graph.None {
			return nil
		}
		for _, u := range b.g.In().Neighbors(v) {
			if b.depth[u] != graph.None && b.depth[u]+1 == d {
				return nil
			}
		}
		return b.at(v, depthText(d), "a depth one more than that of an in-neighbour")
	}
	p := b.parent[v]
	if v == b.source || d == graph.None {
		if p != graph.None {
			return b.at(v, "parent "+b.id(p), "no parent, as it is the source or unreached")
		}
		return nil
	}
	if !b.isVertex(p) {
		return b.at(v, "parent "+b.id(p), "a vertex at depth %d", int64(d)-1)
	}
	if b.depth[p] == graph.None || b.depth[p]+1 != d {
		return b.at(v, depthText(d), "one more than %s of its parent %s", depthText(b.depth[p]), b.id(p))
	}
	if _, ok := arc(b.g.Out(), p, v); !ok {
		return b.at(v, "parent "+b.id(p), "a vertex with an edge to it")
	}
	return nil
}
