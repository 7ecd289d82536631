package cpu_test

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// A hop is how far a vertex is from the nearest seed, and the least neighbour on the
// way there.
type hop struct{ far, from uint32 }

var nowhere = hop{graph.None, graph.None}

// wave spreads from its seeds.
type wave struct {
	seeds []uint32
	fails uint32 // Apply fails there
}

func (wave) Name() string { return "wave" }
func (wave) Spec() pregel.Spec[uint32] {
	return pregel.Spec[uint32]{Combine: pregel.Min[uint32](), Edge: pregel.SourceID[uint32]()}
}
func (p wave) Init(v pregel.Vertex[hop]) (hop, bool) {
	if slices.Contains(p.seeds, v.ID) {
		return hop{0, v.ID}, true
	}
	return nowhere, false
}
func (wave) Emit(pregel.Vertex[hop]) uint32 { panic("ids are sent") }
func (p wave) Apply(v pregel.Vertex[hop], from uint32, _ bool) (hop, bool) {
	if v.Value != nowhere {
		return v.Value, false
	}
	if v.ID == p.fails {
		panic("apply")
	}
	return hop{uint32(v.Superstep) + 1, from}, true
}

// ending is wave, whose vertices get done.
type ending struct{ wave }

func (ending) Settled(x hop) bool { return x != nowhere }

// seeding is ending, by its seeds.
type seeding struct{ ending }

func (p seeding) Seeds() (hop, []uint32) { return nowhere, p.seeds }

// sets is seeding, applied to sets.
type sets struct{ seeding }

func (p sets) ApplySet(b *pregel.Block[hop], set uint64, messages []uint32) (awake, settled uint64) {
	for rest := set; rest != 0; rest &= rest - 1 {
		k := bits.TrailingZeros64(rest)
		at := b.First
		at.ID += uint32(k)
		if at.ID != b.First.ID+uint32(k) || k >= len(messages) {
			panic("a vertex that is not there")
		}
		var woken bool
		if b.Values[k], woken = p.Apply(pregel.Vertex[hop]{Place: at, Value: b.Values[k]}, messages[k], true); woken {
			awake |= rest & -rest
		}
	}
	return awake, set
}

// begunBlocks is ending, begun by blocks.
type begunBlocks struct{ ending }

func (p begunBlocks) InitBlock(b *pregel.Block[hop]) (awake, settled uint64) {
	for k := range b.Values {
		at := b.First
		at.ID += uint32(k)
		var woken bool
		if b.Values[k], woken = p.Init(pregel.Vertex[hop]{Place: at, Value: b.Values[k]}); woken {
			awake |= 1 << k
		}
		if p.Settled(b.Values[k]) {
			settled |= 1 << k
		}
	}
	return awake, settled
}

// stumbling is begunBlocks whose Init fails, and on a value that a failed InitBlock has left.
type stumbling struct{ begunBlocks }

var left = hop{7, 7}

func (p stumbling) Init(v pregel.Vertex[hop]) (hop, bool) {
	if v.ID == p.fails || v.Value == left {
		panic("init")
	}
	return p.begunBlocks.Init(v)
}

func (p stumbling) InitBlock(b *pregel.Block[hop]) (awake, settled uint64) {
	if k := p.fails - b.First.ID; k < uint32(len(b.Values)) {
		b.Values[0] = left
		panic("init")
	}
	return p.begunBlocks.InitBlock(b)
}

// What fails in the first values of a block is named by its vertex.
func TestFirstBlockThatFails(t *testing.T) {
	g := square(t, 40)
	for _, fails := range []uint32{0, 77, 1599} {
		p := stumbling{begunBlocks{ending{wave{[]uint32{0}, fails}}}}
		_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}, p)
		var at *pregel.VertexError
		if !errors.As(err, &at) || at.Vertex != fails {
			t.Errorf("vertex %d fails: error %v", fails, err)
		}
	}
}

// spread is the slow obvious wave, and how many vertices that are nowhere have a
// neighbour awake in each superstep.
func spread(g *graph.Graph, seeds []uint32) (values []hop, reached []uint64) {
	values = slices.Repeat([]hop{nowhere}, g.N())
	for _, v := range seeds {
		values[v] = hop{0, v}
	}
	for step, going := uint32(0), true; going; step++ {
		going = false
		count := uint64(0)
		for v := range values {
			if values[v] != nowhere {
				going = going || values[v].far == step
				continue
			}
			for _, u := range g.In().Neighbors(uint32(v)) {
				if values[u].far == step {
					values[v] = hop{step + 1, u}
					count++
					break
				}
			}
		}
		reached = append(reached, count)
	}
	return values, reached
}

// unsettled is sets without a word of who is settled.
type unsettled struct {
	wave
	sets sets
}

func (p unsettled) ApplySet(b *pregel.Block[hop], set uint64, messages []uint32) (awake, settled uint64) {
	return p.sets.ApplySet(b, set, messages)
}

func allWaves(seeds []uint32) map[string]pregel.EdgeProgram[hop, uint32] {
	w := wave{seeds, graph.None}
	return map[string]pregel.EdgeProgram[hop, uint32]{
		"wave": w, "settling": ending{w}, "seeding": seeding{ending{w}}, "sets": sets{seeding{ending{w}}},
		"blocks":                 begunBlocks{ending{w}},
		"sets that never settle": unsettled{w, sets{seeding{ending{w}}}},
	}
}

// A Seeder, and a program that does sets, do what their Init, Apply and Settled do,
// on graphs with hubs, where many arcs are pushed along at once, and thin ones.
func TestSeedsAndSets(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	graphs := map[string]*graph.Graph{}
	for _, n := range []int{1, 63, 64, 65, 700} {
		var arcs graph.ArcList
		for range 2 * n {
			arcs.List = append(arcs.List, graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n))})
		}
		g, err := graph.FromArcs(n, arcs, graph.Options{Directed: n%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		graphs[fmt.Sprint(n)] = g
	}
	graphs["kronecker"] = made(t, graphgen.Spec{Kind: "kronecker", Scale: 12})
	graphs["grid"] = square(t, 60)
	for name, g := range graphs {
		for range 3 {
			seeds := make([]uint32, r.IntN(4))
			for i := range seeds {
				seeds[i] = r.Uint32N(uint32(g.N()))
			}
			slices.Sort(seeds)
			seeds = slices.Compact(seeds)
			r.Shuffle(len(seeds), func(i, k int) { seeds[i], seeds[k] = seeds[k], seeds[i] })
			want, reached := spread(g, seeds)
			for kind, p := range allWaves(seeds) {
				for _, workers := range race.Workers(1, 2, 5) {
					for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
						at := fmt.Sprintf("%s, seeds %d, %s, %d workers, %v", name, seeds, kind, workers, d)
						runWave(t, at, g, cpu.New(cpu.Options{Workers: workers, Direction: d}), p, kind != "wave" && kind != "sets that never settle", want, reached)
					}
				}
			}
		}
	}
}

func runWave(t *testing.T, at string, g *graph.Graph, e *cpu.Engine, p pregel.EdgeProgram[hop, uint32], settles bool, want []hop, reached []uint64) {
	t.Helper()
	total := uint64(0)
	j := &pregel.Job{Graph: g, Engine: e, Detail: func(*pregel.StepRecord) {}, Observe: func(s pregel.StepRecord) {
		total += s.Next
		if s.Next != reached[s.Superstep] {
			t.Errorf("%s: superstep %d leaves %d awake, want %d", at, s.Superstep, s.Next, reached[s.Superstep])
		}
		if c := s.Detail.Combined; c != nil && settles && *c != s.Next {
			t.Errorf("%s: superstep %d: messages for %d vertices, want %d", at, s.Superstep, *c, s.Next)
		}
	}}
	res, err := pregel.RunEdge(t.Context(), j, p)
	if err != nil || res.Stop.Reason != pregel.Halted {
		t.Fatalf("%s: %v", at, res.Stop)
	}
	for v := range want {
		if res.Values[v] != want[v] {
			t.Fatalf("%s: vertex %d has %v, want %v", at, v, res.Values[v], want[v])
		}
	}
}

// clumsy is sets whose ApplySet leaves a value at each vertex of a set before it fails, on which Apply
// fails, too.
type clumsy struct{ sets }

func (p clumsy) Apply(v pregel.Vertex[hop], from uint32, got bool) (hop, bool) {
	if v.Value == left {
		panic("left")
	}
	return p.sets.Apply(v, from, got)
}

func (p clumsy) ApplySet(b *pregel.Block[hop], set uint64, messages []uint32) (awake, settled uint64) {
	if k := p.fails - b.First.ID; k >= pregel.BlockSize || set>>k&1 == 0 {
		return p.sets.ApplySet(b, set, messages)
	}
	for rest := set; rest != 0; rest &= rest - 1 {
		b.Values[bits.TrailingZeros64(rest)] = left
	}
	panic("apply")
}

// What a set that fails has left is taken back, before it is found out which vertex it is.
func TestSetThatFailsLate(t *testing.T) {
	g := square(t, 40)
	want, _ := spread(g, []uint32{0})
	for _, fails := range []uint32{1, 40, 777, 1599} {
		p := clumsy{sets{seeding{ending{wave{[]uint32{0}, fails}}}}}
		j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Direction: pregel.Pull})}
		_, err := pregel.RunEdge(t.Context(), j, p)
		var at *pregel.VertexError
		if !errors.As(err, &at) || at.Vertex != fails || at.Superstep != int(want[fails].far)-1 || at.Cause != "apply" {
			t.Errorf("vertex %d fails: error %v", fails, err)
		}
	}
}

// What fails in a set is named by its vertex, and a vertex that fails has its value
// of before.
func TestSetThatFails(t *testing.T) {
	g := square(t, 40)
	want, _ := spread(g, []uint32{0})
	for _, d := range []pregel.Direction{pregel.Push, pregel.Pull} {
		for _, fails := range []uint32{1, 777, 1599} {
			p := sets{seeding{ending{wave{[]uint32{0}, fails}}}}
			j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2, Direction: d})}
			res, err := pregel.RunEdge(t.Context(), j, p)
			var at *pregel.VertexError
			if !errors.As(err, &at) || at.Vertex != fails || at.Superstep != int(want[fails].far)-1 {
				t.Errorf("%v: vertex %d fails: error %v", d, fails, err)
			}
			if res.Values[fails] != nowhere {
				t.Errorf("%v: vertex %d fails, and has %v", d, fails, res.Values[fails])
			}
		}
	}
}

// early fails in Init.
type early struct{ seeding }

func (early) Init(pregel.Vertex[hop]) (hop, bool) { panic("init") }

// A run that fails before it has begun has zeros, whatever was in memory; seeds that
// are no vertices are an error.
func TestSeedsThatFail(t *testing.T) {
	g := square(t, 200)
	for _, p := range []pregel.EdgeProgram[hop, uint32]{
		sets{seeding{ending{wave{[]uint32{7}, graph.None}}}}, // leaves memory with something in it
		early{seeding{ending{wave{[]uint32{7}, graph.None}}}},
		seeding{ending{wave{[]uint32{40_000}, graph.None}}},
	} {
		res, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})}, p)
		switch p.(type) {
		case sets:
			if err != nil {
				t.Fatal(err)
			}
			continue
		case seeding:
			if err == nil || !strings.Contains(err.Error(), "vertex 40000 of a graph of 40000") {
				t.Errorf("a seed outside of the graph: error %v", err)
			}
		default:
			var at *pregel.VertexError
			if !errors.As(err, &at) || at.Vertex != 7 {
				t.Errorf("Init fails: error %v", err)
			}
		}
		if len(res.Values) != g.N() || slices.ContainsFunc(res.Values, func(x hop) bool { return x != hop{} }) {
			t.Errorf("%T: values are left of who was here before", p)
		}
	}
}

func made(t *testing.T, spec graphgen.Spec) *graph.Graph {
	t.Helper()
	g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func square(t *testing.T, side int) *graph.Graph {
	t.Helper()
	return made(t, graphgen.Spec{Kind: "grid", Rows: side, Cols: side})
}
