package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// anyArc keeps which arc its message came along: any of those from an awake vertex whose ends and
// weight the operation lets through.
type anyArc struct {
	every uint32
	edge  pregel.EdgeOp[uint64]
}

func (p anyArc) Spec() pregel.Spec[uint64] {
	return pregel.Spec[uint64]{Combine: pregel.Any[uint64](), Edge: p.edge}
}
func (p anyArc) Init(v pregel.Vertex[uint64]) (uint64, bool)                  { return 0, v.ID%p.every == 0 }
func (anyArc) Emit(v pregel.Vertex[uint64]) uint64                            { return uint64(v.ID) << 40 }
func (anyArc) Apply(_ pregel.Vertex[uint64], m uint64, _ bool) (uint64, bool) { return m, false }

// By a function on arcs, few and many who send, pushed and pulled, with weights of all kinds: each
// vertex keeps the message of one arc, and of its first where it pulls.
func TestAnyAlongFunction(t *testing.T) {
	edge := pregel.EdgeFunc("arc", func(x uint64, u, v uint32, w float64) (uint64, bool) {
		return x | uint64(v)<<20 | uint64(w) | 1<<63, (u+v+uint32(w))%3 != 0
	})
	r := rand.New(rand.NewPCG(23, 4))
	for _, kind := range []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32} {
		const n = 3000
		c := graph.Columns{}
		for range 6 * n {
			c.U, c.V = append(c.U, r.Uint32N(n)), append(c.V, r.Uint32N(n))
			switch w := 1 + r.IntN(200); kind {
			case graph.Int32:
				c.Weights.Int = append(c.Weights.Int, int32(w))
			case graph.Float32:
				c.Weights.Float = append(c.Weights.Float, float32(w))
			}
		}
		g, err := graph.Build(t.Context(), graph.RangeIDs(0, n), c, graph.Options{Directed: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, every := range []uint32{1, 3, 97, 1500} {
			possible := arrivals(g, anyArc{every, edge})
			for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
				for _, workers := range []int{1, 3} {
					j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: d}), MaxSupersteps: 1}
					got, err := pregel.RunEdge(t.Context(), j, anyArc{every, edge})
					if err != nil {
						t.Fatal(err)
					}
					for v, x := range got.Values {
						if one := possible[v]; len(one) == 0 && x != 0 || len(one) > 0 && !slices.Contains(one, x) || len(one) > 0 && d == pregel.Pull && x != one[0] {
							t.Fatalf("%v, one of %d awake, %v, %d workers: vertex %d has %x, want of %x", kind, every, d, workers, v, x, one)
						}
					}
				}
			}
		}
	}
}

// arrivals are the messages to each vertex, by source.
func arrivals(g *graph.Graph, p anyArc) [][]uint64 {
	list, in := make([][]uint64, g.N()), g.In()
	for v := range uint32(g.N()) {
		for i, u := range in.Neighbors(v) {
			if u%p.every != 0 {
				continue
			}
			if x, ok := p.edge.Send(uint64(u)<<40, u, v, in.Weights.At(in.Offsets.At(v)+uint64(i))); ok {
				list[v] = append(list[v], x)
			}
		}
	}
	return list
}
