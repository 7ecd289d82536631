package cpu_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/runtime/cpu"
)

// brittle fails at some vertices: Init and Apply at those from one on, Priority and Settled at one
// each. All vertices are awake at first, then half.
type brittle struct {
	spec                           pregel.Spec[uint32]
	init, apply, priority, settled uint32
}

func (p *brittle) Spec() pregel.Spec[uint32] { return p.spec }
func (p *brittle) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	fails("Init", v.ID >= p.init)
	return v.ID << 1, true
}
func (*brittle) Emit(v pregel.Vertex[uint32]) uint32 { return v.ID }
func (p *brittle) Apply(v pregel.Vertex[uint32], _ uint32, _ bool) (uint32, bool) {
	fails("Apply", v.ID >= p.apply)
	return v.ID<<1 | 1, v.ID%2 == 0
}
func (p *brittle) Priority(x uint32) uint64 {
	fails("Priority", x == p.priority)
	return 0
}
func (p *brittle) Settled(x uint32) bool {
	fails("Settled", x == p.settled)
	return false
}

func fails(where string, yes bool) {
	if yes {
		panic(where)
	}
}

// Of several functions that fail in one superstep the one is named that fails at the least
// vertex, as if each vertex were done with before the next.
func TestWhoFails(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 19))
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "cycle", N: 400}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	specs := []pregel.Spec[uint32]{{Combine: pregel.Max[uint32]()}, {Combine: pregel.Combine("xor", 0, func(a, b uint32) uint32 { return a ^ b })},
		{Combine: pregel.Max[uint32](), Silent: true, Along: pregel.BothEdges}}
	for range 40 {
		first := r.Uint32N(330)
		at := func() uint32 { return first + r.Uint32N(64) } // mostly one block
		p := &brittle{spec: specs[r.IntN(len(specs))], init: graph.None, apply: graph.None, priority: at() &^ 1, settled: at()}
		step, last := r.IntN(2)-1, at()
		want := min(p.priority, p.settled, last)
		if step < 0 {
			p.init, p.priority, p.settled = last, p.priority<<1, p.settled<<1
		} else {
			p.apply, p.priority, p.settled = last, p.priority<<1|1, p.settled<<1|1
		}
		for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
			what := fmt.Sprintf("%s, %+v, %v", p.spec.Combine.Name, p, d)
			wantVertex(t, what, g, p, d, step, want)
		}
	}
}

func wantVertex(t *testing.T, what string, g *graph.Graph, p *brittle, d pregel.Direction, step int, want uint32) {
	t.Helper()
	_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1, Direction: d})}, p)
	var at *pregel.VertexError
	if !errors.As(err, &at) {
		t.Fatalf("%s: %v", what, err)
	}
	if at.Vertex != want || at.Superstep != step {
		t.Errorf("%s: superstep %d, vertex %d, want %d, %d", what, at.Superstep, at.Vertex, step, want)
	}
}
