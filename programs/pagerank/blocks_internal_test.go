package pagerank

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/runtime/cpu"
)

// single is the program without blocks.
type single[R float32 | float64] struct{ p *program[R] }

func (s single[R]) Spec() pregel.Spec[R]                            { return s.p.Spec() }
func (s single[R]) Setup(at *pregel.Setup) error                    { return s.p.Setup(at) }
func (s single[R]) Init(v pregel.Vertex[R]) (R, bool)               { return s.p.Init(v) }
func (s single[R]) Emit(v pregel.Vertex[R]) R                       { return s.p.Emit(v) }
func (s single[R]) Apply(v pregel.Vertex[R], x R, b bool) (R, bool) { return s.p.Apply(v, x, b) }
func (s single[R]) Barrier(at *pregel.Step)                         { s.p.Barrier(at) }

// Blocks change no bit of a rank, nor of the change by which the run ends.
func TestBlocks(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for _, spec := range []graphgen.Spec{
		{Kind: "grid", Rows: 61, Cols: 40},
		{Kind: "kronecker", Scale: 11, EdgeFactor: 3, Seed: seed},
		{Kind: "star", N: 700},
	} {
		for _, directed := range []bool{false, true} { // with sinks
			g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Directed: &directed})
			if err != nil {
				t.Fatal(err)
			}
			sameWithout[float64](t, g)
			sameWithout[float32](t, g)
		}
	}
}

func sameWithout[R float32 | float64](t *testing.T, g *graph.Graph) {
	t.Helper()
	parameters := &PageRank{Damping: 0.85, Tolerance: 1e-5}
	job := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}
	with, err := pregel.RunEdge(t.Context(), job, &program[R]{PageRank: parameters})
	if err != nil {
		t.Fatal(err)
	}
	without, err := pregel.RunEdge(t.Context(), job, single[R]{&program[R]{PageRank: parameters}})
	if err != nil {
		t.Fatal(err)
	}
	if with.Stop != without.Stop || !slices.Equal(with.Values, without.Values) {
		t.Fatalf("%d vertices: %v, without blocks %v; ranks differ: %v", g.N(), with.Stop, without.Stop, !slices.Equal(with.Values, without.Values))
	}
}
