package pregeltest

import (
	"context"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/internal/part"
)

// Contract tests that an engine keeps the rules of a superstep: one subtest a
// rule, and in it one for each configuration. newEngine makes an engine; it may
// return nil for a configuration that it does not offer.
//
// An engine that compiles programs takes long over the suite. The environment
// variable PREGELTEST_PART spreads it over processes: with "3/8" one does the
// third of eight parts. A short test takes a sample of long lists of trials.
func Contract(t *testing.T, newEngine func(c Config) pregel.Engine) {
	spread := part.New(t)
	for i, r := range rules() {
		own := spread
		if !r.spread {
			own = part.Whole
			if i%spread.Of != spread.Index {
				continue
			}
		}
		t.Run(r.name, func(t *testing.T) { r.check(&suite{t, newEngine, newSeed(t), own}) })
	}
}

// A rule is one promise to programs. Its check computes what must come out, once,
// and compares with every configuration.
type rule struct {
	name   string
	check  func(s *suite)
	spread bool // each part of the suite does some of its trials; else one part does the rule
}

// rules lists the contract in the order of ARCHITECTURE.md.
func rules() []rule {
	return []rule{
		{"1 edge messages are seen in the next superstep", edgeMessagesNextStep, false},
		{"1 vertex messages are seen in the next superstep", vertexMessagesNextStep, false},
		{"1 every superstep is that of the reference", everyPrefix, false},
		{"2 init says who is awake", initSaysWhoIsAwake, false},
		{"2 vertices sleep until a message comes", sleepAndWake, false},
		{"3 apply is told whether a message came", gotIsExact, true},
		{"3 silent vertices run when the program says so", silentVertices, false},
		{"4 combiners and edge operations", combinersAndOperations, true},
		{"4 any keeps one of the messages", anyIsOneOfThem, true},
		{"4 min of source ids is the least awake neighbour", leastSource, true},
		{"4 unnamed combiners", unnamedCombiners, false},
		{"4 edge functions", edgeFunctions, false},
		{"4 collectors see messages in order", collectorsSeeOrder, false},
		{"4 settled vertices are spared", settledVertices, false},
		{"4 waiting vertices emit by priority", priorities, false},
		{"4 hubs", hubs, true},
		{"5 aggregators are read in the next superstep", aggregatorsNextStep, false},
		{"5 persistent aggregators", persistentAggregators, false},
		{"5 aggregated floats are the same for any workers", floatAggregators, false},
		{"6 halted", stopHalted, false},
		{"6 converged", stopConverged, false},
		{"6 max-supersteps", stopAtLimit, false},
		{"6 time-limit", stopAtTime, false},
		{"6 cancelled", stopCancelled, false},
		{"6 records", records, false},
		{"7 random edge programs", randomEdgePrograms, true},
		{"7 random edge programs on larger graphs", largerEdgePrograms, true},
		{"7 random edge programs on graphs of every shape", shapedEdgePrograms, true},
		{"7 random vertex programs", randomVertexPrograms, false},
		{"7 float sums", floatSums, true},
		{"8 failures name their place", failuresNameTheirPlace, false},
		{"8 of several failures the least vertex is named", leastFailure, false},
		{"8 vertex programs fail alike", vertexFailures, false},
		{"8 a NaN is found where it first stands", nanIsFound, false},
		{"8 memory is bounded", memoryIsBounded, false},
		{"messages come in order of their senders", messagesInOrder, false},
		{"vertex combiners", vertexCombiners, false},
		{"columns are shared by phases", sharedColumns, false},
		{"phases are supersteps", phasesAreSupersteps, false},
	}
}

// A suite is the check of one rule.
type suite struct {
	*testing.T
	newEngine func(c Config) pregel.Engine
	seed      uint64
	part      part.Part
}

// with is the suite within a subtest.
func (s *suite) with(t *testing.T) *suite { return &suite{t, s.newEngine, s.seed, s.part} }

// each runs f for every configuration, as a subtest.
func (s *suite) each(f func(e *env)) {
	for _, c := range Configs() {
		s.Run(c.String(), func(t *testing.T) {
			engine := s.newEngine(c)
			if engine == nil {
				t.Skip("the engine does not offer this configuration")
			}
			f(&env{tester: t, Config: c, engine: engine, rand: newRand(s.seed)})
		})
	}
}

// try runs all trials in every configuration.
func (s *suite) try(trials []trial) {
	trials = s.own(trials)
	s.each(func(e *env) {
		for _, try := range trials {
			try(e)
		}
	})
}

// share runs every k-th trial in each configuration, others in the next: for
// trials that take long.
func (s *suite) share(trials []trial, k int) {
	trials = s.own(trials)
	turn := 0
	s.each(func(e *env) {
		for i := turn % k; i < len(trials); i += k {
			trials[i](e)
		}
		turn++
	})
}

// times is n, or less in a short test.
func (s *suite) times(n int) int {
	if testing.Short() {
		return (n + 2) / 3
	}
	return n
}

// An env is one configuration in which a rule is checked. All runs share one
// engine, which must be as new after each.
type env struct {
	tester
	Config
	engine pregel.Engine
	rand   *rand.Rand // the same numbers in every configuration
}

// tester is what *testing.T and *rapid.T share.
type tester interface {
	Helper()
	Context() context.Context
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// job is a run on the graph; half of the configurations have it with wide offsets.
func (e *env) job(g *graph.Graph) *pregel.Job {
	if e.Workers%2 == 0 {
		g = Widened(g)
	}
	return &pregel.Job{Graph: g, Engine: e.engine}
}

// runEdge runs an edge program or collector that must not fail.
func runEdge[V, M any](e *env, g *graph.Graph, p sender[V, M], opts ...pregel.Option) pregel.Result[V] {
	e.Helper()
	r, err := start(e.Context(), e.job(g), p, opts...)
	if err != nil {
		e.Fatalf("%s: %v", describe(g), err)
	}
	return r
}

// start runs what is either an edge program or a collector.
func start[V, M any](ctx context.Context, j *pregel.Job, p sender[V, M], opts ...pregel.Option) (pregel.Result[V], error) {
	if c, ok := p.(pregel.Collector[V, M]); ok {
		return pregel.RunCollector(ctx, j, c, opts...)
	}
	return pregel.RunEdge(ctx, j, p.(pregel.EdgeProgram[V, M]), opts...)
}

// runVertex runs a vertex program that must not fail.
func runVertex[V, M any](e *env, g *graph.Graph, p pregel.VertexProgram[V, M], opts ...pregel.Option) pregel.Result[V] {
	e.Helper()
	r, err := pregel.RunVertex(e.Context(), e.job(g), p, opts...)
	if err != nil {
		e.Fatalf("%s: %v", describe(g), err)
	}
	return r
}

// compare runs an edge program and compares all of it with the reference: the
// values, the reason to stop, the number of supersteps.
func compare[V, M any](e *env, g *graph.Graph, p sender[V, M], want Outcome[V], opts ...pregel.Option) {
	e.Helper()
	agrees(e, g, p, runEdge(e, g, p, opts...), want)
}

func agrees[V, M any](e *env, g *graph.Graph, p sender[V, M], r pregel.Result[V], want Outcome[V]) {
	e.Helper()
	if text := differs(r.Values, want.Values); text != "" {
		e.Fatalf("%v\n%s\n%s", p, describe(g), text)
	}
	if r.Stop.Reason != want.Reason || r.Stop.Supersteps != want.Supersteps {
		e.Fatalf("%v\n%s\n%v, want %v after %d supersteps", p, describe(g), r.Stop, want.Reason, want.Supersteps)
	}
}

// manyTrials is the length of a list of which a short test takes a sample.
const manyTrials = 40

// own are the trials of this part.
func (s *suite) own(trials []trial) []trial {
	n := len(trials)
	trials = part.Own(s.part, trials)
	if n < manyTrials || !testing.Short() {
		return trials
	}
	var sample []trial
	for i := int(s.seed % 4); i < len(trials); i += 4 {
		sample = append(sample, trials[i])
	}
	return sample
}
