//go:build cuda || emulate

package cuda_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/bfs"
	"gopregel/programs/pagerank"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// observed runs an algorithm and returns what the observer was told.
func observed(t *testing.T, what string, c pregeltest.Case, e pregel.Engine, batch int, a pregel.Algorithm) []pregel.StepRecord {
	t.Helper()
	var list []pregel.StepRecord
	j := &pregel.Job{Graph: c.Graph, Engine: e, Batch: batch, Observe: func(r pregel.StepRecord) { list = append(list, r) }}
	answer, err := a.Run(t.Context(), j)
	if err != nil || answer.Stop.Reason != pregel.Halted && answer.Stop.Reason != pregel.Converged {
		t.Fatalf("%s: %+v, %v", what, answer, err)
	}
	if len(list) != answer.Stop.Supersteps {
		t.Fatalf("%s: %d records of %d supersteps", what, len(list), answer.Stop.Supersteps)
	}
	for i, r := range list {
		if r.Superstep != i {
			t.Fatalf("%s: record %d is of superstep %d", what, i, r.Superstep)
		}
	}
	return list
}

// The observer sees every superstep once, in order, with as many vertices awake
// and the same metric as on the CPU.
func TestRecordsAreThoseOfTheCPU(t *testing.T) {
	e := open(t, cuda.Options{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	cases := pregeltest.Graphs(seed)
	if !testing.Short() {
		for _, directed := range []bool{false, true} {
			for _, size := range [][2]int{{20_000, 25_000}, {50_000, 600_000}} {
				cases = append(cases, pregeltest.Case{Name: fmt.Sprint("random ", size, directed), Graph: random(t, r, size[0], size[1], directed)})
			}
		}
	}
	host := cpu.New(cpu.Options{})
	if testing.Short() {
		r.Shuffle(len(cases), func(i, j int) { cases[i], cases[j] = cases[j], cases[i] })
		cases = cases[:6]
	}
	for _, c := range cases {
		list := []pregel.Algorithm{&wcc.WCC{Method: wcc.Propagate}, &pagerank.PageRank{Damping: 0.85, Iterations: 5}}
		if n := c.Graph.N(); n > 0 {
			list = append(list, &bfs.BFS{Source: pregel.ID(c.Graph.IDs().Text(r.Uint32N(uint32(n))))})
		}
		for _, a := range list {
			for _, batch := range []int{0, 1 << 12} {
				what := fmt.Sprintf("%s, %T, batch %d", c.Name, a, batch)
				got, want := observed(t, what, c, e, batch, a), observed(t, what, c, host, 0, a)
				if len(got) != len(want) {
					t.Fatalf("%s: %d supersteps, %d on the CPU", what, len(got), len(want))
				}
				for i, w := range want {
					if got[i].Program != w.Program || got[i].Awake != w.Awake || got[i].Next != w.Next {
						t.Fatalf("%s, superstep %d:\n%+v, on the CPU\n%+v", what, i, got[i], w)
					}
					if x, y := got[i].Metric, w.Metric; x.Name != y.Name || x.Tolerance != y.Tolerance || !near(x.Value, y.Value) {
						t.Fatalf("%s, superstep %d: %v, on the CPU %v", what, i, x, y)
					}
				}
			}
		}
	}
}

// near allows metrics what sums in another order cost, of ranks that are 1
// together.
func near(x, y float64) bool { return math.Abs(x-y) <= 1e-9 || x == y }

// Programs of own kernels have their own supersteps; they too are told of once
// each, in order.
func TestRecordsOfKernelPrograms(t *testing.T) {
	e := open(t, cuda.Options{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := random(t, rand.New(rand.NewPCG(seed, 6)), 30_000, 90_000, true)
	for _, a := range deviceAlgorithms(g) {
		list := observed(t, fmt.Sprintf("%T", a), pregeltest.Case{Graph: g}, e, 1<<12, a)
		last := list[len(list)-1]
		if _, ranks := a.(*pagerank.PageRank); last.Next != 0 && !ranks { // those never sleep
			t.Errorf("%T: the last record is %+v", a, last)
		}
	}
}

// The source of shortest paths is awake in the first superstep, however many arcs
// it has: none, few, or more than a list of vertices takes.
func TestSourceIsAwake(t *testing.T) {
	e := open(t, cuda.Options{})
	for _, degree := range []int{0, 1, 2, 63, 64, 65, 127, 128, 129, 256, 257, 3000} {
		star := make([]graph.Arc, degree)
		for i := range star {
			star[i] = graph.Arc{V: uint32(i + 1)}
		}
		g := build(t, degree+1, star, true)
		for _, a := range []pregel.Algorithm{&sssp.SSSP{Source: "0", Method: sssp.DeltaStepping}, &bfs.BFS{Source: "0"}} {
			list := observed(t, fmt.Sprintf("%T, %d arcs", a, degree), pregeltest.Case{Graph: g}, e, 0, a)
			if list[0].Awake == 0 {
				t.Errorf("%T: nobody was awake in superstep 0, where the source has %d arcs", a, degree)
			}
		}
	}
}
