package cpu_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// rumours adds up, by functions of its own, what it hears of all arcs but some. Vertices
// are always awake; those that have heard enough settle, if they do.
type rumours struct {
	silent bool
	along  pregel.Along
	copies bool   // arcs change nothing
	fail   uint32 // arcs to this vertex fail; None: to none
	// The operation on arcs says that weights do not matter, though they do.
	weightless bool
}

func (p rumours) Spec() pregel.Spec[uint64] {
	plus := pregel.Combine("plus", 0, func(a, b uint64) uint64 { return a + b })
	plus.Exact = true
	s := pregel.Spec[uint64]{Combine: plus, Silent: p.silent, Along: p.along}
	if !p.copies {
		s.Edge = pregel.EdgeFunc("some", func(x uint64, u, v uint32, w float64) (uint64, bool) {
			if v == p.fail {
				panic("arc")
			}
			return x*31 + uint64(u)<<20 + uint64(v)<<40 + uint64(w*4), (u+v)%3 != 0
		})
		s.Edge.Weightless = p.weightless
	}
	return s
}

func (rumours) Init(v pregel.Vertex[uint64]) (uint64, bool) { return uint64(v.ID), true }
func (rumours) Emit(v pregel.Vertex[uint64]) uint64         { return v.Value + uint64(v.OutDegree) }
func (p rumours) Apply(v pregel.Vertex[uint64], sum uint64, got bool) (uint64, bool) {
	if !got {
		sum = 12345
	}
	return v.Value*7 + sum + uint64(v.OutDegree), true
}

// settledRumours is rumours, in which vertices settle.
type settledRumours struct{ rumours }

func (settledRumours) Settled(x uint64) bool { return x%5 == 0 }

// queuedRumours is rumours, in which some wait from the first superstep on, and none before.
type queuedRumours struct{ rumours }

func (queuedRumours) Init(v pregel.Vertex[uint64]) (uint64, bool) { return 2 * uint64(v.ID), true }

func (queuedRumours) Priority(x uint64) uint64 { return x % 2 }

// Messages of functions are those of the slow reference, whoever is silent, settles or waits.
func TestCalls(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, c := range drawn(t, seed, graphgen.Options{Weights: graphgen.HashWeights}, graphgen.Spec{Kind: "kronecker", Scale: 10, EdgeFactor: 8, Seed: seed},
		graphgen.Spec{Kind: "grid", Rows: 31, Cols: 33}, graphgen.Spec{Kind: "star", N: 70_000}) {
		if race.On && c.Graph.N() > 10_000 {
			continue // the hub: its parts are gathered by what others are
		}
		for _, silent := range []bool{false, true} {
			for _, copies := range []bool{false, true} {
				for _, along := range []pregel.Along{pregel.OutEdges, pregel.BothEdges} {
					h := rumours{silent: silent, copies: copies, along: along, fail: graph.None}
					for _, p := range []pregel.EdgeProgram[uint64, uint64]{h, settledRumours{h}, queuedRumours{h}} {
						matches(t, fmt.Sprintf("%s, %T %+v", c.Name, p, p), c.Graph, p)
					}
				}
			}
		}
	}
}

// drawn are random graphs, and some of these kinds.
func drawn(t *testing.T, seed uint64, o graphgen.Options, specs ...graphgen.Spec) []pregeltest.Case {
	t.Helper()
	cases := pregeltest.Graphs(seed)
	for _, spec := range specs {
		g, err := graphgen.Generate(t.Context(), spec, o)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, pregeltest.Case{Name: spec.Kind, Graph: g})
	}
	return cases
}

func matches(t *testing.T, name string, g *graph.Graph, p pregel.EdgeProgram[uint64, uint64]) {
	t.Helper()
	want := pregeltest.Reference(g, p, nil, 6)
	for _, workers := range race.Workers(1, 3) {
		r, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, MaxSupersteps: 6, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Pull})}, p)
		if err != nil {
			t.Fatalf("%s, %d workers: %v", name, workers, err)
		}
		if !slices.Equal(r.Values, want.Values) {
			t.Fatalf("%s, %d workers: other values than the reference's", name, workers)
		}
	}
}

// A function that fails is one of the vertex that the message was for.
func TestCallsFail(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "grid", Rows: 40, Cols: 40}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range race.Workers(1, 2) {
		_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: pregel.Pull}), MaxSupersteps: 6}, rumours{fail: 777})
		var failed *pregel.VertexError
		if !errors.As(err, &failed) || failed.Vertex != 777 || failed.Cause != "arc" {
			t.Errorf("%d workers: %v, want a failure of vertex 777", workers, err)
		}
	}
}
