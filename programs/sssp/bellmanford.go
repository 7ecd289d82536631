package sssp

import (
	"context"
	"fmt"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
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
// A look continues the relaxation on a copy, one vertex after the other, and
// remembers for each vertex through which arc it got nearer last. Where these
// arcs close a cycle, its weight is negative: around it every distance has
// fallen since it was used (B. Cherkassky, A. Goldberg, Negative-cycle detection
// algorithms, 1999). Conversely a vertex that still gets nearer after n rounds
// hangs on a cycle. A look after s supersteps takes s rounds at most, so that
// all looks together cost no more than a small multiple of the relaxation, and
// one with n rounds comes before 2n supersteps. Where no weight is negative
// nothing is looked for.
type watched[T distance] struct {
	program[T]
	g     *graph.Graph
	dist  []T
	check int // the superstep of the next look
}

// Setup keeps when the next look is due.
func (p *watched[T]) Setup(s *pregel.Setup) error {
	pregel.Keep(s, &p.check)
	return nil
}

func (p *watched[T]) Barrier(s *pregel.Step) {
	if s.Superstep < p.check {
		return
	}
	l := newLook(p.g.Out(), p.dist, p.far)
	if cycle := l.negativeCycle(p.check); cycle != nil {
		s.Fail(&NegativeCycle{cycle, p.g.IDs().Text(slices.Min(cycle))})
	}
	p.check *= 2
}

// bellmanFord relaxes at once; least is the least weight.
func bellmanFord[T distance](ctx context.Context, j *pregel.Job, relax program[T], least float64) (pregel.Result[T], error) {
	if least >= 0 {
		return pregel.RunEdge(ctx, j, relax)
	}
	dist := make([]T, j.Graph.N())
	p := &watched[T]{program: relax, g: j.Graph, dist: dist, check: 4}
	return pregel.RunEdge(ctx, j, p, pregel.WithValues(dist))
}

// A look is a relaxation that remembers arcs.
type look[T distance] struct {
	out    graph.CSR
	dist   []T
	parent []uint32 // the source of the arc that made a vertex nearer last; None
	via    []T      // its weight
	active []uint32 // vertices whose arcs are to be relaxed
	listed bitmap.Bitmap
	walk   []uint32 // where the walk began that met a vertex first; None: none has
	met    []uint32 // the vertices that walks have met
	work   int      // vertices and arcs relaxed since the last walks
}

func newLook[T distance](out graph.CSR, dist []T, far T) *look[T] {
	l := &look[T]{out: out, dist: slices.Clone(dist), via: make([]T, len(dist)), listed: bitmap.New(len(dist))}
	l.parent, l.walk = slices.Repeat([]uint32{graph.None}, len(dist)), slices.Repeat([]uint32{graph.None}, len(dist))
	for v, d := range dist {
		if d != far {
			l.active = append(l.active, uint32(v))
		}
	}
	return l
}

// negativeCycle relaxes for some rounds, until a cycle shows or nothing changes. On a
// long path few vertices change in a round, far from where their parents end: a cycle is
// searched for when as many arcs have been relaxed as vertices were met the last time,
// and after the last round.
func (l *look[T]) negativeCycle(rounds int) []uint32 {
	for i := range rounds {
		l.active = l.relax()
		if len(l.active) == 0 {
			return nil
		}
		if l.work < len(l.met) && i < rounds-1 {
			continue
		}
		if cycle := l.cycle(l.active); cycle != nil {
			return cycle
		}
	}
	return nil
}

// relax relaxes the arcs of the active vertices and returns the vertices that
// got nearer.
func (l *look[T]) relax() (changed []uint32) {
	for _, u := range l.active {
		lo, row := l.out.Offsets.At(u), l.out.Neighbors(u)
		l.work += 1 + len(row)
		for i, v := range row {
			w := weight[T](l.out, lo+uint64(i))
			if d := l.dist[u] + w; d < l.dist[v] {
				l.dist[v], l.parent[v], l.via[v] = d, u, w
				if !l.listed.Has(v) {
					l.listed.Set(v)
					changed = append(changed, v)
				}
			}
		}
	}
	for _, v := range changed {
		l.listed.Clear(v)
	}
	return changed
}

// cycle returns a cycle of negative weight that parents lead to from the given
// vertices. In floats a cycle may have weight 0, closed by rounding alone; that
// is no answer.
func (l *look[T]) cycle(from []uint32) []uint32 {
	for _, u := range l.met {
		l.walk[u] = graph.None
	}
	l.met, l.work = l.met[:0], 0
	for _, v := range from {
		u := v
		for ; u != graph.None && l.walk[u] == graph.None; u = l.parent[u] {
			l.walk[u] = v
			l.met = append(l.met, u)
		}
		if u == graph.None || l.walk[u] != v {
			continue
		}
		if cycle, sum := l.around(u); sum < 0 {
			return cycle
		}
	}
	return nil
}

// around returns the cycle of parents through u, in order of its arcs, and its
// weight.
func (l *look[T]) around(u uint32) (cycle []uint32, sum T) {
	for v := u; ; {
		cycle = append(cycle, v)
		sum += l.via[v]
		if v = l.parent[v]; v == u {
			break
		}
	}
	slices.Reverse(cycle)
	return cycle, sum
}
