package pregeltest

import (
	"fmt"
	"math"
	"sync"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// A hub has more arcs than an engine may want to give one worker.
const (
	hubLeaves = 150_000
	hub       = 77_777
)

// stars are graphs around a hub: all arcs into it, all out of it, both.
func stars(s *suite) map[string]*graph.Graph {
	r := newRand(s.seed)
	in, out, both := arcList{n: hubLeaves}, arcList{n: hubLeaves}, arcList{n: hubLeaves}
	for v := range hubLeaves {
		in.add(v, hub)
		out.add(hub, v)
		both.add(v, hub)
	}
	return map[string]*graph.Graph{
		"in":         in.random(form{true, graph.Int32}, r),
		"out":        out.random(form{true, graph.Float32}, r),
		"undirected": both.random(form{false, graph.Int32}, r),
	}
}

func hubs(s *suite) {
	graphs := stars(s)
	var trials []trial
	for _, name := range sortedKeys(graphs) {
		g := graphs[name]
		for i, along := range directions() {
			trials = append(trials, hubTrial(s, g, along, i, integers[int64]()))
			trials = append(trials, hubTrial(s, g, along, i+1, numbers[float64]()))
		}
		for _, every := range []uint32{1, 2, 50_000} {
			trials = append(trials, gotExactly(g, probes(integers[int32](), pregel.OutEdges, every)[4:9]))
		}
		trials = append(trials, against(g, wave{}), against(g, settlingWave{}))
	}
	k := 7 // shares no factor with the number of configurations
	if testing.Short() {
		k = 25
	}
	s.share(trials, k)
}

// hubTrial takes its turn among combiners and operations.
func hubTrial[M pregel.Number](s *suite, g *graph.Graph, along pregel.Along, i int, k kit[M]) trial {
	k = k.unnamed()
	m := machine[M]{
		spec: pregel.Spec[M]{
			Combine: k.combiners[(int(s.seed%8)+i)%len(k.combiners)],
			Edge:    k.operations[(int(s.seed>>8%8)+2*i)%len(k.operations)],
			Along:   along,
		},
		salt: s.seed, asleep: uint64(4 * i), quiet: 12, steps: 2,
	}
	m.tame()
	if i == 1 {
		return against(g, collecting[M]{m})
	}
	return against(g, m)
}

// harmonic sums numbers that no order of addition gives the same result for.
type harmonic struct{}

func (harmonic) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{Combine: pregel.Sum[float64](), Edge: pregel.TimesWeight[float64]()}
}
func (harmonic) Init(v pregel.Vertex[float64]) (float64, bool) {
	return 1 / (float64(mix(uint64(v.ID))%1000) + 0.7), v.ID%3 != 0
}
func (harmonic) Emit(v pregel.Vertex[float64]) float64 { return v.Value }
func (harmonic) Apply(v pregel.Vertex[float64], message float64, _ bool) (float64, bool) {
	return v.Value/3 + message/float64(v.OutDegree+1), v.Superstep < 3
}

// floatSums are near the reference's, and the same where the order is promised:
// also around a hub, whose sum engines put together from parts.
func floatSums(s *suite) {
	r := newRand(s.seed)
	trials := []trial{sameFloats(stars(s)["undirected"], harmonic{}, 1e-11)}
	for _, f := range forms() {
		trials = append(trials, sameFloats(randomArcs(r, 2000, 12000).random(f, r), harmonic{}, 1e-11))
	}
	s.try(trials)
}

// sameFloats compares floats with the reference within a share of the largest of
// them, as terms of both signs may leave nothing but their rounding, and where the
// order is promised with each other to the last bit.
func sameFloats(g *graph.Graph, p pregel.EdgeProgram[float64, float64], tolerance float64) trial {
	want := sync.OnceValue(func() []float64 { return Reference(g, p, nil, 0).Values })
	var ordered []float64
	return func(e *env) {
		values := runEdge(e, g, p).Values
		largest := 0.0
		for _, x := range want() {
			largest = max(largest, math.Abs(x))
		}
		text := difference(values, want(), func(a, b float64) bool { return math.Abs(a-b) <= tolerance*largest })
		if text == "" && e.ordered() {
			if ordered == nil {
				ordered = values
			}
			if text = differs(values, ordered); text != "" {
				text = fmt.Sprintf("the order is promised, but another configuration summed otherwise: %s", text)
			}
		}
		if text != "" {
			e.Errorf("%s: %s", describe(g), text)
		}
	}
}
