package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// randomGraph has no negative weights: with those shortest distances need not end.
func randomGraph(t *testing.T, r *rand.Rand, n, m int, directed bool, kind graph.WeightKind) *graph.Graph {
	t.Helper()
	c := graph.Columns{}
	for range m * min(n, 1) {
		c.U, c.V = append(c.U, r.Uint32N(uint32(n))), append(c.V, r.Uint32N(uint32(n)))
		switch kind {
		case graph.Int32:
			c.Weights.Int = append(c.Weights.Int, r.Int32N(30))
		case graph.Float32:
			c.Weights.Float = append(c.Weights.Float, r.Float32())
		}
	}
	return build(t, n, c, directed)
}

func build(t *testing.T, n int, c graph.Columns, directed bool) *graph.Graph {
	t.Helper()
	g, err := graph.Build(t.Context(), graph.RangeIDs(100, n), c, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// relaxGraphs are random graphs, large enough for several workers, and shapes.
func relaxGraphs(t *testing.T, r *rand.Rand) map[string]*graph.Graph {
	t.Helper()
	list := map[string]*graph.Graph{}
	for _, directed := range []bool{true, false} {
		for _, kind := range []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32} {
			form := fmt.Sprintf("directed %v, weights %v", directed, kind)
			list["empty, "+form] = randomGraph(t, r, 0, 0, directed, kind)
			list["one vertex, "+form] = randomGraph(t, r, 1, 2, directed, kind)
			list["no arcs, "+form] = randomGraph(t, r, 200, 0, directed, kind)
			list["sparse, "+form] = randomGraph(t, r, 1300, 2200, directed, kind)
			list["dense, "+form] = randomGraph(t, r, 200, 4000, directed, kind)
		}
	}
	for _, spec := range []graphgen.Spec{{Kind: "path", N: 400}, {Kind: "star", N: 1500}, {Kind: "grid", Rows: 30, Cols: 30},
		{Kind: "kronecker", Scale: 10, EdgeFactor: 8, Seed: r.Uint64()}} {
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Weights: graphgen.HashWeights})
		if err != nil {
			t.Fatal(err)
		}
		list[spec.Kind] = g
	}
	return list
}

func newSeed(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 1))
}

// sameRelaxed compares values of both schedules, and of the plain interpreter.
func sameRelaxed[V, M any](p pregel.EdgeProgram[V, M]) func(t *testing.T, g *graph.Graph) {
	return func(t *testing.T, g *graph.Graph) {
		want := pregeltest.Reference(g, p, nil, 0)
		for _, workers := range race.Workers(1, 2, 3, 8) {
			for _, s := range []pregel.Schedule{pregel.BSP, pregel.Relaxed} {
				if s == pregel.BSP && workers != 2 {
					continue // the contract's matter
				}
				rounds := 0
				e := cpu.New(cpu.Options{Workers: workers, Schedule: s})
				j := &pregel.Job{Graph: g, Engine: e, Observe: func(r pregel.StepRecord) {
					if r.Superstep != rounds || r.Relaxed != (s == pregel.Relaxed) {
						t.Errorf("%v: record %+v of round %d", s, r, rounds)
					}
					rounds++
				}}
				got, err := pregel.RunEdge(t.Context(), j, p)
				if err != nil || got.Stop.Reason != pregel.Halted || got.Stop.Supersteps != rounds {
					t.Fatalf("%v, %d workers: %v after %d rounds, %v", s, workers, got.Stop, rounds, err)
				}
				for v := range want.Values {
					if !reflect.DeepEqual(got.Values[v], want.Values[v]) {
						t.Fatalf("%v, %d workers: vertex %d has %v, want %v", s, workers, v, got.Values[v], want.Values[v])
					}
				}
			}
		}
	}
}

func TestRelaxedValues(t *testing.T) {
	programs := map[string]func(*testing.T, *graph.Graph){
		"least of out":      sameRelaxed[uint32, uint32](least{}),
		"least of in":       sameRelaxed[uint32, uint32](least{pregel.InEdges}),
		"least of both":     sameRelaxed[uint32, uint32](least{pregel.BothEdges}),
		"widest":            sameRelaxed[float64, float64](widest{}),
		"widest first":      sameRelaxed[float64, float64](widestFirst{most: 256, step: 3}),
		"shortest":          sameRelaxed[float64, float64](shortest{}),
		"nearest first":     sameRelaxed[float64, float64](nearestFirst{step: 2}),
		"far priorities":    sameRelaxed[float64, float64](nearestFirst{step: 1e-4}),
		"sources":           sameRelaxed[uint32, uint32](sources{5}),
		"within 7 hops":     sameRelaxed[uint32, uint32](within{7}),
		"structs":           sameRelaxed[leg, leg](route{}),
		"any of slices":     sameRelaxed[bool, []byte](touched{}),
		"settled":           sameRelaxed[uint32, uint32](settling{sources{3}}),
		"least source id":   sameRelaxed[uint32, uint32](leastSource{}),
		"lengths in whole":  sameRelaxed[uint32, uint32](roads{}),
		"lengths both ways": sameRelaxed[uint32, uint32](roads{pregel.BothEdges}),
		"widths in whole":   sameRelaxed[int32, int32](pipes{}),
		"widths to sources": sameRelaxed[int32, int32](pipes{pregel.InEdges}),
		"closed arcs":       sameRelaxed[float64, float64](detours{nearestFirst{step: 2}}),
		"weights times max": sameRelaxed[uint64, uint64](spreading{}),
	}
	for name, g := range relaxGraphs(t, newSeed(t)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for program, check := range programs {
				t.Run(program, func(t *testing.T) { check(t, g) })
			}
		})
	}
}

// Where rounds have many vertices their workers meet: on vertices that wait for their turn, too.
func TestRelaxedTurns(t *testing.T) {
	r := newSeed(t)
	for _, directed := range []bool{true, false} {
		spec := graphgen.Spec{Kind: "kronecker", Scale: 13, EdgeFactor: 8, Seed: r.Uint64()}
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Weights: graphgen.HashWeights, Directed: &directed})
		if err != nil {
			t.Fatal(err)
		}
		sameRelaxed[float64, float64](shortest{})(t, g)
		sameRelaxed[uint32, uint32](roads{pregel.BothEdges})(t, g)
		sameRelaxed[int32, int32](pipes{})(t, g)
		sameRelaxed[float64, float64](detours{nearestFirst{step: 8}})(t, g)
	}
}

// Rounds of few vertices are up to sixteen a superstep, whoever does them.
func TestFusedRounds(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 300, Cols: 300}, graphgen.Options{Weights: graphgen.HashWeights})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range race.Workers(1, 2) {
		for range 3 {
			r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Schedule: pregel.Relaxed})}, shortest{})
			if err != nil || r.Stop.Supersteps > 120 {
				t.Errorf("%d workers: %d supersteps, want some 70; error %v", workers, r.Stop.Supersteps, err)
			}
		}
	}
}
