package certify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
)

// iterate pushes rank along arcs, step by step.
func iterate(g *graph.Graph, d float64, rank []float64) []float64 {
	n := float64(g.N())
	next := make([]float64, g.N())
	sinks := 0.0
	for u := range next {
		if g.Out().Degree(uint32(u)) == 0 {
			sinks += rank[u]
		}
	}
	for _, a := range arcs(g) {
		next[a.v] += rank[a.u] / float64(g.Out().Degree(a.u))
	}
	for v := range next {
		next[v] = (1-d)/n + d*(next[v]+sinks/n)
	}
	return next
}

func uniformRanks(n int) []float64 {
	rank := make([]float64, n)
	for v := range rank {
		rank[v] = 1 / float64(n)
	}
	return rank
}

func distance(a, b []float64) (sum float64) {
	for v := range a {
		sum += math.Abs(a[v] - b[v])
	}
	return sum
}

func TestPageRank(t *testing.T) {
	r, seed := fresh()
	for range 200 {
		g := random(t, r, randomShape(r, 30))
		d := []float64{0, 0.5, 0.85, 0.9}[r.IntN(4)]
		tolerance := math.Pow(10, -float64(r.IntN(13)))
		rank, change := uniformRanks(g.N()), math.Inf(1)
		for change > tolerance {
			next := iterate(g, d, rank)
			rank, change = next, distance(next, rank)
		}
		verdict(t, certify.PageRank(t.Context(), g, rank, d, tolerance), true, "seed %d: damping %g tolerance %g ranks %v\n%s", seed, d, tolerance, rank, text(g))
		residual, bound, err := certify.PageRankResidual(t.Context(), g, rank, d)
		if want := distance(rank, iterate(g, d, rank)); err != nil || math.Abs(residual-want) > 1e-14 {
			t.Fatalf("seed %d: residual %g, %v, want %g", seed, residual, err, want)
		}
		exact := rank
		for range 400 {
			exact = iterate(g, d, exact)
		}
		if off := distance(rank, exact); off > bound+1e-12 {
			t.Fatalf("seed %d: %g off the solution, bound %g", seed, off, bound)
		}
		for range 10 {
			x := mutateRanks(r, rank, tolerance/(1-d))
			off := distance(x, exact)
			// What is this far off has a residual above the tolerance.
			if off*(1-d) > tolerance+1e-13 || math.IsNaN(off) {
				verdict(t, certify.PageRank(t.Context(), g, x, d, tolerance), false, "seed %d: damping %g tolerance %g ranks %v, want %v\n%s", seed, d, tolerance, x, exact, text(g))
			}
		}
	}
}

// mutateRanks moves more than least of the rank to where it does not belong.
func mutateRanks(r *rand.Rand, rank []float64, least float64) []float64 {
	x := slices.Clone(rank)
	v, u := r.IntN(len(x)), r.IntN(len(x))
	amount := least * (1.1 + r.Float64())
	switch r.IntN(6) {
	case 0:
		x[v] += amount
	case 1: // the sum stays 1
		x[v] += amount
		x[u] -= amount
	case 2:
		x[v] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), -x[v]}[r.IntN(4)]
	case 3:
		for v := range x {
			x[v] *= 1 + amount
		}
	case 4:
		x[v], x[u] = x[u], x[v]
	case 5:
		return uniformRanks(len(x))
	}
	return x
}

func TestPageRankSumIsChecked(t *testing.T) {
	r, seed := fresh()
	for range 50 {
		g := random(t, r, randomShape(r, 30))
		rank := uniformRanks(g.N())
		for range 500 {
			rank = iterate(g, 0.85, rank)
		}
		verdict(t, certify.PageRank(t.Context(), g, rank, 0.85, 1e-6), true, "seed %d", seed)
		for v := range rank {
			rank[v] *= 1 + 1e-9 // within the tolerance, but not a distribution
		}
		verdict(t, certify.PageRank(t.Context(), g, rank, 0.85, 1e-6), false, "seed %d", seed)
	}
}

func TestPageRankSteps(t *testing.T) {
	r, seed := fresh()
	for range 200 {
		g := random(t, r, randomShape(r, 30))
		d := []float64{0, 0.85, 1}[r.IntN(3)]
		steps := r.IntN(12)
		rank := uniformRanks(g.N())
		for range steps {
			rank = iterate(g, d, rank)
		}
		verdict(t, certify.PageRankSteps(t.Context(), g, rank, d, steps, 1e-12), true, "seed %d: %d steps\n%s", seed, steps, text(g))
		for range 10 {
			x := slices.Clone(rank)
			x[r.IntN(len(x))] *= []float64{1 + 1e-10, 1 - 1e-10, -1, math.NaN(), math.Inf(1), 0}[r.IntN(6)]
			right := slices.Equal(x, rank)
			verdict(t, certify.PageRankSteps(t.Context(), g, x, d, steps, 1e-12), right, "seed %d: %d steps, %v, want %v\n%s", seed, steps, x, rank, text(g))
		}
		next := iterate(g, d, rank) // one step too many
		right := true
		for v := range next {
			right = right && math.Abs(next[v]-rank[v]) <= 1e-12*rank[v]
		}
		verdict(t, certify.PageRankSteps(t.Context(), g, next, d, steps, 1e-12), right, "seed %d: a step too many\n%s", seed, text(g))
	}
}
