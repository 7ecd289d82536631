package view

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/trace"
)

const nothing = -1

// A reached is a value of searches: how far, and from whom.
type reached struct{ far, parent float64 }

func (r reached) MarshalJSON() ([]byte, error) {
	text := map[string]any{"distance": r.far, "parent": r.parent}
	for name, x := range text {
		if x == float64(nothing) {
			text[name] = nil
		}
	}
	return json.Marshal(text)
}

// search declares what breadth and shortest have in common.
func search(name, edge string, source uint32) toy {
	return toy{
		declared: trace.Program{Program: name, Columns: []string{"distance", "parent"}, Vertices: []string{"parent"}, Combine: "min", Edge: edge, Along: "out"},
		init: func(v uint32) (any, bool) {
			if v == source {
				return reached{0, nothing}, true
			}
			return reached{nothing, nothing}, false
		},
	}
}

// breadth is breadth-first search: a message is its sender, and the least wins.
func breadth(source uint32) toy {
	p := search("bfs", "source_id", source)
	step := 0.0
	p.message = func(u uint32, value any, _ float64) any {
		step = value.(reached).far + 1
		return float64(u)
	}
	p.apply = func(_ uint32, value any, got []any) (any, bool) {
		if value.(reached).far != nothing {
			return value, false
		}
		return reached{step, least(got)}, true
	}
	return p
}

// shortest is Bellman and Ford's: a message is a distance.
func shortest(source uint32) toy {
	p := search("sssp", "plus_weight", source)
	p.declared.Columns, p.declared.Vertices = nil, nil
	p.init = func(v uint32) (any, bool) {
		if v == source {
			return 0.0, true
		}
		return nil, false
	}
	p.message = func(_ uint32, value any, weight float64) any { return value.(float64) + weight }
	p.apply = func(_ uint32, value any, got []any) (any, bool) {
		x := least(got)
		if old, is := value.(float64); is && old <= x {
			return value, false
		}
		return x, true
	}
	return p
}

func least(got []any) float64 {
	x := math.Inf(1)
	for _, m := range got {
		x = math.Min(x, m.(float64))
	}
	return x
}

// ranks is PageRank without sinks, to a tolerance.
func ranks(g *graph.Graph, tolerance float64) toy {
	n := float64(g.N())
	return toy{
		declared: trace.Program{Program: "pagerank", Combine: "sum", Edge: "copy", Along: "out", Silent: true},
		init:     func(uint32) (any, bool) { return 1 / n, true },
		message:  func(u uint32, value any, _ float64) any { return value.(float64) / float64(g.Out().Degree(u)) },
		apply: func(_ uint32, _ any, got []any) (any, bool) {
			sum := 0.0
			for _, m := range got {
				sum += m.(float64)
			}
			return 0.15/n + 0.85*sum, true
		},
		metric: func(before, now []any) *trace.Metric {
			sum := 0.0
			for v := range now {
				sum += math.Abs(now[v].(float64) - before[v].(float64))
			}
			return &trace.Metric{Name: "L1 change", Value: trace.Float(sum), Tolerance: trace.Float(tolerance)}
		},
	}
}

func generate(t testing.TB, s graphgen.Spec, o graphgen.Options) *graph.Graph {
	t.Helper()
	g, err := graphgen.Generate(t.Context(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func karate(t testing.TB) *graph.Graph {
	return generate(t, graphgen.Spec{Kind: "karate"}, graphgen.Options{})
}

// weighted is a random graph with weights.
func weighted(t testing.TB, n int, seed uint64) *graph.Graph {
	return generate(t, graphgen.Spec{Kind: "uniform", N: n, EdgeFactor: 2, Seed: seed}, graphgen.Options{Weights: graphgen.HashWeights})
}

// hub is the vertex with most arcs.
func hub(g *graph.Graph) uint32 {
	best := uint32(0)
	for v := range uint32(g.N()) {
		if g.Out().Degree(v) > g.Out().Degree(best) {
			best = v
		}
	}
	return best
}

// without drops the records of some kinds.
func without(text []byte, kinds ...string) (rest []byte) {
	for _, line := range records(text) {
		drop := false
		for _, kind := range kinds {
			drop = drop || strings.HasPrefix(string(line), fmt.Sprintf("{%q:%q", "kind", kind))
		}
		if !drop {
			rest = append(rest, line...)
		}
	}
	return rest
}
