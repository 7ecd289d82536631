package mst_test

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/internal/trial"
	"gopregel/programs/mst"
	"gopregel/runtime/cpu"
)

// distinct is a random graph no two edges of which weigh the same: it has one forest. Floats are of many
// orders of magnitude: their sum hangs on its order.
func distinct(t *testing.T, r *rand.Rand, n int, floats, directed bool) *graph.Graph {
	t.Helper()
	c := graph.Columns{}
	for k := range n + r.IntN(3*n+1) {
		u, v := r.Uint32N(uint32(n)), r.Uint32N(uint32(n))
		if r.IntN(8) == 0 {
			v = r.Uint32N(uint32(min(n, 3))) // a hub
		}
		c.U, c.V = append(c.U, u), append(c.V, v)
		c.Weights.Int = append(c.Weights.Int, int32(k))
	}
	r.Shuffle(len(c.U), func(i, k int) { c.Weights.Int[i], c.Weights.Int[k] = c.Weights.Int[k], c.Weights.Int[i] })
	if floats {
		for _, w := range c.Weights.Int {
			c.Weights.Float = append(c.Weights.Float, float32(math.Exp(30*float64(w)/float64(len(c.U))-15)))
		}
		c.Weights.Int = nil
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), c, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// inUserOrder checks that the forest of a prepared graph is the graph's, to the order of its edges and
// the last bit of its weight, which is a sum of floats in that order, whoever may look at the state.
func inUserOrder(t *testing.T, engine pregel.Engine) {
	t.Helper()
	r := trial.Rand(t)
	for i, n := range []int{0, 1, 2, 300, 3000, 20_000, 70_000} {
		if n > 20_000 && (testing.Short() || race.On) {
			continue
		}
		g := distinct(t, r, n, i%2 == 0, r.IntN(2) == 0)
		want, err := mst.New().Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2})})
		if err != nil {
			t.Fatal(err)
		}
		for _, order := range pregel.Orders {
			p, err := pregel.Prepare(t.Context(), g, order, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, watched := range []bool{false, true} {
				j := &pregel.Job{Engine: engine}
				if watched {
					j.Barrier = func(func() (pregel.State, error)) error { return nil }
				}
				got, err := p.Run(t.Context(), mst.New(), j)
				if err != nil {
					t.Fatal(err)
				}
				if !got.Ordered || !reflect.DeepEqual(got.Table, want.Table) || !reflect.DeepEqual(got.Summary, want.Summary) {
					t.Errorf("%d vertices by %s, watched %v: ordered %v, %v; want those of the graph as it is, %v", n, order, watched, got.Ordered, got.Summary, want.Summary)
				}
			}
			if n <= 3000 {
				stoppedInUserOrder(t, engine, p, rows(want))
			}
		}
	}
}

// stoppedInUserOrder checks that a run stopped after any superstep has edges of the forest, which ascend.
func stoppedInUserOrder(t *testing.T, engine pregel.Engine, p *pregel.Prepared, forest []edge) {
	t.Helper()
	for k := 1; ; k++ {
		a, err := p.Run(t.Context(), mst.New(), &pregel.Job{Engine: engine, MaxSupersteps: k})
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for _, e := range rows(a) {
			for i < len(forest) && forest[i] != e {
				i++
			}
			if i == len(forest) {
				t.Fatalf("limit %d: edge %v is not of the forest, or not in its place", k, e)
			}
		}
		if a.Stop.Reason == pregel.Halted && len(rows(a)) == len(forest) {
			return
		}
		if a.Stop.Reason != pregel.MaxSupersteps {
			t.Fatalf("limit %d: %v with %d edges of %d", k, a.Stop, len(rows(a)), len(forest))
		}
	}
}

func TestUserOrder(t *testing.T) {
	for _, workers := range []int{1, 3} {
		inUserOrder(t, cpu.New(cpu.Options{Workers: workers}))
	}
}

func TestDeviceUserOrder(t *testing.T) { inUserOrder(t, trial.Device(t)) }
