package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// drops adds up fractions by functions, some arcs carry nothing.
type drops struct {
	seed  uint64
	along pregel.Along
}

func (p drops) Spec() pregel.Spec[float64] {
	return pregel.Spec[float64]{
		Along:   p.along,
		Combine: pregel.Combine("added", 0, func(a, b float64) float64 { return a + b }),
		Edge: pregel.EdgeFunc("some", func(x float64, u, v uint32, w float64) (float64, bool) {
			return x * w / 3, (u+v)%5 != 0
		}),
	}
}
func (p drops) Init(v pregel.Vertex[float64]) (float64, bool) {
	x := mixed(uint64(v.ID) ^ p.seed)
	return 1 / float64(x%1000+7), x%60 == 0
}
func (drops) Emit(v pregel.Vertex[float64]) float64 { return v.Value }
func (p drops) Apply(v pregel.Vertex[float64], sum float64, _ bool) (float64, bool) {
	x := mixed(uint64(v.ID) ^ p.seed ^ uint64(v.Superstep)<<32)
	return v.Value/7 + sum, x%3 == 0
}

// What is pushed by calls, by one worker or in shares, adds up to the bits that all pull.
func TestPushedByCalls(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 6))
	pushed := 0
	for i := range 40 {
		n, m := 2+r.IntN(3000), r.IntN(12_000)
		switch {
		case i < 2 && !race.On: // more than one worker's by its size
			n, m = 60_000, 600_000
		case i < 2:
			n, m = 10_000, 100_000
		case race.On && i%3 == 0:
			continue // one worker
		}
		var c graph.Columns
		for range m {
			c.U, c.V = append(c.U, r.Uint32N(uint32(n))), append(c.V, r.Uint32N(uint32(n)))
			c.Weights.Int = append(c.Weights.Int, r.Int32N(9)+1)
		}
		g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), c, graph.Options{Directed: i%2 == 0})
		if err != nil {
			t.Fatal(err)
		}
		p := drops{r.Uint64(), []pregel.Along{pregel.OutEdges, pregel.InEdges, pregel.BothEdges}[i/2%3]}
		sums := func(d pregel.Direction, workers int) []float64 {
			e := cpu.New(cpu.Options{Workers: workers, Direction: d})
			e.Share(i % 4)
			j := &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 8}
			j.Observe = func(r pregel.StepRecord) {
				if r.Direction == pregel.Push {
					pushed++
				}
			}
			got, err := pregel.RunEdge(t.Context(), j, p)
			if err != nil {
				t.Fatal(err)
			}
			return got.Values
		}
		want := sums(pregel.Pull, 1)
		if got := sums(pregel.Auto, 1+i%3); !slices.Equal(got, want) {
			t.Fatalf("%d vertices, directed %v: pushed and pulled sums differ", n, i%2 == 0)
		}
	}
	if pushed == 0 {
		t.Error("nothing was pushed")
	}
}
