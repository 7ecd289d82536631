package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/runtime/cpu"
)

// numbered is a landing whose Apply counts those who are reached.
type numbered struct {
	landing[pair]
	reached *pregel.Aggregator[uint64]
}

func (c *numbered) Setup(s *pregel.Setup) error {
	c.reached = pregel.NewPersistentAggregator(s, pregel.Sum[uint64]())
	return nil
}

func (c *numbered) Apply(v pregel.Vertex[pair], from uint32, ok bool) (pair, bool) {
	x, awake := c.landing.Apply(v, from, ok)
	if awake {
		c.reached.Add(v.Place, 1)
	}
	return x, awake
}

// What Apply adds to an aggregator is added for every vertex, though Arrive could say what becomes of it.
func TestArriveAndCount(t *testing.T) {
	for name, g := range landscapes(t, rand.New(rand.NewPCG(6, 11))) {
		seed := uint32(g.N() - 1)
		p := &numbered{landing: landing[pair]{pair{graph.None, graph.None}, []uint32{seed}, func(s, u uint32) pair { return pair{s, u} }}}
		want := pregeltest.Reference[pair, uint32](g, p.landing, nil, 1<<20)
		for _, o := range []cpu.Options{{Workers: 1}, {Workers: 2}, {Workers: 2, Direction: pregel.Push}, {Workers: 1, Direction: pregel.Pull}} {
			got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(o)}, p)
			if err != nil || !slices.Equal(got.Values, want.Values) {
				t.Fatalf("%s, %+v: %v, %v, the reference %v", name, o, err, got.Stop, want.Supersteps)
			}
			if n := settled(got.Values, p.rest) - 1; p.reached.Last() != n {
				t.Errorf("%s, %+v: %d were counted, %d reached", name, o, p.reached.Last(), n)
			}
		}
	}
}
