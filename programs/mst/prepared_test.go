package mst_test

import (
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

// distinct is a random graph no two edges of which weigh the same: it has one forest.
func distinct(t *testing.T, r *rand.Rand, n int, floats bool) *graph.Graph {
	t.Helper()
	c := graph.Columns{}
	for k := range n + r.IntN(3*n) {
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
			c.Weights.Float = append(c.Weights.Float, 0.1*float32(1+w))
		}
		c.Weights.Int = nil
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), c, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// inUserOrder checks that the forest of a prepared graph is the graph's, to the order of its edges and
// the last bit of its weight, which is a sum of floats in that order. Where the state of
// the run may be looked at, edges are put in order when all is done.
func inUserOrder(t *testing.T, engine pregel.Engine) {
	t.Helper()
	r := trial.Rand(t)
	for i, n := range []int{1, 2, 300, 20_000, 70_000} {
		if n > 20_000 && (testing.Short() || race.On) {
			continue
		}
		g := distinct(t, r, n, i%2 == 0)
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
				total := reflect.DeepEqual(got.Summary, want.Summary) || watched && i%2 == 0 // summed in the prepared order
				if got.Ordered == watched || !reflect.DeepEqual(got.Table, want.Table) || !total {
					t.Errorf("%d vertices by %s, watched %v: ordered %v, %v; want those of the graph as it is, %v", n, order, watched, got.Ordered, got.Summary, want.Summary)
				}
			}
		}
	}
}

func TestUserOrder(t *testing.T) {
	for _, workers := range []int{1, 3} {
		inUserOrder(t, cpu.New(cpu.Options{Workers: workers}))
	}
}

func TestDeviceUserOrder(t *testing.T) { inUserOrder(t, trial.Device(t)) }
