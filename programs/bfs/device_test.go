package bfs_test

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/bfs"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cuda"
)

// TestDevice runs on graphs of every shape, and larger random ones, from
// random sources, and compares with the CPU, the certificate and a queue.
func TestDevice(t *testing.T) {
	trial.Device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	cases, sources := trial.Graphs(seed), 4
	if testing.Short() {
		sources = 1
	} else {
		for _, size := range [][2]int{{3000, 5000}, {60_000, 900_000}, {200_000, 250_000}} {
			cases = append(cases, pregeltest.Case{Name: "random directed", Graph: trial.Random(r, size[0], size[1], 0, true)},
				pregeltest.Case{Name: "random undirected", Graph: trial.Random(r, size[0], size[1], 0, false)})
		}
	}
	cases = append(append(cases, trial.Shapes(t, r, true)...), trial.Shapes(t, r, false)...)
	for _, c := range cases {
		for range min(c.Graph.N(), sources) {
			source := r.Uint32N(uint32(c.Graph.N()))
			answer := trial.OnDevice(t, c.Name, c.Graph, &bfs.BFS{Source: pregel.ID(c.Graph.IDs().Text(source))}, 0)
			depth, parent := reference(c.Graph, source)
			columns := answer.Table.Columns
			if !slices.Equal(columns[0].Counts, depth) || !slices.Equal(columns[1].Vertices, parent) {
				t.Fatalf("%s, from vertex %d: not what the queue gives", c.Name, source)
			}
		}
	}
}

// TestDevicePrepared runs on graphs by degree, with and without in-arcs at hand,
// and with and without bounds on the supersteps of a launch: on shapes, and on
// skewed graphs with isolated vertices, where few seek on at last.
func TestDevicePrepared(t *testing.T) {
	e := trial.Device(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	for c, p := range byDegree(t, seed, r) {
		batches := []int{1 << 12, 1 + r.IntN(3)}
		if testing.Short() {
			batches = batches[r.IntN(2):][:1]
		}
		for _, batch := range batches {
			source := r.Uint32N(uint32(c.Graph.N()))
			from := pregel.ID(c.Graph.IDs().Text(source))
			what := fmt.Sprintf("%s by degree, from vertex %d, %d supersteps a launch", c.Name, source, batch)
			on := func(a *bfs.BFS) []pregel.Column {
				answer, err := p.Run(t.Context(), a, &pregel.Job{Engine: e, Batch: batch})
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				return answer.Table.Columns
			}
			depth, parent := reference(c.Graph, source)
			first := firstByDegree(t, p, from)
			both, alone := on(&bfs.BFS{Source: from, Any: true}), on(&bfs.BFS{Source: from, Any: true, Depths: new(false)})
			if !slices.Equal(both[0].Counts, depth) || !slices.Equal(both[1].Vertices, first) || !slices.Equal(alone[0].Vertices, first) {
				t.Fatalf("%s: any parents are not the first ones by degree that a queue gives", what)
			}
			if least := on(&bfs.BFS{Source: from}); !slices.Equal(least[0].Counts, depth) || !slices.Equal(least[1].Vertices, parent) {
				t.Fatalf("%s: not what the queue gives", what)
			}
		}
	}
}

// firstByDegree are the parents that are least in the order by degree, by the user's numbers.
func firstByDegree(t *testing.T, p *pregel.Prepared, from pregel.ID) []uint32 {
	t.Helper()
	source, err := from.Vertex(p.Graph)
	if err != nil {
		t.Fatal(err)
	}
	_, least := reference(p.Graph, source)
	order, first := p.Graph.IDs().Order(), make([]uint32, len(least))
	for v, u := range least {
		if first[order[v]] = graph.None; u != graph.None {
			first[order[v]] = order[u]
		}
	}
	return first
}

// byDegree are graphs as they are, and prepared by degree, with in-arcs at hand or without.
func byDegree(t *testing.T, seed uint64, r *rand.Rand) iter.Seq2[pregeltest.Case, *pregel.Prepared] {
	t.Helper()
	cases, scale := trial.Graphs(seed), 9
	if !testing.Short() {
		scale = 15
	}
	for _, directed := range []bool{false, true} {
		cases = append(append(cases, trial.Shapes(t, r, directed)...), pregeltest.Case{Name: "kronecker", Graph: kronecker(t, scale, seed, directed)})
	}
	return func(yield func(pregeltest.Case, *pregel.Prepared) bool) {
		for _, c := range cases {
			if c.Graph.N() == 0 {
				continue
			}
			p, err := pregel.Prepare(t.Context(), c.Graph, "degree", 1)
			if err != nil {
				t.Fatal(err)
			}
			if r.IntN(3) > 0 {
				p.Graph.In()
			}
			if !yield(c, p) {
				return
			}
		}
	}
}

// Depths alone are those of the queue: on graphs as they are and by degree, whichever
// way messages go, in launches of few supersteps and of many. A short test has one way for
// each graph: under compute-sanitizer a launch takes long.
func TestDeviceDepths(t *testing.T) {
	engines := []*cuda.Engine{trial.Device(t)}
	for _, d := range []pregel.Direction{pregel.Push, pregel.Pull} {
		e, err := trial.OpenDevice(cuda.Options{Direction: d})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { e.Close() })
		engines = append(engines, e)
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	for c, p := range byDegree(t, seed, r) {
		source := r.Uint32N(uint32(c.Graph.N()))
		search := &bfs.BFS{Source: pregel.ID(c.Graph.IDs().Text(source)), Parents: new(false)}
		depth, _ := reference(c.Graph, source)
		onlyDepths(t, c.Name, trial.OnDevice(t, c.Name, c.Graph, search, 0), depth)
		some := engines
		if testing.Short() {
			k := r.IntN(len(engines))
			some = engines[k : k+1]
		}
		for _, e := range some {
			for _, batch := range []int{1 << 12, 1 + r.IntN(3)} {
				answer, err := p.Run(t.Context(), search, &pregel.Job{Engine: e, Batch: batch})
				name := fmt.Sprintf("%s by degree, from vertex %d, %v, %d supersteps a launch", c.Name, source, e.Direction, batch)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				onlyDepths(t, name, answer, depth)
			}
		}
	}
}

func onlyDepths(t *testing.T, name string, a *pregel.Answer, depth []uint32) {
	t.Helper()
	if c := a.Table.Columns; len(c) != 1 || c[0].Name != "depth" || !slices.Equal(c[0].Counts, depth) {
		t.Fatalf("%s: not the depths alone that the queue gives", name)
	}
}

func kronecker(t *testing.T, scale int, seed uint64, directed bool) *graph.Graph {
	t.Helper()
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "kronecker", Scale: scale, EdgeFactor: 16, Seed: seed}, graphgen.Options{Directed: &directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
