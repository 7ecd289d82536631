package pagerank_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
)

// reference is the equation, arc by arc.
func reference(g *graph.Graph, damping float64, iterations int) []float64 {
	n := float64(g.N())
	rank := slices.Repeat([]float64{1 / n}, g.N())
	for range iterations {
		next, sinks := make([]float64, g.N()), 0.0
		for u := range uint32(g.N()) {
			vs := g.Out().Neighbors(u)
			if len(vs) == 0 {
				sinks += rank[u]
			}
			for _, v := range vs {
				next[v] += rank[u] / float64(len(vs))
			}
		}
		for v := range next {
			rank[v] = (1-damping)/n + damping*(next[v]+sinks/n)
		}
	}
	return rank
}

func randomGraph(r *rand.Rand, n, m int, directed bool) *graph.Graph {
	list := make([]graph.Arc, m)
	for i := range list {
		u := r.Uint32N(uint32(n))
		list[i] = graph.Arc{U: u * u % uint32(n), V: r.Uint32N(uint32(n))} // skewed: many sinks
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: directed})
	if err != nil {
		panic(err)
	}
	return g
}

func TestAgainstEquation(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for _, size := range [][2]int{{1, 0}, {1, 1}, {3, 2}, {64, 100}, {1000, 5000}, {3000, 90000}} {
		for _, directed := range []bool{false, true} {
			g := randomGraph(r, size[0], size[1], directed)
			want := reference(g, 0.85, 12)
			var first []float64
			for _, workers := range race.Workers(1, 2, 3, 8) {
				for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
					got := ranks(t, g, cpu.Options{Workers: workers, Direction: d}, &pagerank.PageRank{Damping: 0.85, Iterations: 12})
					for v := range want {
						if math.Abs(got[v]-want[v]) > 1e-14 {
							t.Fatalf("n %d, %d workers, %v: rank of %d is %v, want %v", size[0], workers, d, v, got[v], want[v])
						}
					}
					if d == pregel.Push {
						continue // sums in the order of arrival
					}
					if first == nil {
						first = got
					} else if !slices.Equal(got, first) {
						t.Fatalf("n %d, %d workers, %v: ranks differ in their last bits", size[0], workers, d)
					}
				}
			}
		}
	}
}

func ranks(t *testing.T, g *graph.Graph, o cpu.Options, p *pagerank.PageRank) []float64 {
	t.Helper()
	answer, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(o)})
	if err != nil {
		t.Fatal(err)
	}
	if answer.Stop.Reason != pregel.Halted || answer.Stop.Supersteps != p.Iterations {
		t.Fatalf("%v, want %d iterations", answer.Stop, p.Iterations)
	}
	if err := p.Certify(t.Context(), g, &answer.Table); err != nil {
		t.Fatal(err)
	}
	return answer.Table.Columns[0].Floats
}

func TestConverges(t *testing.T) {
	g := randomGraph(rand.New(rand.NewPCG(7, 7)), 500, 4000, true)
	p := &pagerank.PageRank{Damping: 0.85, Tolerance: 1e-12}
	answer, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
	if err != nil || answer.Stop.Reason != pregel.Converged || answer.Stop.Metric.Value > 1e-12 {
		t.Fatalf("%v %v", answer.Stop, err)
	}
	if err := p.Certify(t.Context(), g, &answer.Table); err != nil {
		t.Fatal(err)
	}
	answer.Table.Columns[0].Floats[3] += 1e-9
	if p.Certify(t.Context(), g, &answer.Table) == nil {
		t.Fatal("a rank off by 1e-9 was certified")
	}
	limited, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{}), MaxSupersteps: 3})
	if err != nil || limited.Stop.Reason != pregel.MaxSupersteps || limited.Stop.Supersteps != 3 {
		t.Fatalf("%v %v", limited.Stop, err)
	}
}
