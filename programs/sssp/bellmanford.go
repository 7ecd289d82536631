package sssp

import (
	"context"
	"fmt"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// A NegativeCycle is the error of a source that reaches a cycle of negative
// weight: there are no shortest paths.
type NegativeCycle struct {
	Vertices []uint32 // in order of the arcs
	ID       string   // of the least of them
}

func (e *NegativeCycle) Error() string {
	return fmt.Sprintf("negative cycle of %d arcs through vertex %s", len(e.Vertices), e.ID)
}

// watched is relaxation that looks for a negative cycle after 4, 8, 16, …
// supersteps. Without one no path needs more than n-1 arcs and relaxation ends
// by itself; with one it never would.
//
// Let parent(v) be the u for which dist(u) + w(u,v) is least. For a vertex that
// was relaxed that is at most dist(v), since distances only fall. Around a
// cycle of parents the weights therefore sum to at most 0, and a cycle that
// sums to less is the proof. As the distances on negative cycles fall for ever,
// following parents from them must end in one.
type watched[T distance] struct {
	program[T]
	g     *graph.Graph
	dist  []T
	check int // the superstep of the next look
}

func (p *watched[T]) Barrier(s *pregel.Step) {
	if s.Superstep < p.check {
		return
	}
	p.check *= 2
	if cycle := p.negativeCycle(); cycle != nil {
		least := cycle[0]
		for _, v := range cycle {
			least = min(least, v)
		}
		s.Fail(&NegativeCycle{cycle, p.g.IDs().Text(least)})
	}
}

func bellmanFord[T distance](ctx context.Context, j *pregel.Job, relax program[T]) (pregel.Result[T], error) {
	dist := make([]T, j.Graph.N())
	p := &watched[T]{program: relax, g: j.Graph, dist: dist, check: 4}
	return pregel.RunEdge(ctx, j, p, pregel.WithValues(dist))
}

// negativeCycle follows best parents from every vertex until a vertex is met
// again. O(n + m).
func (p *watched[T]) negativeCycle() []uint32 {
	in := p.g.In()
	parent, via := make([]uint32, len(p.dist)), make([]T, len(p.dist))
	for v := range uint32(len(p.dist)) {
		parent[v], via[v] = p.best(in, v)
	}
	walk := make([]uint32, len(p.dist)) // which walk has met v, from 1
	for v := range uint32(len(p.dist)) {
		u := v
		for u != graph.None && walk[u] == 0 {
			walk[u] = v + 1
			u = parent[u]
		}
		if u == graph.None || walk[u] != v+1 {
			continue
		}
		if cycle, sum := around(u, parent, via); sum < 0 {
			return cycle
		}
	}
	return nil
}

// best returns the in-neighbour through which v is nearest, if that is as near
// as v has come, and the weight of the arc from it.
func (p *watched[T]) best(in graph.CSR, v uint32) (u uint32, via T) {
	u = graph.None
	if p.dist[v] == p.far {
		return u, 0
	}
	nearest := p.far
	lo := in.Offsets[v]
	for i, x := range in.Neighbors(v) {
		if p.dist[x] == p.far {
			continue
		}
		w := weight[T](in, lo+uint64(i))
		if d := p.dist[x] + w; d < nearest && d <= p.dist[v] {
			u, via, nearest = x, w, d
		}
	}
	if v == p.source && nearest >= 0 {
		return graph.None, 0
	}
	return u, via
}

// around returns the cycle of parents through u, in order of its arcs, and its
// weight.
func around[T distance](u uint32, parent []uint32, via []T) (cycle []uint32, sum T) {
	for v := u; ; {
		cycle = append(cycle, v)
		sum += via[v]
		if v = parent[v]; v == u {
			break
		}
	}
	for i, k := 0, len(cycle)-1; i < k; i, k = i+1, k-1 {
		cycle[i], cycle[k] = cycle[k], cycle[i]
	}
	return cycle, sum
}
