package pagerank_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cpu"
)

// No tolerance is too small: each run ends where rounding ends it, which is below
// the bound that settle.go derives, and in time. With the bound for a tolerance it
// converges.
func TestSettles(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	specs := []graphgen.Spec{{Kind: "karate"}, {Kind: "star", N: 1500}, {Kind: "kronecker", Scale: 7, EdgeFactor: 8, Seed: seed}, {Kind: "grid", Rows: 20, Cols: 20},
		{Kind: "uniform", N: 400, EdgeFactor: 4, Seed: seed}, {Kind: "cycle", N: 277}, {Kind: "path", N: 200}, {Kind: "complete", N: 40}}
	for i, spec := range specs {
		directed := (seed>>i)&1 == 1
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed})
		if err != nil {
			t.Fatal(err)
		}
		for _, damping := range []float64{0, 0.5, 0.85, 0.95, 0.99} {
			if race.On && damping > 0.9 { // thousands of supersteps, which are as the others
				continue
			}
			for precision, roundoff := range map[string]float64{pagerank.Float32: 0x1p-24, pagerank.Float64: 0x1p-53} {
				bound := 2 * roundoff * float64(2+inDegree(g)) / (1 - damping)
				for _, o := range []cpu.Options{{Workers: 1}, {Workers: 3, Direction: pregel.Push}, {Workers: 2, Strict: true}} {
					if race.On && o.Workers == 1 {
						continue
					}
					what := fmt.Sprintf("%s, directed %v, damping %v, %s, %+v", spec.Kind, directed, damping, precision, o)
					settles(t, g, pagerank.PageRank{Damping: damping, Precision: precision}, o, what, bound)
				}
			}
		}
	}
}

func settles(t *testing.T, g *graph.Graph, p pagerank.PageRank, o cpu.Options, what string, bound float64) {
	t.Helper()
	// From a change of 2 to the bound, and what luck and patience add.
	most := 60 + int(2*math.Log(bound/1000)/math.Log(max(p.Damping, 0.1)))
	for _, tolerance := range []float64{1e-300, bound} {
		p.Tolerance = tolerance
		answer, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(o), MaxSupersteps: most})
		if err != nil {
			t.Fatal(err)
		}
		stop := answer.Stop
		if m := stop.Metric; m.Value > bound || stop.Reason != pregel.Converged && (tolerance == bound || stop.Reason != pregel.Halted || m.Value == 0) {
			t.Errorf("%s: tolerance %.3g, bound %.3g, at most %d supersteps: %v", what, tolerance, bound, most, stop)
		}
	}
}

func inDegree(g *graph.Graph) (most uint64) {
	for v := range uint32(g.N()) {
		most = max(most, g.In().Degree(v))
	}
	return most
}

// In exact arithmetic, or far above its rounding, a change that falls by the
// damping alone is never taken for one that does not.
func TestSettlesInTime(t *testing.T) {
	t.Parallel()
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "star", N: 50}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, damping := range []float64{0.5, 0.9, 0.99, 0.999} { // a bipartite graph: it falls by no more
		p := pagerank.PageRank{Damping: damping, Tolerance: 1e-10, Precision: pagerank.Float64}
		answer, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
		if err != nil || answer.Stop.Reason != pregel.Converged {
			t.Fatal(answer, err)
		}
		if least := math.Log(1e-10/2) / math.Log(damping); float64(answer.Stop.Supersteps) < 0.8*least {
			t.Errorf("damping %v: %v, the law has about %.0f", damping, answer.Stop, least)
		}
	}
	p := pagerank.PageRank{Damping: 1, Tolerance: 1e-10, Precision: pagerank.Float64} // goes to and fro for ever
	answer, err := p.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{}), MaxSupersteps: 500})
	if err != nil || answer.Stop.Reason != pregel.MaxSupersteps {
		t.Error(answer.Stop, err)
	}
}
