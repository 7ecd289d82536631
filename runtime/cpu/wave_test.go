package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// rounds go out from some vertices: each vertex takes messages until it has had some in so
// many supersteps as its id says, and is awake after each. All that send in a superstep say the
// same, but in that of odd.
type rounds struct {
	seeds, odd uint32
	own        bool // the combiner is a function
	along      pregel.Along
	made, had  *pregel.Aggregator[uint64] // offers, messages
}

type taken struct{ had, sum uint32 }

func (p *rounds) Spec() pregel.Spec[uint32] {
	if p.own {
		return pregel.Spec[uint32]{Combine: owned(pregel.Max[uint32]()), Along: p.along}
	}
	return pregel.Spec[uint32]{Combine: pregel.Max[uint32](), Along: p.along}
}
func (p *rounds) Setup(s *pregel.Setup) error {
	p.made = pregel.NewPersistentAggregator(s, pregel.Sum[uint64]())
	p.had = pregel.NewPersistentAggregator(s, pregel.Sum[uint64]())
	return nil
}
func (p *rounds) Init(v pregel.Vertex[taken]) (taken, bool) {
	return taken{}, v.ID%p.seeds == 0
}
func (p *rounds) Emit(v pregel.Vertex[taken]) uint32 {
	p.made.Add(v.Place, 1)
	if uint32(v.Superstep) == p.odd {
		return 100 + v.ID%3
	}
	return uint32(v.Superstep)*7 + 1
}
func (p *rounds) Apply(v pregel.Vertex[taken], m uint32, _ bool) (taken, bool) {
	if p.Settled(v.Value) {
		return v.Value, false
	}
	p.had.Add(v.Place, 1)
	x := taken{v.Value.had + 1, v.Value.sum*3 + m + uint32(v.Superstep) + v.OutDegree}
	return x, v.ID%5 != 3
}
func (*rounds) Settled(x taken) bool { return x.had > 2 || x.had > 0 && x.sum%2 == 0 }

// What is sent and applied in one when all say the same, by any number of workers, is what a slow
// interpreter makes of it; nobody takes two messages in one superstep, who is not settled takes
// more in the next, and no offer is made twice, even where it turns out that they differ.
func TestWaves(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 12))
	whole := map[bool]int{}
	for name, g := range landscapes(t, r) {
		for i, odd := range []uint32{graph.None, 0, 2, graph.None, 0, 2} {
			p := &rounds{seeds: 1 + r.Uint32N(uint32(g.N())), odd: odd, along: pregel.Along(r.IntN(3)), own: i > 2}
			want := pregeltest.Reference[taken, uint32](g, p, nil, 1<<20)
			for _, workers := range race.Workers(1, 2, 3) {
				for _, shares := range race.Some(0, 1, 3) {
					what := fmt.Sprintf("%s, %+v, %d workers, %d shares", name, p, workers, shares)
					whole[p.own] += waved(t, what, g, p, workers, shares, want.Values, want.Supersteps)
				}
			}
		}
	}
	if whole[false] == 0 || whole[true] == 0 {
		t.Errorf("pushed and applied in one, by whether the combiner is a function: %v", whole)
	}
}

func waved(t *testing.T, what string, g *graph.Graph, p *rounds, workers, shares int, want []taken, supersteps int) (whole int) {
	t.Helper()
	e := cpu.New(cpu.Options{Workers: workers, Direction: pregel.Direction(shares % 2)})
	e.Share(shares)
	var awake uint64
	j := &pregel.Job{Graph: g, Engine: e, Detail: func(s *pregel.StepRecord) {
		awake += s.Awake
		if s.Detail.Whole != "" {
			whole++
		}
	}}
	got, err := pregel.RunEdge(t.Context(), j, p)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if !slices.Equal(got.Values, want) || got.Stop.Supersteps != supersteps {
		t.Fatalf("%s: %v, the reference %d supersteps; the values are the same: %v", what, got.Stop, supersteps, slices.Equal(got.Values, want))
	}
	if made := p.made.Last(); made != awake {
		t.Fatalf("%s: %d offers were made, by %d awake in all supersteps", what, made, awake)
	}
	had := uint64(0)
	for _, x := range want {
		had += uint64(x.had)
	}
	if p.had.Last() != had {
		t.Fatalf("%s: messages were applied %d times, want %d", what, p.had.Last(), had)
	}
	return whole
}
