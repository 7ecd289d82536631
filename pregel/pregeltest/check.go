package pregeltest

import (
	"context"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"gopregel/pregel"
	"gopregel/pregel/check"
	"gopregel/pregel/graph"
)

// Check looks for laws that a program breaks (package check lists them): those of
// its combiner and aggregators, of its functions, of its declarations, and that its
// values are the same in every order of the vertices and on every engine that
// newEngine makes. Each broken law is an error of the test, with a counter-example
// on as small a graph as shows it. run is usually one call of pregel.RunEdge or
// RunVertex, with a new program each time.
func Check[V any](t rapid.TB, newEngine func(c Config) pregel.Engine, run func(ctx context.Context, j *pregel.Job) ([]V, error)) {
	t.Helper()
	checkSubject(t, newEngine, check.Values(t.Name(), run))
}

// CheckAlgorithm is Check for an algorithm, whose answers have to pass its
// certificate too, if it is a pregel.Certifier. fresh makes it for a graph of at
// least one vertex, with ids from 0.
func CheckAlgorithm(t rapid.TB, newEngine func(c Config) pregel.Engine, fresh func(g *graph.Graph) pregel.Algorithm) {
	t.Helper()
	s := check.Algorithm(t.Name(), func(g *graph.Graph) (pregel.Algorithm, error) { return fresh(g), nil })
	one, err := graph.FromArcs(1, graph.ArcList{}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := fresh(one)
	if _, ok := a.(pregel.Certifier); !ok {
		s.Certify = nil
	}
	if l, ok := a.(pregel.Limiter); ok {
		s.Limit = l.DefaultMaxSupersteps()
	}
	checkSubject(t, newEngine, s)
}

func checkSubject(t rapid.TB, newEngine func(c Config) pregel.Engine, s check.Subject) {
	t.Helper()
	o := check.Options{Seed: newSeed(t), Graphs: 30}
	if testing.Short() {
		o.Graphs = 15
	}
	configs := Configs()
	for _, workers := range []int{1, 3} {
		configs = append(configs, Config{Workers: workers, Schedule: pregel.Relaxed})
	}
	for _, c := range configs {
		if e := newEngine(c); e != nil {
			o.Engines = append(o.Engines, check.Engine{Name: c.String(), Engine: e, Loose: !c.ordered(), Relaxed: c.Schedule == pregel.Relaxed})
		}
	}
	ctx := context.Background()
	if test, ok := t.(interface{ Context() context.Context }); ok {
		ctx = test.Context()
	}
	report, err := check.Program(ctx, s, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range report.Laws {
		if v.Status == check.Broken {
			t.Errorf("%s", v.Text())
			continue
		}
		t.Log(fmt.Sprintf("%-13s %s", v.Law, v.Status), v.Why)
	}
}
