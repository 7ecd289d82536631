package certify_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
)

// fresh returns a random source and the seed to print when a test fails.
func fresh() (*rand.Rand, uint64) {
	seed := rand.Uint64()
	return rand.New(rand.NewPCG(seed, 1)), seed
}

// shape says what a random graph is like.
type shape struct {
	n, m     int
	directed bool
	weights  graph.WeightKind
	least    int // weight
	most     int
}

// random makes a graph with loops, parallel arcs, isolated vertices and ids of
// all three kinds. Float weights are multiples of 1/4, or of 0.1 (whose sums are
// rounded).
func random(t testing.TB, r *rand.Rand, s shape) *graph.Graph {
	t.Helper()
	var b graph.Columns
	unit := float32(0.25)
	if r.IntN(2) == 0 {
		unit = 0.1
	}
	for range s.m {
		b.U = append(b.U, r.Uint32N(uint32(s.n)))
		b.V = append(b.V, r.Uint32N(uint32(s.n)))
		w := s.least + r.IntN(s.most-s.least+1)
		switch s.weights {
		case graph.Int32:
			b.Weights.Int = append(b.Weights.Int, int32(w))
		case graph.Float32:
			b.Weights.Float = append(b.Weights.Float, float32(w)*unit)
		}
	}
	g, err := graph.Build(context.Background(), randomIDs(t, r, s.n), b, graph.Options{Directed: s.directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func randomIDs(t testing.TB, r *rand.Rand, n int) graph.IDs {
	t.Helper()
	var ids graph.IDs
	var err error
	switch r.IntN(3) {
	case 0:
		ids = graph.RangeIDs(r.Uint64N(100), n)
	case 1:
		list := make([]uint64, n)
		for v := range list {
			list[v] = uint64(v)*7 + 3
		}
		ids, err = graph.NumberIDs(list)
	default:
		list := make([]string, n)
		for v := range list {
			list[v] = fmt.Sprintf("v%04d", v)
		}
		ids, err = graph.NameIDs(list)
	}
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func randomShape(r *rand.Rand, most int) shape {
	n := 1 + r.IntN(most)
	return shape{n: n, m: r.IntN(3*n + 1), directed: r.IntN(2) == 0, most: 1}
}

// arcs lists the arcs of a graph the simple way.
type weighted struct {
	u, v uint32
	w    float64
}

func arcs(g *graph.Graph) (list []weighted) {
	c := g.Out()
	for u := range uint32(g.N()) {
		for i, v := range c.Neighbors(u) {
			list = append(list, weighted{u, v, c.Weights.At(c.Offsets.At(u) + uint64(i))})
		}
	}
	return list
}

// verdict checks that a certificate says what it should: nothing about a right
// answer, a violation about a wrong one.
func verdict(t *testing.T, err error, right bool, format string, args ...any) {
	t.Helper()
	var broken *certify.Violation
	switch {
	case right && err != nil:
		t.Fatalf("right answer rejected: %v\n%s", err, fmt.Sprintf(format, args...))
	case !right && err == nil:
		t.Fatalf("wrong answer accepted\n%s", fmt.Sprintf(format, args...))
	case !right && !errors.As(err, &broken):
		t.Fatalf("wrong answer gives no violation but: %v\n%s", err, fmt.Sprintf(format, args...))
	case !right && (broken.Answer == "" || broken.Where == "" || broken.Found == "" || broken.Want == ""):
		t.Fatalf("violation with an empty part: %+v", broken)
	}
}

func text(g *graph.Graph) string {
	return fmt.Sprintf("directed %v, %d vertices, arcs %v", g.Directed(), g.N(), arcs(g))
}

// every calls f with every list of n numbers taken from values.
func every(values []uint32, n int, f func([]uint32)) {
	list := make([]uint32, n)
	var fill func(i int)
	fill = func(i int) {
		if i == n {
			f(list)
			return
		}
		for _, x := range values {
			list[i] = x
			fill(i + 1)
		}
	}
	fill(0)
}
