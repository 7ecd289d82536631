package checkpoint_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs/pagerank"
	"gopregel/runtime/checkpoint"
	"gopregel/runtime/cpu"
)

// aGraph is the graph of all tests of this package.
func aGraph(n int) *graph.Graph {
	r := rand.New(rand.NewPCG(1, 2))
	list := make([]graph.Arc, 6*n)
	for i := range list {
		list[i] = graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n))}
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: true})
	if err != nil {
		panic(err)
	}
	return g
}

func ranks(iterations int) pregel.Algorithm {
	return &pagerank.PageRank{Damping: 0.85, Iterations: iterations, Precision: pagerank.Float64}
}

// run runs an algorithm with a store, nil for none, and returns a sum of its answer.
func run(ctx context.Context, a pregel.Algorithm, g *graph.Graph, s *checkpoint.Store, most int) (string, pregel.Stop, error) {
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Strict: true}), MaxSupersteps: most}
	if s != nil {
		j.Checkpoints = s
	}
	answer, err := a.Run(ctx, j)
	if err != nil {
		return "", pregel.Stop{}, err
	}
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, answer.Table))), answer.Stop, nil
}

// options are those of a store whose job has a fact.
func options(dir string) checkpoint.Options {
	return checkpoint.Options{Dir: dir, Supersteps: 1, Count: 2, Of: []checkpoint.Fact{{Name: "program", Value: "ranks"}}, Engine: "cpu", Strict: true}
}

func opened(t *testing.T, o checkpoint.Options, resume bool) *checkpoint.Store {
	t.Helper()
	s, err := checkpoint.Open(o, resume)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// begun leaves a folder with the checkpoints of a run that was stopped after so
// many supersteps.
func begun(t *testing.T, g *graph.Graph, supersteps int) string {
	t.Helper()
	dir := t.TempDir()
	s := opened(t, options(dir), false)
	if _, stop, err := run(t.Context(), ranks(12), g, s, supersteps); err != nil || stop.Supersteps != supersteps {
		t.Fatal(stop, err)
	}
	return dir
}
