package cpu_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// counting counts its offers, of values that make no sense, and says whom they wake.
type counting struct {
	spec   pregel.Spec[uint32]
	seeds  uint32
	offers *pregel.Aggregator[uint64]
	counts *[]uint64 // by superstep
}

func (p *counting) Spec() pregel.Spec[uint32] { return p.spec }
func (p *counting) Setup(s *pregel.Setup) error {
	p.offers, *p.counts = pregel.NewAggregator(s, pregel.Sum[uint64]()), nil
	return nil
}
func (p *counting) Init(v pregel.Vertex[uint32]) (uint32, bool) {
	return v.ID, v.ID%p.seeds == 17%p.seeds
}
func (p *counting) Emit(v pregel.Vertex[uint32]) uint32 {
	p.offers.Add(v.Place, 1)
	return v.Value>>3 + uint32(v.Superstep)
}
func (p *counting) Apply(v pregel.Vertex[uint32], m uint32, got bool) (uint32, bool) {
	return v.Value*3 + m + 1, got || v.ID%7 == 0
}
func (p *counting) Barrier(s *pregel.Step) {
	if s.Superstep >= 0 {
		*p.counts = append(*p.counts, p.offers.Last())
	}
}

// filling takes messages only while its value is small, queueing is awake from a priority on.
type (
	filling  struct{ *counting }
	queueing struct{ *counting }
)

func (filling) Settled(x uint32) bool     { return x > 1<<17 }
func (queueing) Priority(x uint32) uint64 { return uint64(x >> 20) }

// offerers are programs of all kinds that offer something.
func offerers(r *rand.Rand, counts *[]uint64) map[string]pregel.EdgeProgram[uint32, uint32] {
	added := pregel.EdgeFunc("added", func(x uint32, u, v uint32, w float64) (uint32, bool) { return x + u + uint32(w), v%5 != 0 })
	xor := pregel.Combine("xor", 0, func(a, b uint32) uint32 { return a ^ b })
	specs := map[string]pregel.Spec[uint32]{
		"greatest": {Combine: pregel.Max[uint32]()}, "sums": {Combine: pregel.Sum[uint32]()}, "any": {Combine: pregel.Any[uint32]()},
		"lengths": {Combine: pregel.Min[uint32](), Edge: pregel.PlusWeight[uint32]()}, "functions": {Combine: xor},
		"operations": {Combine: pregel.Max[uint32](), Edge: added}, "both": {Combine: xor, Edge: added},
	}
	list := map[string]pregel.EdgeProgram[uint32, uint32]{}
	for _, name := range slices.Sorted(maps.Keys(specs)) {
		spec := specs[name]
		if name != "greatest" { // sure to go from where many arcs do
			spec.Along, spec.Silent = pregel.Along(r.IntN(3)), r.IntN(3) == 0
		}
		for _, seeds := range []uint32{7, 20710} {
			p := &counting{spec: spec, seeds: seeds, counts: counts}
			name := fmt.Sprint(name, " by ", seeds)
			list[name] = p
			if r.IntN(2) == 0 {
				list[name+", filling"] = filling{p}
			}
			if !spec.Silent && r.IntN(3) == 0 {
				list[name+", queueing"] = queueing{p}
			}
		}
	}
	return list
}

// Each vertex awake makes its offer once in a superstep, also where its arcs are sent along in parts.
func TestOffersOnce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 18))
	divided := 0
	for name, g := range landscapes(t, r) {
		counts := new([]uint64)
		programs, all := offerers(r, counts), []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull}
		directions := race.Some(all...)
		if name == "hub" { // the one that has such vertices
			directions = all
		}
		for _, kind := range slices.Sorted(maps.Keys(programs)) {
			for _, workers := range race.Workers(1, 3) {
				for _, d := range directions {
					what := fmt.Sprintf("%s, %s, %+v, %d workers, %v", name, kind, programs[kind], workers, d)
					divided += offersOnce(t, what, g, programs[kind], counts, cpu.New(cpu.Options{Workers: workers, Direction: d}))
				}
			}
		}
	}
	if divided == 0 {
		t.Error("no vertex with thousands of arcs sent in parts")
	}
}

func offersOnce(t *testing.T, what string, g *graph.Graph, p pregel.EdgeProgram[uint32, uint32], counts *[]uint64, e pregel.Engine) (lists int) {
	t.Helper()
	var awake []uint64
	j := &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 6, Observe: func(s pregel.StepRecord) {
		awake = append(awake, s.Awake)
		if s.List && s.Direction == pregel.Push && s.Arcs > 1000*s.Awake {
			lists++
		}
	}}
	if _, err := pregel.RunEdge(t.Context(), j, p); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !slices.Equal(*counts, awake) {
		t.Fatalf("%s: %d offers were made in the supersteps, by %d awake", what, *counts, awake)
	}
	return lists
}
