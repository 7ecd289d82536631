package sssp

import (
	"context"
	"slices"
	"sort"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// sourceOf returns the vertex that arc i leaves.
func sourceOf(c graph.CSR, i uint64) uint32 {
	return uint32(sort.Search(c.N(), func(u int) bool { return c.Offsets.At(uint32(u)+1) > i }))
}

// parents chooses the parent of every reached vertex from the distances alone.
//
// An arc is tight when distance(u) + w = distance(v); every reached vertex but
// the source has a tight arc. Without negative weights, tight arcs along which
// the distance grows form no cycle, neither alone nor with those along which it
// stays, so the least such u will do; what is left hangs on arcs that add
// nothing, and breadth-first search along these fixes the order. With negative
// weights every vertex but the source is left to the search.
func parents[T distance](ctx context.Context, j *pregel.Job, source uint32, dist []T, far T, negative bool) ([]uint32, error) {
	parent := mem.Take[uint32](len(dist))
	in := j.Graph.In()
	left := make([][]uint32, j.Engine.Pool().Workers())
	bounds := in.Cut(1<<15, pregel.BlockSize)
	err := j.Engine.Pool().For(len(bounds)-1, func(i int, w *pregel.Worker) {
		lo, hi := bounds[i], bounds[i+1]
		switch {
		case negative:
			for v := lo; v < hi; v++ {
				parent[v] = graph.None
			}
		case in.Weights.Int != nil:
			nearer(in, in.Weights.Int, dist, far, parent, lo, hi)
		case in.Weights.Float != nil:
			nearer(in, in.Weights.Float, dist, far, parent, lo, hi)
		default:
			nearer[T, int32](in, nil, dist, far, parent, lo, hi)
		}
		for v := lo; v < hi; v++ {
			if parent[v] == graph.None && v != source && dist[v] != far {
				left[w.Slot] = append(left[w.Slot], v)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	h := hanger[T]{in: in, out: j.Graph.Out(), dist: dist, far: far, parent: parent, waiting: bitmap.New(len(dist))}
	defer mem.Give(h.waiting)
	return parent, h.hang(ctx, slices.Concat(left...))
}

// Of so few arcs all are looked at, without a branch: which is the first that is tight
// cannot be foreseen, and on grids a mistaken guess took longer than an arc.
const short = 4

// nearer gives each vertex from lo to hi the least source of a tight arc along which
// the distance grows, if there is one: an unreached vertex, and the source, have none.
func nearer[T distance, W int32 | float32](in graph.CSR, weights []W, dist []T, far T, parent []uint32, lo, hi uint32) {
	begin := in.Offsets.At(lo)
	for v := lo; v < hi; v++ {
		d, end, least := dist[v], in.Offsets.At(v+1), graph.None
		us, at := in.Targets[begin:end], begin
		begin = end
		switch {
		case d == far:
		case weights == nil:
			least = nearestBefore(us, dist, d)
		case len(us) > short:
			least = firstNearer(us, weights[at:end], dist, d)
		default:
			ws := weights[at:end]
			for i := len(us) - 1; i >= 0; i-- {
				least = ifNearer(us[i], least, dist[us[i]], T(ws[i]), d)
			}
		}
		parent[v] = least
	}
}

// ifNearer is u if its distance x is less than d, and d with the weight w; else other.
func ifNearer[T distance](u, other uint32, x, w, d T) uint32 {
	if x+w != d {
		u = other
	}
	if x >= d {
		u = other
	}
	return u
}

// firstNearer is the first source of an arc for which that holds.
func firstNearer[T distance, W int32 | float32](us []uint32, weights []W, dist []T, d T) uint32 {
	weights = weights[:len(us)]
	for i, u := range us {
		if x := dist[u]; x < d && x+T(weights[i]) == d {
			return u
		}
	}
	return graph.None
}

// nearestBefore is firstNearer where all weights are 1: no neighbour is nearer by more.
func nearestBefore[T distance](us []uint32, dist []T, d T) uint32 {
	for _, u := range us {
		if dist[u] < d {
			return u
		}
	}
	return graph.None
}

// tight returns the least source of a tight arc to v that is allowed.
func tight[T distance](in graph.CSR, dist []T, v uint32, allowed func(u uint32) bool) uint32 {
	lo := in.Offsets.At(v)
	for i, u := range in.Neighbors(v) {
		if u != v && dist[u]+weight[T](in, lo+uint64(i)) == dist[v] && allowed(u) {
			return u
		}
	}
	return graph.None
}

func weight[T distance](c graph.CSR, i uint64) T {
	switch {
	case c.Weights.Int != nil:
		return T(c.Weights.Int[i])
	case c.Weights.Float != nil:
		return T(c.Weights.Float[i])
	}
	return 1
}

// hanger gives parents by breadth-first search along tight arcs.
type hanger[T distance] struct {
	in, out graph.CSR
	dist    []T
	far     T
	parent  []uint32
	waiting bitmap.Bitmap // reached vertices without a parent, but for the source
}

// hang gives the vertices of rest their parents, round by round: those with a
// tight arc from a vertex that was hung, or needed not be, in a round before.
func (h *hanger[T]) hang(ctx context.Context, rest []uint32) error {
	for _, v := range rest {
		h.waiting.Set(v)
	}
	round := rest // vertices that may be hung in this round
	for len(round) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		var hung []uint32
		for _, v := range round {
			u := tight(h.in, h.dist, v, func(u uint32) bool { return h.dist[u] != h.far && !h.waiting.Has(u) })
			if h.parent[v] = u; u != graph.None {
				hung = append(hung, v)
			}
		}
		for _, v := range hung {
			h.waiting.Clear(v)
		}
		round = h.below(hung)
	}
	return nil
}

// below returns the waiting vertices that the vertices of hung have arcs to.
func (h *hanger[T]) below(hung []uint32) []uint32 {
	var round []uint32
	for _, u := range hung {
		for _, v := range h.out.Neighbors(u) {
			if h.waiting.Has(v) {
				round = append(round, v)
			}
		}
	}
	slices.Sort(round)
	return slices.Compact(round)
}
