package certify

import (
	"context"
	"fmt"
	"math"

	"gopregel/pregel/graph"
	"gopregel/pregel/parallel"
)

// PageRank certifies ranks that are to solve the equation rank = F(rank),
//
//	F(rank)(v) = (1-d)/n + d·(Σ rank(u)/outdeg(u) + S/n)   over arcs u → v,
//
// d being the damping and S the rank of sinks, to the tolerance in the L1 norm:
//
//	(1) |Σ rank - 1| is within rounding,
//	(2) the residual ‖rank - F(rank)‖ is at most the tolerance, plus rounding.
//
// Theorem. F is a contraction: ‖F(x) - F(y)‖ <= d‖x - y‖, as each unit of x - y is
// spread over arcs, or over all vertices, once, times d. So the solution is
// unique and ‖rank - solution‖ <= residual/(1-d). The last step of an iteration
// that stops at a change of at most the tolerance has a residual of at most d
// times the tolerance.
//
// "Rounding" is the bound on the error of one step in float64 with plain sums,
// u·(Σ (indeg(v)+4)·F(v) + n·S), u = 2^-53; for (1) it is multiplied by
// 1/(1-d), at most 1000, as errors of former steps fade by d.
//
// Cost: O(n + m): one step, in compensated sums (A. Neumaier, 1974).
func PageRank(ctx context.Context, g *graph.Graph, rank []float64, damping, tolerance float64) error {
	r, err := newRanker(ctx, g, rank, damping)
	if err != nil || g.N() == 0 {
		return err
	}
	if !(tolerance >= 0) {
		return fmt.Errorf("certify pagerank: tolerance %v, want at least 0", tolerance)
	}
	residual, rounding, sum, err := r.residual(rank)
	if err != nil {
		return err
	}
	whole := &Violation{Answer: r.answer, Where: "all vertices"}
	if most := rounding * min(1/(1-damping), 1000); !(math.Abs(sum-1) <= most) {
		whole.Found, whole.Want = fmt.Sprintf("ranks that sum to %v", sum), fmt.Sprintf("1, give or take %.3g", most)
		return whole
	}
	if !(residual <= tolerance+rounding) {
		whole.Found = fmt.Sprintf("a residual of %.6g", residual)
		whole.Want = fmt.Sprintf("at most %.6g (and %.3g for rounding)", tolerance, rounding)
		return whole
	}
	return nil
}

// PageRankResidual returns ‖rank - F(rank)‖ in the L1 norm and the bound it puts
// on the distance from the solution.
func PageRankResidual(ctx context.Context, g *graph.Graph, rank []float64, damping float64) (residual, bound float64, err error) {
	r, err := newRanker(ctx, g, rank, damping)
	if err != nil || g.N() == 0 {
		return 0, 0, err
	}
	residual, _, _, err = r.residual(rank)
	return residual, residual / (1 - damping), err
}

// PageRankSteps certifies ranks after exactly the given number of iterations
// from 1/n, each vertex to the relative tolerance. There is no certificate for
// that but to do them again: here by plain loops over in-arcs and in
// compensated sums, in O(iterations·(n + m)).
func PageRankSteps(ctx context.Context, g *graph.Graph, rank []float64, damping float64, iterations int, tolerance float64) error {
	r, err := newRanker(ctx, g, rank, damping)
	if err != nil || g.N() == 0 {
		return err
	}
	if iterations < 0 || !(tolerance >= 0) {
		return fmt.Errorf("certify pagerank: %d iterations to a tolerance of %v, want both at least 0", iterations, tolerance)
	}
	now, next := make([]float64, g.N()), make([]float64, g.N())
	for v := range now {
		now[v] = 1 / float64(g.N())
	}
	for range iterations {
		err := r.step(now, func(_ int, v uint32, x float64) { next[v] = x })
		if err != nil {
			return err
		}
		now, next = next, now
	}
	return r.rows(g.N(), pieceRows, func(_, v int) *Violation {
		if want := now[v]; !(math.Abs(rank[v]-want) <= tolerance*want) {
			return r.at(uint32(v), fmt.Sprintf("rank %v", rank[v]), "%v, to a relative %g, after %d iterations", want, tolerance, iterations)
		}
		return nil
	})
}

type ranker struct {
	checker
	damping float64
	out, in graph.CSR
	bounds  []uint32  // of pieces, the same each time, so that sums are too
	share   []float64 // what each vertex gives along each of its out-arcs
	sinks   float64   // their rank in the last step
}

func newRanker(ctx context.Context, g *graph.Graph, rank []float64, damping float64) (*ranker, error) {
	r := &ranker{checker: checker{ctx, g, "pagerank"}, damping: damping}
	if err := r.has("rank", len(rank)); err != nil {
		return nil, err
	}
	if !(damping >= 0 && damping <= 1) {
		return nil, fmt.Errorf("certify pagerank: damping %v, want a number from 0 to 1", damping)
	}
	if g.N() == 0 {
		return r, nil
	}
	r.out, r.in = g.Out(), g.In()
	r.bounds = r.in.Cut(pieceArcs, 1)
	r.share = make([]float64, g.N())
	return r, r.probabilities(rank)
}

// probabilities checks that ranks are numbers from 0 to 1, give or take rounding.
func (r *ranker) probabilities(rank []float64) error {
	return r.rows(len(rank), pieceRows, func(_, v int) *Violation {
		if x := rank[v]; !(x >= 0 && x < 2) {
			return r.at(uint32(v), fmt.Sprintf("rank %v", x), "a probability")
		}
		return nil
	})
}

// step calls visit with F(rank) of every vertex.
func (r *ranker) step(rank []float64, visit func(piece int, v uint32, x float64)) error {
	n := float64(len(rank))
	sinks := make([]sum, len(r.bounds)-1)
	err := r.inOrder(func(i int, v uint32) {
		if d := r.out.Degree(v); d > 0 {
			r.share[v] = rank[v] / float64(d)
		} else {
			sinks[i].add(rank[v])
		}
	})
	if err != nil {
		return err
	}
	r.sinks = total(sinks)
	return r.inOrder(func(i int, v uint32) {
		var s sum
		for _, u := range r.in.Neighbors(v) {
			s.add(r.share[u])
		}
		s.add(r.sinks / n)
		visit(i, v, (1-r.damping)/n+r.damping*s.value())
	})
}

// inOrder calls f for the vertices of each piece, in order.
func (r *ranker) inOrder(f func(piece int, v uint32)) error {
	parallel.Range(0, len(r.bounds)-1, 1, func(_, i, _ int) {
		if r.ctx.Err() != nil {
			return
		}
		for v := r.bounds[i]; v < r.bounds[i+1]; v++ {
			f(i, v)
		}
	})
	return r.ctx.Err()
}

// residual returns ‖rank - F(rank)‖, what rounding may add to it, and Σ rank.
func (r *ranker) residual(rank []float64) (residual, rounding, all float64, err error) {
	pieces := len(r.bounds) - 1
	differences, errors, ranks := make([]sum, pieces), make([]sum, pieces), make([]sum, pieces)
	err = r.step(rank, func(i int, v uint32, x float64) {
		differences[i].add(math.Abs(rank[v] - x))
		errors[i].add(float64(r.in.Degree(v)+4) * x)
		ranks[i].add(rank[v])
	})
	n := float64(len(rank))
	rounding = (total(errors) + n*r.sinks) / (1 << 53)
	return total(differences), rounding, total(ranks), err
}

// sum adds numbers and keeps what rounding would lose.
type sum struct{ high, low float64 }

func (s *sum) add(x float64) {
	t := s.high + x
	if math.Abs(s.high) >= math.Abs(x) {
		s.low += (s.high - t) + x
	} else {
		s.low += (x - t) + s.high
	}
	s.high = t
}

func (s *sum) value() float64 { return s.high + s.low }

func total(list []sum) float64 {
	var s sum
	for i := range list {
		s.add(list[i].high)
		s.add(list[i].low)
	}
	return s.value()
}
