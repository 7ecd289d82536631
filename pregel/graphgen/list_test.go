package graphgen_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
)

// A graph built of the list is the one that Generate makes, for any number of
// workers.
func TestEdgeListIsTheGraph(t *testing.T) {
	t.Parallel()
	for _, s := range []graphgen.Spec{{Kind: "kronecker", Scale: 11, Seed: 5}, {Kind: "uniform", N: 700, EdgeFactor: 90}, {Kind: "rmat", Scale: 1, EdgeFactor: 1}} {
		want, err := graphgen.Generate(t.Context(), s, graphgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 3} {
			list, err := graphgen.EdgeList(t.Context(), s, graphgen.ListUnweighted, workers)
			if err != nil || list.Weights.Kind() != graph.Unweighted {
				t.Fatal(err)
			}
			g, err := graph.Build(t.Context(), graph.RangeIDs(0, want.N()), list, graph.Options{})
			if err != nil || !slices.Equal(g.Out().Offsets.All(), want.Out().Offsets.All()) || !slices.Equal(g.Out().Targets, want.Out().Targets) {
				t.Errorf("%v: the list with %d workers makes another graph (%v)", s, workers, err)
			}
		}
	}
	if _, err := graphgen.EdgeList(t.Context(), graphgen.Spec{Kind: "karate"}, graphgen.ListUnweighted, 1); !errors.As(err, new(*graphgen.FieldError)) {
		t.Errorf("a kind that does not draw edges: %v", err)
	}
}

// Weights have the mean, the variance and the range of their distribution, to
// within five standard errors; equal edges have weights of their own; and they
// do not hang on the number of workers.
func TestListWeights(t *testing.T) {
	t.Parallel()
	spec := graphgen.Spec{Kind: "kronecker", Scale: 13, Seed: 1}
	for _, c := range []struct {
		kind                      graphgen.ListWeights
		mean, deviation, lo, most float64
	}{{graphgen.ListUniform, 0.5, math.Sqrt(1.0 / 12), 0, 1 - 0x1p-24}, {graphgen.ListIntegers, 128, math.Sqrt((255*255 - 1) / 12.0), 1, 255}} {
		list, err := graphgen.EdgeList(t.Context(), spec, c.kind, 2)
		if err != nil {
			t.Fatal(err)
		}
		again, err := graphgen.EdgeList(t.Context(), spec, c.kind, 1)
		if err != nil || !slices.Equal(list.Weights.Int, again.Weights.Int) || !slices.Equal(list.Weights.Float, again.Weights.Float) {
			t.Errorf("kind %d: other weights for another number of workers (%v)", c.kind, err)
		}
		m, sum, squares := len(list.U), 0.0, 0.0
		least, most := math.Inf(1), math.Inf(-1)
		for i := range m {
			w := list.Weights.At(uint64(i))
			sum += w
			squares += (w - c.mean) * (w - c.mean)
			least, most = min(least, w), max(most, w)
		}
		n := float64(m)
		if got := sum / n; math.Abs(got-c.mean) > 5*c.deviation/math.Sqrt(n) {
			t.Errorf("kind %d: mean %v, want %v", c.kind, got, c.mean)
		}
		if got := squares / n; math.Abs(got/c.deviation/c.deviation-1) > 0.02 {
			t.Errorf("kind %d: variance %v, want %v", c.kind, got, c.deviation*c.deviation)
		}
		if least < c.lo || least > c.lo+c.deviation/100 || most > c.most || most < c.most-c.deviation/100 {
			t.Errorf("kind %d: weights from %v to %v, want %v to %v", c.kind, least, most, c.lo, c.most)
		}
	}
}
