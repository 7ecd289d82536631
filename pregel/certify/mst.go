package certify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gopregel/pregel/graph"
)

// MST certifies a minimum spanning forest, given by the ends and weights of its
// edges: of the graph without directions and self-loops, an edge weighing what
// the lightest of its arcs does. Weights absent from the graph are 1. Of several
// minimum forests any is accepted; their total weight is the same.
//
// Theorem. Let
//
//	(1) every edge of the forest be an edge of the graph, of that weight,
//	(2) the forest have no cycle,
//	(3) the ends u, v of every edge of the graph be joined in the forest,
//	(4) every edge of the graph weigh at least as much as the heaviest edge of the forest between its ends.
//
// Then the forest is minimal. By (1) to (3) it spans every component. Exchange
// an edge f of it for an edge e of a minimum forest that joins the two parts
// left by f: by (4) e is no lighter, so step by step the forest turns into the
// minimum one without growing heavier (the cycle property: R. Tarjan, Data
// Structures and Network Algorithms, 1983, chapter 6).
//
// Linear-time verification exists (V. King: A simpler minimum spanning tree
// verification algorithm, Algorithmica 18, 1997) but is intricate. Here the
// heaviest edges are read off a union-find forest built in the order of
// weights, by size and without path compression: its paths have at most log n
// links, whose times grow towards the root, and two vertices became one set at
// the latest link on the way between them.
//
// Cost: O((n + m) log n), the log being the length of those paths, in practice
// a few steps.
func MST[W int64 | float64](ctx context.Context, g *graph.Graph, source, target []uint32, weight []W) error {
	if len(source) != len(target) || len(source) != len(weight) {
		return fmt.Errorf("certify mst: %d sources, %d targets, %d weights, want as many of each", len(source), len(target), len(weight))
	}
	if len(source) >= max(g.N(), 1) {
		return &Violation{Answer: "mst", Where: "the forest", Found: fmt.Sprintf("%d edges", len(source)), Want: fmt.Sprintf("fewer than the %d vertices", g.N())}
	}
	m := mst{checker: checker{ctx, g, "mst"}, u: source, v: target, order: make([]uint64, len(source))}
	err := m.rows(len(source), pieceRows, func(_, i int) *Violation { return m.checkEdge(i, float64(weight[i])) })
	if err != nil {
		return err
	}
	slices.Sort(m.order)
	if err := m.join(); err != nil {
		return err
	}
	return m.each(g.Out(), m.check)
}

type mst struct {
	checker
	u, v []uint32
	// The forest's edges by weight: the bits of the weight, in an order-keeping
	// form, above the number of the edge.
	order []uint64
	// The union-find forest: where a vertex is linked to, and when: the place
	// in order of the edge that linked it, never for a root.
	link, when []uint32
}

const never = math.MaxUint32

// edge reports a violation at an edge, whose direction does not matter.
func (m *mst) edge(u, v uint32, found, want string, args ...any) *Violation {
	return &Violation{Answer: m.answer, Where: "edge " + m.id(u) + " – " + m.id(v), Found: found, Want: fmt.Sprintf(want, args...)}
}

// checkEdge checks that the graph has edge i of the forest, and files it.
func (m *mst) checkEdge(i int, w float64) *Violation {
	u, v := m.u[i], m.v[i]
	if !m.isVertex(u) || !m.isVertex(v) || u == v {
		return m.edge(u, v, "it in the forest", "edges between two different vertices of the graph")
	}
	for _, ends := range [][2]uint32{{u, v}, {v, u}} {
		place, ok := arc(m.g.Out(), ends[0], ends[1])
		if !ok {
			continue
		}
		if have := m.g.Out().Weights.At(place); have == w {
			m.order[i] = uint64(m.sortable(place))<<32 | uint64(i)
			return nil
		}
	}
	return m.edge(u, v, fmt.Sprintf("it in the forest with weight %v", w), "an edge of the graph with its (least) weight")
}

// sortable maps the weight at a place of the out-arcs to a number that sorts
// as it does.
func (m *mst) sortable(place uint64) uint32 {
	switch w := m.g.Out().Weights; {
	case w.Int != nil:
		return uint32(w.Int[place]) ^ 1<<31
	case w.Float != nil:
		x := math.Float32bits(w.Float[place])
		if x>>31 != 0 {
			return ^x
		}
		return x | 1<<31
	}
	return 0
}

// join links the ends of the forest's edges, the lightest first.
func (m *mst) join() error {
	m.link, m.when = make([]uint32, m.g.N()), make([]uint32, m.g.N())
	size := make([]uint32, m.g.N())
	for v := range m.link {
		m.link[v], m.when[v], size[v] = uint32(v), never, 1
	}
	for k, key := range m.order {
		if k%(1<<16) == 0 && m.ctx.Err() != nil {
			return m.ctx.Err()
		}
		i := uint32(key)
		a, b := m.root(m.u[i]), m.root(m.v[i])
		if a == b {
			return m.edge(m.u[i], m.v[i], "it on a cycle of the forest", "no cycle")
		}
		if size[a] > size[b] {
			a, b = b, a
		}
		m.link[a], m.when[a] = b, uint32(k)
		size[b] += size[a]
	}
	return nil
}

func (m *mst) root(v uint32) uint32 {
	for m.link[v] != v {
		v = m.link[v]
	}
	return v
}

// check holds (3) and (4) for the arcs that leave u.
func (m *mst) check(_ int, u uint32) *Violation {
	out := m.g.Out()
	first := out.Offsets.At(u)
	for i, v := range out.Neighbors(u) {
		if u == v || v < u && !m.g.Directed() {
			continue
		}
		k := m.heaviest(u, v)
		if k == never {
			return m.edge(u, v, "its ends not joined in the forest", "a forest that spans every component")
		}
		w, most := out.Weights.At(first+uint64(i)), m.weight(k)
		if !(w >= most) { // also NaN
			h := uint32(m.order[k])
			return m.edge(u, v, fmt.Sprintf("weight %v", w), "at least %v, the weight of edge %s – %s of the forest, which it could replace", most, m.id(m.u[h]), m.id(m.v[h]))
		}
	}
	return nil
}

// weight returns the weight of the edge at place k of order.
func (m *mst) weight(k uint32) float64 {
	x := uint32(m.order[k] >> 32)
	switch w := m.g.Weighted(); {
	case w == graph.Int32:
		return float64(int32(x ^ 1<<31))
	case w == graph.Float32 && x>>31 != 0:
		return float64(math.Float32frombits(x &^ (1 << 31)))
	case w == graph.Float32:
		return float64(math.Float32frombits(^x))
	}
	return 1
}

// heaviest returns the place in order of the heaviest edge of the forest
// between u and v, never when they are not joined.
func (m *mst) heaviest(u, v uint32) (latest uint32) {
	for u != v {
		if m.when[u] > m.when[v] {
			u, v = v, u
		}
		if latest = m.when[u]; latest == never {
			return never
		}
		u = m.link[u]
	}
	return latest
}
