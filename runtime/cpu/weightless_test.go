package cpu_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// Operations on arcs that say Weightless, but are not, find a weight of 1 on every arc: a run on a graph with
// weights ends as the slow reference does on the same without.
func TestWeightless(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	cases := drawn(t, seed, graphgen.Options{Weights: graphgen.HashWeights}, graphgen.Spec{Kind: "kronecker", Scale: 10, EdgeFactor: 8, Seed: seed},
		graphgen.Spec{Kind: "grid", Rows: 31, Cols: 133}, graphgen.Spec{Kind: "star", N: 140_000})
	for _, k := range cases {
		g, bare, large := k.Graph, k.Graph.WithoutWeights(), k.Graph.N() > 10_000
		if large && race.On {
			continue
		}
		for i, along := range []pregel.Along{pregel.OutEdges, pregel.InEdges, pregel.BothEdges} {
			h := rumours{silent: (seed>>i)&1 != 0, along: along, fail: graph.None, weightless: true}
			var c called
			var arcs atomic.Int64
			many, rows := manyRumours{h, 1 + (i+int(seed%3))%3, &c}, rowRumours{h, &arcs}
			for _, p := range []pregel.EdgeProgram[uint64, uint64]{h, settledRumours{h}, queuedRumours{h}, many, manySome{many}, rows, rowSome{rows}} {
				endsAlike(t, fmt.Sprintf("%s, %T %+v", k.Name, p, h), g, bare, p, 6)
			}
			p := nears[uint32]{of: func(x uint32) uint32 { return x }, back: func(m uint32) uint32 { return m }, along: along, which: i, weightless: true, called: new(called)}
			endsAlike(t, k.Name+", nears", g, bare, p, math.MaxInt32)
			endsAlike(t, k.Name+", bucketed", g, bare, bucketed[uint32]{p}, math.MaxInt32)
			if large {
				break
			}
		}
	}
}

// endsAlike runs p on a graph, and the reference on another.
func endsAlike[V, M comparable](t *testing.T, name string, g, other *graph.Graph, p pregel.EdgeProgram[V, M], most int) {
	t.Helper()
	want := pregeltest.Reference(other, p, nil, most)
	ways := []cpu.Options{{Schedule: pregel.BSP}, {Schedule: pregel.BSP, Direction: pregel.Pull}}
	if _, ok := p.(pregel.Relaxer); ok {
		ways = append(ways, cpu.Options{Schedule: pregel.Relaxed})
	}
	for _, o := range ways {
		for _, o.Workers = range race.Workers(1, 3) {
			j := &pregel.Job{Graph: g, Engine: cpu.New(o)}
			if most != math.MaxInt32 {
				j.MaxSupersteps = most
			}
			got, err := pregel.RunEdge(t.Context(), j, p)
			if err != nil || !slices.Equal(got.Values, want.Values) {
				t.Fatalf("%s, %+v: the reference without weights differs, error %v", name, o, err)
			}
		}
	}
}

// An operation that is no function of one's own may not say so, as it would be another; and a function is needed.
func TestWeightlessIsOfFunctions(t *testing.T) {
	g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "star", N: 9}, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	missing := claims{edge: pregel.EdgeFunc[uint64]("none", nil)}
	if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1}), MaxSupersteps: 2}, missing); err == nil || !strings.Contains(err.Error(), "its edge operation none has no function") {
		t.Errorf("no function: %v", err)
	}
	for name, e := range map[string]pregel.EdgeOp[uint64]{"copy": {}, "plus_weight": pregel.PlusWeight[uint64](), "source_id": pregel.SourceID[uint64]()} {
		e.Weightless = true
		_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1}), MaxSupersteps: 2}, claims{rumours{}, e})
		if err == nil || !strings.Contains(err.Error(), "its edge operation "+name+" says Weightless, which is for functions of one's own (EdgeFunc)") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// claims is rumours with another edge operation.
type claims struct {
	rumours
	edge pregel.EdgeOp[uint64]
}

func (p claims) Spec() pregel.Spec[uint64] {
	s := p.rumours.Spec()
	s.Edge = p.edge
	return s
}
