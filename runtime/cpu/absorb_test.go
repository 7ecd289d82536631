package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// absorbs says that the programs that have it absorb their messages, which they do.
type absorbs struct{}

func (absorbs) Absorbs() bool { return true }

// soaked says so of any program that may be relaxed, inTurn of one with priorities, once of one that knows
// when a vertex is done.
type (
	soaked[V any] struct {
		pregel.EdgeProgram[V, V]
		absorbs
	}
	soakedInTurn[V any] struct {
		soaked[V]
		pregel.Prioritizer[V]
	}
	soakedOnce[V any] struct {
		soaked[V]
		pregel.Settler[V]
	}
)

func (soaked[V]) Relaxes() bool { return true }

func soak[V any](p pregel.EdgeProgram[V, V]) pregel.EdgeProgram[V, V] {
	s := soaked[V]{EdgeProgram: p}
	if q, ok := p.(pregel.Prioritizer[V]); ok {
		return soakedInTurn[V]{s, q}
	}
	if q, ok := p.(pregel.Settler[V]); ok {
		return soakedOnce[V]{s, q}
	}
	return s
}

// relaxedAbsorbers are programs of all kinds of boxes and orders.
func relaxedAbsorbers() map[string]func(*testing.T, *graph.Graph) {
	return map[string]func(*testing.T, *graph.Graph){
		"least of out":      sameRelaxed(soak[uint32](least{})),
		"least of both":     sameRelaxed(soak[uint32](least{pregel.BothEdges})),
		"widest":            sameRelaxed(soak[float64](widest{})),
		"widest first":      sameRelaxed(soak[float64](widestFirst{most: 256, step: 3})),
		"shortest":          sameRelaxed(soak[float64](shortest{})),
		"far priorities":    sameRelaxed(soak[float64](nearestFirst{step: 1e-4})),
		"sources":           sameRelaxed(soak[uint32](sources{5})),
		"sources in turn":   sameRelaxed(soak[uint32](inTurn{sources{3}})),
		"structs":           sameRelaxed(soak[leg](route{})),
		"settled":           sameRelaxed(soak[uint32](settling{sources{3}})),
		"lengths in whole":  sameRelaxed(soak[uint32](roads{})),
		"lengths both ways": sameRelaxed(soak[uint32](roads{pregel.BothEdges})),
		"widths in whole":   sameRelaxed(soak[int32](pipes{})),
		"widths to sources": sameRelaxed(soak[int32](pipes{pregel.InEdges})),
		"of many":           sameRelaxed(soak[uint32](byMany())),
		"of many, in turn":  sameRelaxed(soak[uint32](bucketed[uint32]{byMany()})),
		"closed arcs":       sameRelaxed(soak[float64](detours{nearestFirst{step: 2}})),
	}
}

// byMany is nears, whose functions are there for many at a time.
func byMany() nears[uint32] {
	same := func(x uint32) uint32 { return x }
	return nears[uint32]{of: same, back: same, along: pregel.BothEdges, which: 3, called: new(called)}
}

// distant is nearest first by a function, of so narrow steps that most lie beyond the rings of buckets.
type distant struct{ nearestFirst }

func (distant) Spec() pregel.Spec[float64] { return detours{}.Spec() }

// inTurn is sources, those with few first.
type inTurn struct{ sources }

func (inTurn) Priority(x uint32) uint64 { return uint64(x >> 29) }

func TestRelaxedAbsorbers(t *testing.T) {
	r := newSeed(t)
	for name, g := range relaxGraphs(t, r) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for program, check := range relaxedAbsorbers() {
				t.Run(program, func(t *testing.T) { check(t, g) })
			}
		})
	}
	for _, directed := range race.Some(true, false) { // of many vertices, on which workers meet
		spec := graphgen.Spec{Kind: "kronecker", Scale: 13, EdgeFactor: 8, Seed: r.Uint64()}
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Weights: graphgen.HashWeights, Directed: &directed})
		if err != nil {
			t.Fatal(err)
		}
		for program, check := range relaxedAbsorbers() {
			t.Run(fmt.Sprintf("kronecker, directed %v, %s", directed, program), func(t *testing.T) { check(t, g) })
		}
	}
}

// An absorber sends hardly more often than the same program that says nothing of itself: what was sent is not
// sent again, and the nearest go first.
func TestAbsorbersSendOnce(t *testing.T) {
	spec := graphgen.Spec{Kind: "kronecker", Scale: 11, EdgeFactor: 8, Seed: newSeed(t).Uint64()}
	g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{Weights: graphgen.HashWeights})
	if err != nil {
		t.Fatal(err)
	}
	sent := func(p pregel.EdgeProgram[float64, float64]) (n uint64) {
		e := cpu.New(cpu.Options{Workers: 1, Schedule: pregel.Relaxed})
		j := &pregel.Job{Graph: g, Engine: e, Observe: func(r pregel.StepRecord) { n += r.Awake }}
		if _, err := pregel.RunEdge(t.Context(), j, p); err != nil {
			t.Fatal(err)
		}
		return n
	}
	ways := detours{nearestFirst{step: 8}}
	for _, p := range []pregel.EdgeProgram[float64, float64]{shortest{}, ways} {
		if says, not := sent(soak(p)), sent(p); says > not+not/8 { // of a bucket, the order is another
			t.Errorf("%T sends %d times, and %d times if it does not say that it absorbs", p, says, not)
		}
	}
}

// heaped is an absorber of messages of one's choice that counts how often it is called.
type heaped struct {
	absorbs
	spec  pregel.Spec[uint64]
	calls *atomic.Int64
}

func (p heaped) Spec() pregel.Spec[uint64] { return p.spec }
func (heaped) Init(v pregel.Vertex[uint64]) (uint64, bool) {
	return uint64(v.ID)*0x9e3779b97f4a7c15>>40 + 1, v.ID%3 == 0
}
func (p heaped) Emit(v pregel.Vertex[uint64]) uint64 {
	p.calls.Add(1)
	return v.Value
}
func (p heaped) Apply(v pregel.Vertex[uint64], m uint64, _ bool) (uint64, bool) {
	p.calls.Add(1)
	x := p.spec.Combine.Func(v.Value, m)
	return x, x != v.Value
}

// heapedFirst is heaped with priorities, and done where enough has come together.
type heapedFirst struct{ heaped }

func (heapedFirst) Priority(x uint64) uint64 { return x >> 22 }
func (heapedFirst) Settled(x uint64) bool    { return false }

// heapedOnce is heaped from few vertices, who are done when they are reached: all offer the same.
type heapedOnce struct{ heaped }

func (heapedOnce) Init(v pregel.Vertex[uint64]) (uint64, bool) {
	if v.ID%1000 == 3 {
		return 7, true
	}
	return 0, false
}
func (heapedOnce) Settled(x uint64) bool { return x > 0 }

// once gives any program the Settled of heapedOnce.
type once struct {
	pregel.EdgeProgram[uint64, uint64]
}

func (once) Settled(x uint64) bool { return x > 0 }

// A run of an absorber is that of the same program which says nothing of itself, superstep by superstep,
// and does not call it.
func TestAbsorbersInTurn(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 7))
	xor := pregel.Combine("xor", 0, func(a, b uint64) uint64 { return a ^ b })
	most := pregel.Combine("most", 0, func(a, b uint64) uint64 { return max(a, b) })
	specs := []pregel.Spec[uint64]{
		{Combine: pregel.Min[uint64](), Edge: pregel.PlusWeight[uint64]()}, {Combine: pregel.Min[uint64]()},
		{Combine: pregel.Max[uint64]()}, {Combine: pregel.Or[uint64]()}, {Combine: pregel.Sum[uint64]()}, {Combine: xor},
		{Combine: most, Edge: pregel.EdgeFunc("less", func(x uint64, _, _ uint32, _ float64) (uint64, bool) { return x / 2, x%5 > 0 })},
	}
	for name, g := range landscapes(t, r) {
		for _, spec := range specs {
			spec.Along, spec.Silent = pregel.Along(r.IntN(3)), r.IntN(3) == 0
			calls := new(atomic.Int64)
			p := heaped{spec: spec, calls: calls}
			var program, plain pregel.EdgeProgram[uint64, uint64] = p, struct {
				pregel.EdgeProgram[uint64, uint64]
			}{p}
			waves := false // ask Emit and Apply, too
			if spec.Combine.Name == "max" {
				program, plain, waves = heapedOnce{p}, once{struct {
					pregel.EdgeProgram[uint64, uint64]
				}{heapedOnce{p}}}, true
			} else if !spec.Silent && r.IntN(2) == 0 {
				program, plain = heapedFirst{p}, waiting{plain}
			}
			for _, workers := range race.Workers(1, 3) {
				for _, d := range race.Some(pregel.Auto, pregel.Push, pregel.Pull) {
					what := fmt.Sprintf("%s, %s %s, along %d, silent %v, %T, %d workers, %v", name, spec.Combine.Name, spec.Edge.Name, spec.Along, spec.Silent, program, workers, d)
					o := cpu.Options{Workers: workers, Direction: d}
					want, steps := heap(t, g, plain, o)
					calls.Store(0)
					got, also := heap(t, g, program, o)
					if !slices.Equal(got, want) || !slices.Equal(steps, also) {
						t.Fatalf("%s: %v vertices awake, of one that says nothing %v; values differ: %v", what, also, steps, !slices.Equal(got, want))
					}
					if n := calls.Load(); n > 0 && !waves {
						t.Fatalf("%s: was called %d times", what, n)
					}
				}
			}
		}
	}
}

// waiting gives any program the priorities of heapedFirst.
type waiting struct {
	pregel.EdgeProgram[uint64, uint64]
}

func (waiting) Priority(x uint64) uint64 { return x >> 22 }
func (waiting) Settled(x uint64) bool    { return false }

// heap runs a program for some supersteps, and tells how many were awake in each.
func heap(t *testing.T, g *graph.Graph, p pregel.EdgeProgram[uint64, uint64], o cpu.Options) (values, awake []uint64) {
	t.Helper()
	j := &pregel.Job{Graph: g, Engine: cpu.New(o), MaxSupersteps: 7, Observe: func(s pregel.StepRecord) { awake = append(awake, s.Awake) }}
	r, err := pregel.RunEdge(t.Context(), j, p)
	if err != nil {
		t.Fatal(err)
	}
	return r.Values, awake
}

// What cannot absorb is refused.
type (
	otherType struct {
		absorbs
		touched
	}
	anyOne struct {
		absorbs
		leastSource
	}
)

func (anyOne) Spec() pregel.Spec[uint32] { return pregel.Spec[uint32]{Combine: pregel.Any[uint32]()} }

func TestNoAbsorbers(t *testing.T) {
	g := randomGraph(t, newSeed(t), 10, 20, true, graph.Unweighted)
	j := func() *pregel.Job { return &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})} }
	_, err := pregel.RunEdge[bool, []byte](t.Context(), j(), otherType{})
	if want := "an Absorber's values are of the type of its messages; this one's are bool, and its messages []uint8"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("found %v, want %s", err, want)
	}
	_, err = pregel.RunEdge[uint32, uint32](t.Context(), j(), anyOne{})
	if want := `an Absorber combines messages and values by a function of two; this one's combiner is "any"`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("found %v, want %s", err, want)
	}
}

// A run in place of an absorber goes on from any of its rounds.
func TestResumedAbsorbers(t *testing.T) {
	r := newSeed(t)
	list := map[string]func(*testing.T, *rand.Rand, string, *graph.Graph) int{
		"least":         resumedRelaxed(soak[uint32](least{pregel.BothEdges})),
		"widest first":  resumedRelaxed(soak[float64](widestFirst{most: 256, step: 3})),
		"nearest first": resumedRelaxed(soak[float64](nearestFirst{step: 2})),
		"far, in turn":  resumedRelaxed(soak[float64](distant{nearestFirst{step: 1e-4}})),
		"in turn":       resumedRelaxed(soak[uint32](inTurn{sources{3}})),
		"lengths":       resumedRelaxed(soak[uint32](roads{pregel.BothEdges})),
		"closed arcs":   resumedRelaxed(soak[float64](detours{nearestFirst{step: 2}})),
	}
	total := 0
	for name, g := range relaxGraphs(t, r) {
		for program, check := range list {
			if g.N() > 0 && (!testing.Short() || r.IntN(12) == 0) {
				total += check(t, r, name+", "+program, g)
			}
		}
	}
	if total < 20 && !testing.Short() {
		t.Errorf("only %d interruptions", total)
	}
}
