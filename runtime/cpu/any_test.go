package cpu_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/runtime/cpu"
)

const never = 1<<64 - 1

// anyArc keeps which arc its message came along: any of those from an awake vertex whose ends and
// weight the operation lets through.
type anyArc struct {
	every, rest uint32 // those are awake whose number leaves that rest
	edge        pregel.EdgeOp[uint64]
}

func (p anyArc) Spec() pregel.Spec[uint64] {
	return pregel.Spec[uint64]{Combine: pregel.Any[uint64](), Edge: p.edge}
}
func (p anyArc) Init(v pregel.Vertex[uint64]) (uint64, bool)                  { return never, v.ID%p.every == p.rest }
func (anyArc) Emit(v pregel.Vertex[uint64]) uint64                            { return uint64(v.ID) << 40 }
func (anyArc) Apply(_ pregel.Vertex[uint64], m uint64, _ bool) (uint64, bool) { return m, false }

// By operations on arcs of one's own and named ones, few and many who send, pushed and pulled, with
// weights of all kinds, a hub, and arcs several times: each vertex keeps the message of one arc, and
// of its first where it pulls.
func TestAnyAlongArcs(t *testing.T) {
	edges := []pregel.EdgeOp[uint64]{pregel.Copy[uint64](), pregel.SourceID[uint64](), pregel.PlusWeight[uint64](),
		pregel.EdgeFunc("arc", func(x uint64, u, v uint32, w float64) (uint64, bool) {
			return x | uint64(v)<<20 | uint64(w) | 1<<63, (u+v+uint32(w))%3 != 0
		})}
	blind := edges[3]
	blind.Weightless = true
	edges = append(edges, blind)
	r := rand.New(rand.NewPCG(23, 4))
	for _, kind := range []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32} {
		g := withHub(t, r, 3000, kind)
		for _, awake := range [][2]uint32{{1, 0}, {3, 0}, {3, 1}, {97, 13}, {1500, 0}} {
			for _, edge := range edges {
				p := anyArc{awake[0], awake[1], edge}
				possible := arrivals(g, p)
				for _, o := range []cpu.Options{{}, {Direction: pregel.Push}, {Direction: pregel.Pull}, {Direction: pregel.Push, Strict: true}} {
					for o.Workers = 1; o.Workers <= 3; o.Workers += 2 {
						got, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(o), MaxSupersteps: 1}, p)
						if err != nil {
							t.Fatal(err)
						}
						pulls := o.Direction == pregel.Pull || o.Strict
						for v, x := range got.Values {
							if one := possible[v]; len(one) == 0 && x != never || len(one) > 0 && !slices.Contains(one, x) || len(one) > 0 && pulls && x != one[0] {
								t.Fatalf("%s, %v, of %d awake %d, %+v: vertex %d has %x, want of %x", edge.Name, kind, awake[0], awake[1], o, v, x, one)
							}
						}
					}
				}
			}
		}
	}
}

// withHub is a graph of arcs between 100 vertices, many of them several times, and between all n,
// of which half leave vertex 0.
func withHub(t *testing.T, r *rand.Rand, n uint32, kind graph.WeightKind) *graph.Graph {
	t.Helper()
	c := graph.Columns{}
	for i := range 30 * n {
		u, v := r.Uint32N(100), r.Uint32N(100)
		if i%3 > 0 {
			u, v = r.Uint32N(n)*(i%3-1), r.Uint32N(n)
		}
		c.U, c.V = append(c.U, u), append(c.V, v)
		switch w := 1 + r.IntN(200); kind {
		case graph.Int32:
			c.Weights.Int = append(c.Weights.Int, int32(w))
		case graph.Float32:
			c.Weights.Float = append(c.Weights.Float, float32(w))
		}
	}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, int(n)), c, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// both is anyArc along both directions.
type both struct{ anyArc }

func (p both) Spec() pregel.Spec[uint64] {
	s := p.anyArc.Spec()
	s.Along = pregel.BothEdges
	return s
}

// Who pulls calls the function until it sends something, along both directions once too.
func TestAnyStopsAtTheFirst(t *testing.T) {
	calls := 0
	p := anyArc{1, 0, pregel.EdgeFunc("counts", func(x uint64, _, _ uint32, _ float64) (uint64, bool) {
		calls++
		return x, true
	})}
	g := withHub(t, rand.New(rand.NewPCG(5, 5)), 500, graph.Int32) // everybody has arcs in and out
	for _, p := range []pregel.EdgeProgram[uint64, uint64]{p, both{p}} {
		calls = 0
		if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1, Direction: pregel.Pull}), MaxSupersteps: 1}, p); err != nil {
			t.Fatal(err)
		}
		if calls != g.N() {
			t.Errorf("%T: %d calls for %d vertices", p, calls, g.N())
		}
	}
}

// A function on arcs that fails names who sends where it is pushed, a part of a hub's arcs too, and who
// is sent to where it is pulled.
func TestAnyFails(t *testing.T) {
	for _, n := range []int{40, 400_000} {
		g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "star", N: n}, graphgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []uint32{17, uint32(n - 1)} { // amid those whose offers are read together, and the last of them
			p := anyArc{uint32(n), 0, pregel.EdgeFunc("fails", func(x uint64, _, to uint32, _ float64) (uint64, bool) {
				fails("arc", to == v)
				return x, true
			})}
			for _, workers := range []int{1, 3} {
				for d, want := range map[pregel.Direction]uint32{pregel.Push: 0, pregel.Pull: v} {
					_, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: workers, Direction: d})}, p)
					var at *pregel.VertexError
					if !errors.As(err, &at) || at.Vertex != want || at.Superstep != 0 {
						t.Errorf("a star of %d, %v, %d workers: %v, want vertex %d", n, d, workers, err, want)
					}
				}
			}
		}
	}
}

// In a damaged list the vertex is named whose it is.
func TestAnyOfDamagedList(t *testing.T) {
	const damaged = 130
	edges := []pregel.EdgeOp[uint64]{pregel.Copy[uint64](), pregel.SourceID[uint64](),
		pregel.EdgeFunc("copy", func(x uint64, _, _ uint32, _ float64) (uint64, bool) { return x, true })}
	for _, every := range []uint32{1, 1000} {
		for _, edge := range edges {
			if every == 1 && edge.Name == "source_id" {
				continue // is sent as it is, whatever it is
			}
			g, err := graphgen.Generate(t.Context(), graphgen.Spec{Kind: "cycle", N: 1000}, graphgen.Options{})
			if err != nil {
				t.Fatal(err)
			}
			in := g.In()
			in.Targets[in.Offsets.At(damaged)] = 1 << 31
			_, err = pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1, Direction: pregel.Pull})}, anyArc{every, 0, edge})
			var at *pregel.VertexError
			if !errors.As(err, &at) || at.Vertex != damaged {
				t.Errorf("%s, one of %d awake: %v, want vertex %d", edge.Name, every, err, damaged)
			}
		}
	}
}

// arrivals are the messages to each vertex, by source.
func arrivals(g *graph.Graph, p anyArc) [][]uint64 {
	list, in := make([][]uint64, g.N()), g.In()
	for v := range uint32(g.N()) {
		for i, u := range in.Neighbors(v) {
			if u%p.every != p.rest {
				continue
			}
			if x, ok := p.edge.Send(uint64(u)<<40, u, v, in.Weights.At(in.Offsets.At(v)+uint64(i))); ok {
				list[v] = append(list[v], x)
			}
		}
	}
	return list
}
