//go:build cuda || emulate

package cuda_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/bfs"
	"gopregel/programs/mst"
	"gopregel/programs/pagerank"
	"gopregel/programs/scc"
	"gopregel/programs/sssp"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
)

// A job that is interrupted at random barriers has the answer of one that is not. Of
// programs whose messages combine to the same bits in any order one part is done on
// the device and the next on the CPU; sums of floats stay on the device.
func TestResumed(t *testing.T) {
	device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 8))
	total := 0
	e := open(t, cuda.Options{Strict: true})
	for _, c := range pregeltest.Graphs(seed) {
		if c.Graph.N() == 0 || testing.Short() && r.IntN(20) > 0 {
			continue
		}
		source := pregel.ID(c.Graph.IDs().Text(r.Uint32N(uint32(c.Graph.N()))))
		for _, p := range []struct {
			name      string
			exact     bool
			algorithm func() pregel.Algorithm
		}{
			{"bfs", true, func() pregel.Algorithm { return &bfs.BFS{Source: source} }},
			{"depths", true, func() pregel.Algorithm { return &bfs.BFS{Source: source, Parents: new(false)} }},
			{"wcc", true, func() pregel.Algorithm { return &wcc.WCC{Method: wcc.Propagate} }},
			{"steps", true, func() pregel.Algorithm { return steps{} }},
			{"pagerank", false, func() pregel.Algorithm {
				return &pagerank.PageRank{Damping: 0.85, Iterations: 6, Precision: pagerank.Float64}
			}},
			{"tolerance", false, func() pregel.Algorithm {
				return &pagerank.PageRank{Damping: 0.5, Tolerance: 1e-4, Precision: pagerank.Float32}
			}},
			{"kernel", false, func() pregel.Algorithm { return counter() }},
		} {
			job := func() (pregel.Algorithm, *pregel.Job) {
				e.Direction = pregel.Direction(r.IntN(3))
				j := &pregel.Job{Graph: c.Graph, Engine: e, Batch: 1 + r.IntN(3), MaxSupersteps: 30}
				if p.exact && r.IntN(2) == 0 {
					j.Engine = cpu.New(cpu.Options{Workers: 1 + r.IntN(3), Strict: true})
				}
				return p.algorithm(), j
			}
			total += sameResumed(t, r, fmt.Sprintf("%s, %s", c.Name, p.name), job)
		}
	}
	if total < 50 && !testing.Short() {
		t.Errorf("only %d interruptions", total)
	}
	t.Logf("%d interruptions", total)
}

func sameResumed(t *testing.T, r *rand.Rand, name string, job func() (pregel.Algorithm, *pregel.Job)) int {
	t.Helper()
	a, j := job()
	want, err := a.Run(t.Context(), j)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, times, err := pregeltest.Interrupted(t.Context(), r, 1+r.IntN(3), job)
	if err != nil {
		t.Fatalf("%s: interrupted %d times: %v", name, times, err)
	}
	if got.Stop != want.Stop {
		t.Fatalf("%s: interrupted %d times it ends: %v; else: %v", name, times, got.Stop, want.Stop)
	}
	if !reflect.DeepEqual(got.Table, want.Table) {
		t.Fatalf("%s: interrupted %d times its answer is %v, else %v", name, times, got.Table, want.Table)
	}
	return times
}

// steps runs a program with priorities.
type steps struct{}

func (steps) Run(ctx context.Context, j *pregel.Job) (*pregel.Answer, error) {
	p := &ordered[uint32, uint32]{priority: func(x uint32) uint64 { return uint64(x / 3) }}
	p.relaxing = relaxing[uint32, uint32]{name: "steps", spec: pregel.Spec[uint32]{Combine: pregel.Min[uint32]()}, init: from[uint32](0, graph.None), apply: least[uint32],
		emit: func(v pregel.Vertex[uint32]) uint32 { return v.Value + 1 + v.ID%5 },
		twin: fmt.Sprintf(fromTwin, "0", "NONE") + `
__device__ Value apply(Vertex v, Value x, Message m, bool got, const Params &p, bool &awake) {
  awake = m < x;
  return awake ? m : x;
}
__device__ Message emit(Vertex v, Value x, const Params &p) { return x + 1 + v.id % 5; }
__device__ u64 priority(Value x, const Params &p) { return x / 3; }
`}
	r, err := pregel.RunEdge(ctx, j, p)
	return &pregel.Answer{Stop: r.Stop, Table: pregel.Table{PerVertex: true, Columns: []pregel.Column{{Name: "steps", Counts: r.Values}}}}, err
}

// A run tile by tile goes on from any round, on the device or on the CPU.
func TestResumedRelaxed(t *testing.T) {
	device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 9))
	e := open(t, cuda.Options{Schedule: pregel.Relaxed})
	e.Tiles(128)
	g := crossing(t, r)
	total := 0
	for name, p := range relaxingPrograms(false) {
		got, want, times := interrupted(t, r, g, e, name, p)
		if !bytes.Equal(got, want) {
			t.Errorf("%s: interrupted %d times its values are others", name, times)
		}
		total += times
	}
	if total < 5 {
		t.Errorf("only %d interruptions", total)
	}
	t.Logf("%d interruptions", total)
}

// interrupted returns the values of a relaxed run that is interrupted some times and goes on here or on the CPU,
// and those of supersteps.
func interrupted(t *testing.T, r *rand.Rand, g *graph.Graph, e *cuda.Engine, name string, p interface {
	run(j *pregel.Job) ([]byte, error)
}) (got, want []byte, times int) {
	t.Helper()
	want, err := p.run(&pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Schedule: pregel.BSP})})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	_, times, err = pregeltest.Interrupted(t.Context(), r, 2, func() (pregel.Algorithm, *pregel.Job) {
		j := &pregel.Job{Graph: g, Engine: e, Batch: 1}
		if r.IntN(2) == 0 {
			j.Engine = cpu.New(cpu.Options{Workers: 1 + r.IntN(3), Schedule: pregel.Relaxed})
		}
		return running(func(j *pregel.Job) (err error) {
			got, err = p.run(j)
			return err
		}), j
	})
	if err != nil {
		t.Errorf("%s, interrupted %d times: %v", name, times, err)
	}
	return got, want, times
}

// crossing is a random graph with a path to and fro between its tiles, whose vertices
// have no other way in: from vertex 3, at which most programs begin.
func crossing(t *testing.T, r *rand.Rand) *graph.Graph {
	t.Helper()
	const n, apart = 1500, 37
	var list []graph.Arc
	for range 2500 {
		if u, v := r.Uint32N(n), r.Uint32N(n); v%apart != 20 {
			list = append(list, graph.Arc{U: u, V: v})
		}
	}
	last := uint32(3)
	for _, k := range r.Perm(n / apart) {
		v := uint32(k)*apart + 20
		list = append(list, graph.Arc{U: last, V: v})
		last = v
	}
	return build(t, n, list, true)
}

type running func(j *pregel.Job) error

func (f running) Run(_ context.Context, j *pregel.Job) (*pregel.Answer, error) { return nil, f(j) }

// Programs of own kernels go on from what lay on the device, on one of the same kind.
func TestResumedKernels(t *testing.T) {
	device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 10))
	e := open(t, cuda.Options{})
	times := map[string]int{}
	graphs := map[string]*graph.Graph{
		"random": random(t, r, 400, 1500, false), "random, directed": random(t, r, 400, 900, true),
		"thin": grid(t, 6, 150, false), "thin, directed": grid(t, 6, 150, true),
	}
	for name, g := range maps.Clone(graphs) { // which run other kernels
		p, err := pregel.Prepare(t.Context(), g, "degree", 2)
		if err != nil {
			t.Fatal(err)
		}
		graphs[name+", by degree"] = p.Graph
	}
	for name, g := range graphs {
		source := pregel.ID(g.IDs().Text(0))
		for program, algorithm := range map[string]func() pregel.Algorithm{
			"wcc": wcc.New, "mst": mst.New, "scc": scc.New,
			"sssp":         func() pregel.Algorithm { return &sssp.SSSP{Source: source, Method: sssp.DeltaStepping} },
			"bellman-ford": func() pregel.Algorithm { return &sssp.SSSP{Source: source, Method: sssp.BellmanFord} },
		} {
			want, err := algorithm().Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
			if err != nil {
				t.Fatal(err)
			}
			got, ended, err := pregeltest.Interrupted(t.Context(), r, 1, func() (pregel.Algorithm, *pregel.Job) {
				return algorithm(), &pregel.Job{Graph: g, Engine: e}
			})
			if err != nil || !reflect.DeepEqual(got.Table, want.Table) {
				t.Fatalf("%s, %s: interrupted %d times its answer is another, %v", name, program, ended, err)
			}
			times[program] += ended
		}
	}
	t.Logf("interruptions: %v", times)
	for _, program := range []string{"wcc", "mst"} { // the others have as many launches as their time asks for
		if times[program] == 0 {
			t.Errorf("%s was never interrupted", program)
		}
	}
}

// grid is one of so many rows and columns, with weights.
func grid(t *testing.T, rows, cols int, directed bool) *graph.Graph {
	t.Helper()
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: rows, Cols: cols}, graphgen.Options{Directed: &directed, Weights: graphgen.HashWeights})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
