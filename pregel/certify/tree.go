package certify

import (
	"context"
	"fmt"
	"sync/atomic"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// Trees are validated as Graph500 has it: from the tree of parents and the
// undirected edges of the input, loops and duplicates among them, without the
// graph that was made of these. The checks, in the specification's numbers:
//
//	(1) the tree has no cycles: following the parents leads to the root,
//	(2) each tree edge joins vertices whose levels differ by one (whose
//	    distances differ by its weight),
//	(3) each edge of the input joins vertices whose levels differ by at most one
//	    (whose distances differ by at most its weight), or both are unreached,
//	(4) the tree spans the root's component: no edge of the input has one end in
//	    the tree and the other outside of it,
//	(5) a vertex and its parent are joined by an edge of the input.
//
// Levels are those that the tree gives, found by following the parents, where a
// vertex once known is known to all. By (1), (4) and (5) the tree spans the
// root's component; by (2) and (3), as in BFS and SSSP, its paths are shortest.
// Distances in (2) must differ by exactly the weight of one of the edges that
// join the vertices, which is stricter than the specification's "at most".
//
// Cost: O(n + m), three random reads an edge. Levels below 252 take a byte each,
// so that they stay in a cache; no branch hangs on what an edge joins, as long as
// nothing is wrong.
//
// Graph 500 Benchmarks 1 and 2, specification 2.0, section 8 (graph500.org).
type tree struct {
	checker
	edges  graph.Columns
	root   uint32
	parent []uint32
	joined []uint32 // bit v: an edge of the input joins v and its parent, as it should
}

// SearchTree validates the tree of a breadth-first search over undirected edges
// between the vertices 0 to len(parent)-1. The root's parent is the root itself
// or graph.None, which also is that of an unreached vertex. depth may be nil;
// else it must hold the levels, graph.None for unreached vertices.
func SearchTree(ctx context.Context, edges graph.Columns, root uint32, parent, depth []uint32) error {
	t := newTree(ctx, edges, root, parent)
	if depth != nil && len(depth) != len(parent) {
		return fmt.Errorf("certify %s: depth has %d values, parent has %d", t.answer, len(depth), len(parent))
	}
	level, err := t.levels()
	if err != nil {
		return err
	}
	deepest, err := t.checkDepth(level, depth)
	if err != nil {
		return err
	}
	if deepest < 252 {
		err = checkLevels(t, ranks[uint8](level))
	} else {
		err = checkLevels(t, ranks[uint32](level))
	}
	if err != nil {
		return err
	}
	return t.checkJoined(nil)
}

// Levels returns how many steps each vertex of g is from the root of a tree of parents, graph.None for
// one that has no parent, or why there is no such number. The root has no parent, or itself.
func Levels(ctx context.Context, g *graph.Graph, root uint32, parent []uint32) ([]uint32, error) {
	t := newTree(ctx, graph.Columns{}, root, parent)
	t.answer, t.g = "bfs", g
	if err := t.has("parent", len(parent)); err != nil {
		return nil, err
	}
	return t.levels()
}

// PathTree validates a tree of shortest paths over undirected edges between the
// vertices 0 to len(parent)-1; edges without weights count 1. Parents are those
// of SearchTree; dist is Unreached for unreached vertices.
func PathTree[D Distance](ctx context.Context, edges graph.Columns, root uint32, parent []uint32, dist []D) error {
	t := newTree(ctx, edges, root, parent)
	t.answer = "shortest path tree"
	if len(dist) != len(parent) {
		return fmt.Errorf("certify %s: distance has %d values, parent has %d", t.answer, len(dist), len(parent))
	}
	if isFloat := D(1)/2 != 0; edges.Weights.Float != nil && !isFloat {
		return fmt.Errorf("certify %s: distances are whole numbers, but the weights are floats", t.answer)
	}
	if _, err := t.levels(); err != nil {
		return err
	}
	if err := checkReached(t, dist); err != nil {
		return err
	}
	if err := checkDistances(t, dist); err != nil {
		return err
	}
	return t.checkJoined(func(v uint32) string { return fmt.Sprintf("distance %v", dist[v]) })
}

func newTree(ctx context.Context, edges graph.Columns, root uint32, parent []uint32) *tree {
	return &tree{checker: checker{ctx: ctx, answer: "search tree"}, edges: edges, root: root, parent: parent,
		joined: mem.Make[uint32]((len(parent) + 31) / 32)}
}

// rule reports a violation of one of the checks at a vertex.
func (t *tree) rule(n int, v uint32, found, want string, args ...any) *Violation {
	if t.g != nil {
		return t.at(v, found, want, args...)
	}
	return &Violation{Answer: fmt.Sprintf("%s, check %d", t.answer, n), Where: fmt.Sprintf("vertex %d", v), Found: found, Want: fmt.Sprintf(want, args...)}
}

// name is that of a vertex: its id, where there is a graph, or else its number.
func (t *tree) name(v uint32) string {
	if t.g != nil {
		return t.id(v)
	}
	return fmt.Sprint(v)
}

// edge reports a violation of one of the checks at an edge of the input.
func (t *tree) edge(n int, u, v uint32, found, want string, args ...any) *Violation {
	broken := t.rule(n, u, found, want, args...)
	broken.Where = fmt.Sprintf("edge %d – %d", u, v)
	return broken
}

// mark says that an edge joins v and its parent as it should.
func (t *tree) mark(v uint32) {
	if word, bit := &t.joined[v/32], uint32(1)<<(v%32); atomic.LoadUint32(word)&bit == 0 {
		atomic.OrUint32(word, bit)
	}
}

// levels follows the parents of all vertices, check 1.
func (t *tree) levels() ([]uint32, error) {
	n := len(t.parent)
	if uint64(t.root) >= uint64(n) {
		return nil, fmt.Errorf("certify %s: root %d is not one of the %d vertices", t.answer, t.root, n)
	}
	if p := t.parent[t.root]; p != t.root && p != graph.None {
		return nil, t.rule(1, t.root, "parent "+t.name(p), "itself as the parent, or none, as it is the root")
	}
	level := mem.Make[uint32](n)
	parallel.Range(0, n, 1<<16, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			level[v] = graph.None
		}
	})
	level[t.root] = 0
	return level, t.rows(n, pieceRows, func(_, v int) *Violation { return t.climb(level, uint32(v)) })
}

// climb follows the parents of v to a vertex whose level is known. Several
// workers may be on the same way; they all find the same. A cycle is noticed by
// meeting again the vertex that was reached at the last power of two (R. Brent,
// BIT 20, 1980).
func (t *tree) climb(level []uint32, v uint32) *Violation {
	if t.parent[v] == graph.None {
		return nil
	}
	steps, known, met, until := uint32(0), graph.None, v, uint32(1)
	x := v
	for ; ; steps++ {
		if known = atomic.LoadUint32(&level[x]); known != graph.None {
			break
		}
		p := t.parent[x]
		switch {
		case p == graph.None:
			return t.rule(1, x, "no parent, but it is the parent of another", "parents that lead to the root %s", t.name(t.root))
		case uint64(p) >= uint64(len(t.parent)):
			return t.rule(1, x, "parent "+t.name(p), "one of the %d vertices", len(t.parent))
		case p == met:
			return t.rule(1, p, "itself among its own ancestors", "parents that lead to the root %s", t.name(t.root))
		}
		if x = p; steps+1 == until {
			met, until = x, 2*until
		}
	}
	for y := v; y != x; y = t.parent[y] {
		atomic.StoreUint32(&level[y], known+steps)
		steps--
	}
	return nil
}

// checkDepth holds check 2 on the depths of the answer, and returns the
// greatest level.
func (t *tree) checkDepth(level, depth []uint32) (uint32, error) {
	deepest := make([]uint32, parallel.Workers(0))
	err := t.rows(len(level), pieceRows, func(w, row int) *Violation {
		v, l := uint32(row), level[row]
		if l != graph.None {
			deepest[w] = max(deepest[w], l)
		}
		if depth == nil || depth[v] == l {
			return nil
		}
		if l == graph.None || v == t.root {
			return t.rule(2, v, depthText(depth[v]), "%s, as it has no parent", depthText(l))
		}
		return t.rule(2, v, depthText(depth[v]), "depth %d, one more than the level of its parent %d", l, t.parent[v])
	})
	most := uint32(0)
	for _, l := range deepest {
		most = max(most, l)
	}
	return most, err
}

// ranks are levels plus one, and the greatest number for none: a number and none
// then never differ by one, the greatest and 0 being next to each other.
func ranks[L uint8 | uint32](level []uint32) []L {
	to := mem.Make[L](len(level))
	parallel.Range(0, len(level), 1<<16, func(_, lo, hi int) {
		for v := lo; v < hi; v++ {
			if to[v] = ^L(0); level[v] != graph.None {
				to[v] = L(level[v]) + 1
			}
		}
	})
	return to
}

// checkLevels holds checks 3 and 4 on all edges, and notes for check 5 which
// parents they join.
func checkLevels[L uint8 | uint32](t *tree, rank []L) error {
	m := len(t.edges.U)
	return t.pieces((m+pieceArcs-1)/pieceArcs, func(_, i int) *Violation {
		lo, hi := i*pieceArcs, min(m, (i+1)*pieceArcs)
		us, vs := t.edges.U[lo:hi], t.edges.V[lo:hi]
		parent := t.parent
		for k, u := range us {
			v := vs[k]
			d := rank[u] - rank[v]
			if d+1 > 2 {
				return t.apart(u, v, uint32(rank[u]), uint32(rank[v]), uint32(^L(0)))
			}
			swap := (u ^ v) & -uint32(d>>1&1) // all bits when u is above v
			if child := u ^ swap; parent[child] == v^swap {
				t.mark(child)
			}
		}
		return nil
	})
}

// apart reports an edge whose ends have ranks that differ by more than one.
func (t *tree) apart(u, v, a, b, none uint32) *Violation {
	if a == none || b == none {
		return t.oneEnd(u, v, a == none)
	}
	return t.edge(3, u, v, fmt.Sprintf("levels %d and %d", a-1, b-1), "levels that differ by at most one")
}

// oneEnd reports an edge that leads out of the tree, check 4.
func (t *tree) oneEnd(u, v uint32, outside bool) *Violation {
	in, out := u, v
	if outside {
		in, out = v, u
	}
	return t.edge(4, u, v, fmt.Sprintf("%d in the tree and %d outside of it", in, out), "a tree that spans the component")
}

// checkReached holds that exactly the vertices of the tree have a distance, and
// the root 0.
func checkReached[D Distance](t *tree, dist []D) error {
	far := Unreached[D]()
	return t.rows(len(dist), pieceRows, func(_, row int) *Violation {
		v, reached := uint32(row), t.parent[row] != graph.None || uint32(row) == t.root
		switch {
		case v == t.root && dist[v] != 0:
			return t.rule(2, v, fmt.Sprintf("distance %v", dist[v]), "distance 0, as it is the root")
		case reached && dist[v] == far:
			return t.rule(2, v, "no distance", "one, as it has a parent")
		case !reached && dist[v] != far:
			return t.rule(2, v, fmt.Sprintf("distance %v", dist[v]), "none, as it has no parent")
		}
		return nil
	})
}

// checkDistances is checkLevels for distances; an edge joins a vertex and its
// parent as it should if its weight is the difference, check 2.
func checkDistances[D Distance](t *tree, dist []D) error {
	m, far := len(t.edges.U), Unreached[D]()
	buffers := make([][pieceArcs]D, parallel.Workers(0))
	return t.pieces((m+pieceArcs-1)/pieceArcs, func(worker, i int) *Violation {
		lo, hi := i*pieceArcs, min(m, (i+1)*pieceArcs)
		us, vs := t.edges.U[lo:hi], t.edges.V[lo:hi]
		ws := buffers[worker][:hi-lo]
		distances(ws, t.edges.Weights.Slice(uint64(lo), uint64(hi)))
		for k, u := range us {
			v, w := vs[k], ws[k]
			a, b := dist[u], dist[v]
			switch {
			case u == v || a == far && b == far:
			case a == far || b == far:
				return t.oneEnd(u, v, a == far)
			case !(b <= a+w && a <= b+w): // also when one is NaN
				return t.edge(3, u, v, fmt.Sprintf("distances %v and %v", a, b), "distances that differ by at most its weight %v", w)
			case a+w == b && t.parent[v] == u:
				t.mark(v)
				if b+w == a && t.parent[u] == v {
					t.mark(u)
				}
			case b+w == a && t.parent[u] == v:
				t.mark(u)
			}
		}
		return nil
	})
}

// distances makes distances of weights.
func distances[D Distance](to []D, w graph.Weights) {
	for i := range to {
		to[i] = 1
	}
	for i, x := range w.Int {
		to[i] = D(x)
	}
	for i, x := range w.Float {
		to[i] = D(x)
	}
}

// checkJoined holds that every vertex of the tree is joined to its parent as it
// should be. Where distances are checked, an edge of another weight is a
// violation of check 2, none of check 5.
func (t *tree) checkJoined(distance func(v uint32) string) error {
	return t.rows(len(t.parent), pieceRows, func(_, row int) *Violation {
		v, p := uint32(row), t.parent[row]
		if v == t.root || p == graph.None || t.joined[v/32]>>(v%32)&1 != 0 {
			return nil
		}
		if distance != nil && t.joins(v, p) {
			return t.rule(2, v, distance(v), "that of its parent %d, which has %s, and the weight of an edge that joins them", p, distance(p))
		}
		return t.rule(5, v, fmt.Sprintf("parent %d", p), "a vertex that an edge joins to it")
	})
}

// joins looks through the edges for one between two vertices.
func (t *tree) joins(u, v uint32) bool {
	for i, a := range t.edges.U {
		if b := t.edges.V[i]; a == u && b == v || a == v && b == u {
			return true
		}
	}
	return false
}
