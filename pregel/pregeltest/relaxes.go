package pregeltest

import (
	"context"
	"fmt"

	"pgregory.net/rapid"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// Relaxes looks for counter-examples to the law of pregel.Relaxer: it runs a
// program with schedule bsp and with schedule relaxed, on one to eight workers and
// random graphs, small ones and some of thousands of vertices, and reports the
// first vertex whose values differ and the graph, the smallest that shows it. run
// is usually one call of pregel.RunEdge that returns the values. newEngine must
// heed Config.Schedule. Weights are not negative.
//
// No test can prove the law: a program that passes may still break it where an
// order of messages matters that no run has taken.
func Relaxes[V any](t rapid.TB, newEngine func(c Config) pregel.Engine, run func(ctx context.Context, j *pregel.Job) ([]V, error)) {
	t.Helper()
	bsp := newEngine(Config{Workers: 1, Schedule: pregel.BSP})
	var relaxed []pregel.Engine
	for _, workers := range []int{1, 2, 3, 8} {
		relaxed = append(relaxed, newEngine(Config{Workers: workers, Schedule: pregel.Relaxed}))
	}
	differs := func(ctx context.Context, g *graph.Graph) string {
		want, err := run(ctx, &pregel.Job{Graph: g, Engine: bsp})
		if err != nil {
			return fmt.Sprintf("bsp: %v", err)
		}
		for _, e := range relaxed {
			got, err := run(ctx, &pregel.Job{Graph: g, Engine: e})
			if err != nil {
				return fmt.Sprintf("relaxed, %d workers: %v", e.Pool().Workers(), err)
			}
			if text := differs(got, want); text != "" {
				return fmt.Sprintf("relaxed, %d workers, against bsp: %s", e.Pool().Workers(), text)
			}
		}
		return ""
	}
	rapid.Check(t, func(r *rapid.T) {
		g := drawPlainGraph(r)
		if text := differs(r.Context(), g); text != "" {
			r.Fatalf("%s\n%s", text, describe(g))
		}
	})
	if t.Failed() {
		return
	}
	for _, g := range largerPlainGraphs(newSeed(t)) {
		if text := differs(context.Background(), g); text != "" {
			t.Fatalf("%s\n%s", text, describe(g))
		}
	}
}

// largerPlainGraphs are long enough for workers to meet.
func largerPlainGraphs(seed uint64) (list []*graph.Graph) {
	r := newRand(seed)
	for _, f := range forms() {
		const n = 3000
		l := randomArcs(r, n, 3*n)
		for v := range n - 1 { // and a long way round
			l.add(v, v+1)
		}
		list = append(list, l.build(f, func(int) int { return r.IntN(20) }))
	}
	return list
}
