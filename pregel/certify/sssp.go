package certify

import (
	"context"
	"fmt"
	"math"

	"gopregel/pregel/graph"
)

// A Distance is the length of a path: an integer where weights are integers or
// absent (absent weights count 1), else a float64.
type Distance interface{ int64 | uint64 | float64 }

// Unreached is the distance of a vertex that cannot be reached: the greatest
// value of an integer type, +Inf of float64.
func Unreached[D Distance]() (far D) {
	switch p := any(&far).(type) {
	case *int64:
		*p = math.MaxInt64
	case *uint64:
		*p = math.MaxUint64
	case *float64:
		*p = math.Inf(1)
	}
	return far
}

// SSSP certifies distances and parents of shortest paths from the source:
// dist(v) is the least sum of weights of a path from the source to v; parent(v)
// the vertex before v on such a path. The source has no parent, an unreached
// vertex neither distance (Unreached) nor parent (graph.None). parent may be
// nil: then distances alone are certified. Of several shortest path trees any
// is accepted. Weights may be negative unless D is uint64.
//
// Theorem. Let dist(source) = 0 and
//
//	(1) dist(v) <= dist(u) + w, and v is reached, for every arc u → v of weight w of a reached u,
//	(2) dist(v) = dist(p) + w for an arc p → v of weight w from p = parent(v), for every reached v but the source,
//	(3) the parents form a tree: following them leads to the source.
//
// Then dist is the distance. By (1), along any path from the source dist grows
// by at most the weights, so no path to v is shorter than dist(v); in
// particular no cycle that can be reached is negative. By (2) and (3) the path
// of the parents has length dist(v). (3) does not follow from (2) when weights
// are 0 or negative, or are lost in rounding. Without parents, (2) and (3) are
// replaced by: arcs with dist(v) = dist(u) + w lead from the source to every
// reached v.
//
// Sums of integers cannot overflow unnoticed: what (2) and (3) hold for is the
// length of a path of fewer than 2^32 arcs, which fits.
//
// Distances of float weights are sums float64(dist) + float64(w), rounded once
// each and compared exactly. Rounded addition is monotone, so the theorem holds
// with "length" read as the sum rounded from the source onwards.
//
// Cost: O(n log d + m). The rules are the optimality conditions of the dual
// linear program (Ahuja, Magnanti, Orlin: Network Flows, 1993, section 5.2).
func SSSP[D Distance](ctx context.Context, g *graph.Graph, source uint32, dist []D, parent []uint32) error {
	s := sssp[D]{checker: checker{ctx, g, "sssp"}, source: source, dist: dist, parent: parent, far: Unreached[D](), weights: g.Out().Weights}
	if err := s.prepare(); err != nil {
		return err
	}
	if dist[source] != 0 {
		return s.at(source, s.text(dist[source]), "distance 0, as it is the source")
	}
	if err := s.each(g.Out(), s.check); err != nil {
		return err
	}
	if parent == nil {
		return s.checkTight()
	}
	return s.checkTree()
}

type sssp[D Distance] struct {
	checker
	source  uint32
	dist    []D
	parent  []uint32
	far     D             // of an unreached vertex
	weights graph.Weights // of the out-arcs
}

func (s *sssp[D]) prepare() error {
	if err := s.has("distance", len(s.dist)); err != nil {
		return err
	}
	if s.parent != nil {
		if err := s.has("parent", len(s.parent)); err != nil {
			return err
		}
	}
	if isFloat := D(1)/2 != 0; s.g.Weighted() == graph.Float32 && !isFloat {
		return fmt.Errorf("certify sssp: distances are whole numbers, but the weights of the graph are floats")
	}
	return s.hasSource(s.source)
}

func (s *sssp[D]) text(d D) string {
	if d == s.far {
		return "no distance"
	}
	return fmt.Sprintf("distance %v", d)
}

// weight returns the weight at a place of the out-arcs.
func (s *sssp[D]) weight(place uint64) D {
	switch {
	case s.weights.Int != nil:
		return D(s.weights.Int[place])
	case s.weights.Float != nil:
		return D(s.weights.Float[place])
	}
	return 1
}

// check holds the rules at u and on the arcs that leave it.
func (s *sssp[D]) check(_ int, u uint32) *Violation {
	d := s.dist[u]
	if s.parent != nil {
		if broken := s.checkParent(u, d); broken != nil {
			return broken
		}
	}
	if d == s.far {
		return nil
	}
	out := s.g.Out()
	first := out.Offsets.At(u)
	unsigned := D(0)-1 > 0
	for i, v := range out.Neighbors(u) {
		w := s.weight(first + uint64(i))
		if unsigned && s.weights.Int != nil && s.weights.Int[first+uint64(i)] < 0 {
			return s.on(u, v, fmt.Sprintf("weight %d", s.weights.Int[first+uint64(i)]), "no negative weights, as distances are unsigned")
		}
		if !(s.dist[v] <= d+w) { // also when one is NaN
			return s.at(v, s.text(s.dist[v]), "at most %v, the %s of %s and the weight %v of its edge to it", d+w, s.text(d), s.id(u), w)
		}
	}
	return nil
}

func (s *sssp[D]) checkParent(v uint32, d D) *Violation {
	p := s.parent[v]
	if v == s.source || d == s.far {
		if p != graph.None {
			return s.at(v, "parent "+s.id(p), "no parent, as it is the source or unreached")
		}
		return nil
	}
	if !s.isVertex(p) || s.dist[p] == s.far {
		return s.at(v, "parent "+s.id(p), "a vertex with a distance")
	}
	place, ok := arc(s.g.Out(), p, v)
	if !ok {
		return s.at(v, "parent "+s.id(p), "a vertex with an edge to it")
	}
	if w := s.weight(place); s.dist[p]+w != d {
		return s.at(v, s.text(d), "%v, the %s of its parent %s and the weight %v of the edge from it", s.dist[p]+w, s.text(s.dist[p]), s.id(p), w)
	}
	return nil
}

// checkTree follows the parents of every vertex to one that is known to be
// below the source. Cost: O(n).
func (s *sssp[D]) checkTree() error {
	const (
		unknown = iota
		onPath
		below
	)
	state := make([]uint8, len(s.parent))
	state[s.source] = below
	var path []uint32
	for v := range s.parent {
		if v%(1<<20) == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if s.dist[v] == s.far {
			continue
		}
		x := uint32(v)
		for ; state[x] == unknown; x = s.parent[x] {
			state[x] = onPath
			path = append(path, x)
		}
		if state[x] == onPath {
			return s.at(x, "itself among its own ancestors", "parents that lead to the source")
		}
		for _, y := range path {
			state[y] = below
		}
		path = path[:0]
	}
	return nil
}

// checkTight stands in for the parents.
func (s *sssp[D]) checkTight() error {
	seen, err := s.reach([]uint32{s.source}, []graph.CSR{s.g.Out()}, func(_ int, place uint64, u, v uint32) bool {
		return s.dist[u]+s.weight(place) == s.dist[v]
	})
	if err != nil {
		return err
	}
	return s.each(s.g.Out(), func(_ int, v uint32) *Violation {
		if s.dist[v] != s.far && !seen.Has(v) {
			return s.at(v, s.text(s.dist[v]), "a greater one, as no path from the source is so short")
		}
		return nil
	})
}

// NegativeCycle certifies that there are no shortest paths: the vertices, each
// once, in the order of the arcs, form a cycle of negative weight that can be
// reached from the source (graph.None: from anywhere). Of parallel arcs the
// lightest counts.
//
// Cost: O(length log d), and O(n + m) for the search from the source.
func NegativeCycle(ctx context.Context, g *graph.Graph, source uint32, cycle []uint32) error {
	c := checker{ctx, g, "negative cycle"}
	if source != graph.None {
		if err := c.hasSource(source); err != nil {
			return err
		}
	}
	if len(cycle) == 0 {
		return &Violation{Answer: c.answer, Where: "the list of vertices", Found: "none", Want: "at least one"}
	}
	out, sum := g.Out(), 0.0
	seen := make(map[uint32]bool, len(cycle))
	for i, u := range cycle {
		v := cycle[(i+1)%len(cycle)]
		if !c.isVertex(u) || seen[u] {
			return c.at(u, "it on the cycle", "vertices of the graph, each once")
		}
		seen[u] = true
		if !c.isVertex(v) {
			return c.at(v, "it on the cycle", "vertices of the graph, each once")
		}
		place, ok := arc(out, u, v)
		if !ok {
			return c.on(u, v, "no such edge", "an edge for every step of the cycle")
		}
		sum += out.Weights.At(place)
	}
	if !(sum < 0) {
		return c.at(cycle[0], fmt.Sprintf("a cycle of weight %v through it", sum), "a negative weight")
	}
	if source == graph.None {
		return nil
	}
	reached, err := c.reach([]uint32{source}, []graph.CSR{out}, func(int, uint64, uint32, uint32) bool { return true })
	if err == nil && !reached.Has(cycle[0]) {
		return c.at(cycle[0], "it out of reach of "+c.id(source), "a cycle that the source reaches")
	}
	return err
}
