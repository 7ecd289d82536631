// Package trial runs an algorithm in every configuration of the CPU engine, and
// stops it at every superstep, for the tests of the programs.
package trial

import (
	"context"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// Rand returns a source of random numbers with a fresh seed, which it logs.
func Rand(t *testing.T) *rand.Rand {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// Random makes a graph of m random arcs, loops and duplicates among them. At
// most the given number of weights occur, half of them negative; 0: unweighted.
func Random(r *rand.Rand, n, m, weights int, directed bool) *graph.Graph {
	list := graph.ArcList{List: make([]graph.Arc, m), Weighted: weights > 0}
	for i := range list.List {
		list.List[i] = graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n)), W: int32(r.IntN(max(weights, 1)) - weights/2)}
	}
	return Build(n, list, directed)
}

// Build makes a graph of a list.
func Build(n int, list graph.ArcList, directed bool) *graph.Graph {
	g, err := graph.FromArcs(n, list, graph.Options{Directed: directed})
	if err != nil {
		panic(err) // the lists of tests are right
	}
	return g
}

// large graphs, by arcs, are run in fewer configurations.
const large = 1 << 12

// configs returns all configurations, or, for large graphs, all numbers of
// workers and, with two workers, all directions. Under the race detector there is one
// number of workers.
func configs(g *graph.Graph) []pregeltest.Config {
	return slices.DeleteFunc(pregeltest.Configs(), func(c pregeltest.Config) bool {
		return race.On && c.Workers != 2 || g.Arcs() >= large && (c.Strict || c.Workers != 2 && c.Direction != pregel.Auto)
	})
}

// Everywhere runs the algorithm in all configurations. It fails the test when
// two answers differ, or one does not pass its certificate, and returns the
// answer.
func Everywhere(t *testing.T, g *graph.Graph, a pregel.Algorithm) *pregel.Answer {
	t.Helper()
	return alike(t, g, a, configs(g), nil)
}

// ByWorkers is Everywhere for an algorithm of phases, which send nothing: to an engine
// all configurations with the same number of workers are one then. Whether it is such an
// algorithm is seen where the engine would have to pull. Under the race detector there
// are two.
func ByWorkers(t *testing.T, g *graph.Graph, a pregel.Algorithm) *pregel.Answer {
	t.Helper()
	pulls := pregeltest.Config{Workers: 2, Direction: pregel.Pull, Strict: true}
	list := slices.DeleteFunc(pregeltest.Configs(), func(c pregeltest.Config) bool {
		return c != pulls && (c.Strict || c.Direction != pregel.Auto || race.On && c.Workers != 3)
	})
	return alike(t, g, a, list, func(c pregeltest.Config, r pregel.StepRecord) {
		if r.Direction != pregel.Auto {
			t.Fatalf("%v: superstep %d of %s sends: it is no phase", c, r.Superstep, r.Program)
		}
	})
}

// alike runs the algorithm in some configurations, in half of them on the graph with wide
// offsets. A look at the records is had in a
// strict one only, as nobody looks at most runs.
func alike(t *testing.T, g *graph.Graph, a pregel.Algorithm, list []pregeltest.Config, look func(pregeltest.Config, pregel.StepRecord)) *pregel.Answer {
	t.Helper()
	var first *pregel.Answer
	forms := [2]*graph.Graph{g, pregeltest.Widened(g)}
	for i, c := range list {
		form := forms[bits.OnesCount(uint(i))%2] // in no step with directions or workers
		j := &pregel.Job{Graph: form, Engine: cpu.New(cpu.Options{Workers: c.Workers, Direction: c.Direction, Strict: c.Strict})}
		if look != nil && c.Strict {
			j.Observe = func(r pregel.StepRecord) { look(c, r) }
		}
		answer, err := a.Run(t.Context(), j)
		if err != nil || answer.Stop.Reason != pregel.Halted {
			t.Fatalf("%v: %+v, error %v", c, answer, err)
		}
		if first == nil {
			first = answer
			if err := a.(pregel.Certifier).Certify(t.Context(), g, &answer.Table); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(answer.Table, first.Table) || !reflect.DeepEqual(answer.Summary, first.Summary) {
			t.Fatalf("%v: another answer than %v", c, list[0])
		}
	}
	return first
}

// Early stops the algorithm after each number of supersteps short of all, by
// the job's limit and by its context, and has the answers checked.
func Early(t *testing.T, g *graph.Graph, a pregel.Algorithm, check func(t *testing.T, stopped *pregel.Answer)) {
	t.Helper()
	e := cpu.New(cpu.Options{Workers: 3})
	whole := &pregel.Job{Graph: g, Engine: e}
	if _, err := a.Run(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	all := whole.Supersteps()
	for k := 0; k < all; k += 1 + all/20 {
		ctx, cancel := context.WithCancel(t.Context())
		job := &pregel.Job{Graph: g, Engine: e, Observe: func(r pregel.StepRecord) {
			if r.Superstep+1 >= k {
				cancel()
			}
		}}
		if k == 0 {
			cancel()
		}
		expect(ctx, t, a, job, pregel.Cancelled, k, check)
		if k > 0 {
			expect(t.Context(), t, a, &pregel.Job{Graph: g, Engine: e, MaxSupersteps: k}, pregel.MaxSupersteps, k, check)
		}
	}
	expect(t.Context(), t, a, &pregel.Job{Graph: g, Engine: e, MaxSupersteps: all}, pregel.Halted, all, check)
}

func expect(ctx context.Context, t *testing.T, a pregel.Algorithm, j *pregel.Job, want pregel.Reason, supersteps int, check func(*testing.T, *pregel.Answer)) {
	t.Helper()
	answer, err := a.Run(ctx, j)
	if err != nil || answer.Stop.Reason != want || answer.Stop.Supersteps != supersteps {
		t.Fatalf("%v after %d supersteps expected, got %+v, error %v", want, supersteps, answer, err)
	}
	check(t, answer)
}
