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

// added is told by functions: whole numbers are added up, some arcs carry nothing, and who has had enough
// takes no more.
type added struct {
	seeds uint32
	copy  bool // arcs change nothing
}

func (p added) Spec() pregel.Spec[uint64] {
	s := pregel.Spec[uint64]{Combine: pregel.Combine("added", 0, func(a, b uint64) uint64 { return a + b })}
	if !p.copy {
		s.Edge = pregel.EdgeFunc("some", func(x uint64, u, v uint32, w float64) (uint64, bool) {
			return x*5 + uint64(u)<<3 + uint64(v) + uint64(w*4), (u+2*v)%7 != 0
		})
	}
	return s
}
func (p added) Init(v pregel.Vertex[uint64]) (uint64, bool) { return 1, v.ID%p.seeds == 0 }
func (added) Emit(v pregel.Vertex[uint64]) uint64           { return v.Value + uint64(v.OutDegree) }
func (p added) Apply(v pregel.Vertex[uint64], sum uint64, _ bool) (uint64, bool) {
	if p.Settled(v.Value) {
		return v.Value, false
	}
	return v.Value + sum*2 + uint64(v.Superstep), true
}
func (added) Settled(x uint64) bool { return x > 1<<12 }

// What functions combine, pushed by one worker or pulled by several, is what a slow interpreter
// makes of it, whatever the weights are.
func TestByCalls(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 13))
	ways := map[pregel.Direction]int{}
	for weights := range 3 {
		for _, m := range []int{3000, 40_000} {
			g := weighted(t, r, 3000, m, weights)
			for _, seeds := range []uint32{1, 3, 2000} {
				p := added{seeds, r.IntN(4) == 0}
				want := pregeltest.Reference[uint64, uint64](g, p, nil, 12)
				for _, workers := range race.Workers(1, 3) {
					for _, d := range []pregel.Direction{pregel.Auto, pregel.Pull} {
						j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: d}), MaxSupersteps: 12}
						j.Observe = func(s pregel.StepRecord) { ways[s.Direction]++ }
						got, err := pregel.RunEdge(t.Context(), j, p)
						if err != nil || !slices.Equal(got.Values, want.Values) {
							t.Fatalf("weights %d, %d arcs, %+v, %d workers, %v: the reference differs, error %v", weights, m, p, workers, d, err)
						}
					}
				}
			}
		}
	}
	if ways[pregel.Push] == 0 || ways[pregel.Pull] == 0 {
		t.Errorf("supersteps %v", ways)
	}
}

// weighted is a random graph without weights, with whole ones, or with fractions.
func weighted(t *testing.T, r *rand.Rand, n, m, weights int) *graph.Graph {
	t.Helper()
	var c graph.Columns
	for range m {
		c.U, c.V = append(c.U, r.Uint32N(uint32(n))), append(c.V, r.Uint32N(uint32(n)))
		switch weights {
		case 1:
			c.Weights.Int = append(c.Weights.Int, r.Int32N(9)+2)
		case 2:
			c.Weights.Float = append(c.Weights.Float, float32(r.Int32N(90)+5)/4)
		}
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), c, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(fmt.Errorf("weights %d: %w", weights, err))
	}
	return g
}
