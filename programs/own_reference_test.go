package programs_test

import (
	"context"
	"fmt"
	"math"
	"sync"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
)

// What BenchmarkOwn times, and TestOwn runs, is held to certificates of the answer, ranks to a plain loop: once for each
// line, outside of the time. So are the built-in programs, whose columns are made then, too.

// rightHops certifies depths.
func rightHops(ctx context.Context, g *graph.Graph, source uint32) func([]uint32) error {
	return func(hops []uint32) error { return certify.BFS(ctx, g, source, hops, nil) }
}

// rightLengths certifies distances along weights that are whole numbers.
func rightLengths(ctx context.Context, g *graph.Graph, source uint32) func([]float64) error {
	return func(lengths []float64) error {
		whole := make([]int64, len(lengths))
		for v, x := range lengths {
			if whole[v] = certify.Unreached[int64](); !math.IsInf(x, 1) {
				whole[v] = int64(x)
			}
			if !math.IsInf(x, 1) && float64(whole[v]) != x {
				return fmt.Errorf("vertex %d has length %v, want a whole number", v, x)
			}
		}
		return certify.SSSP(ctx, g, source, whole, nil)
	}
}

// rightRanks compares with plainRanks: sums in another order differ by rounding.
func rightRanks(g *graph.Graph) func([]float64) error {
	plain := sync.OnceValue(func() []float64 { return plainRanks(g) })
	return func(ranks []float64) error {
		for v, want := range plain() {
			if !near(ranks[v], want) {
				return fmt.Errorf("vertex %d has rank %v, want %v", v, ranks[v], want)
			}
		}
		return nil
	}
}

// plainRanks are ten iterations of ranks.
func plainRanks(g *graph.Graph) []float64 {
	x := make([]float64, g.N())
	for v := range x {
		x[v] = 1
	}
	for range 10 {
		sums := make([]float64, g.N())
		for u, rank := range x {
			row := g.Out().Neighbors(uint32(u))
			for _, v := range row {
				sums[v] += rank / float64(len(row))
			}
		}
		for v, sum := range sums {
			x[v] = 0.15 + 0.85*sum
		}
	}
	return x
}

func near(x, want float64) bool {
	return x == want || !math.IsInf(want, 0) && math.Abs(x-want) <= 1e-12*want
}

// What is infinitely far is near nothing else.
func TestNear(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		x, want float64
		near    bool
	}{{3, 3, true}, {3 + 1e-12, 3, true}, {3 + 1e-9, 3, false}, {inf, inf, true}, {3, inf, false}, {-inf, inf, false}, {inf, 3, false}, {nan, 3, false}, {nan, inf, false}, {0, 0, true}, {1e-300, 0, false}} {
		if near(c.x, c.want) != c.near {
			t.Errorf("%v and %v: near %v", c.x, c.want, !c.near)
		}
	}
}
