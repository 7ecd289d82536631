package mst_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/internal/trial"
	"gopregel/programs/mst"
	"gopregel/runtime/cpu"
)

type edge struct {
	u, v   uint32
	weight float64
}

// reference is Kruskal's algorithm: edges sorted by weight, lesser end, greater
// end; trees renamed vertex by vertex.
func reference(g *graph.Graph) (forest []edge) {
	var edges []edge
	for u := range uint32(g.N()) {
		base := g.Out().Offsets.At(u)
		for i, v := range g.Out().Neighbors(u) {
			if v < u && !g.Directed() { // the same edge
				continue
			}
			edges = append(edges, edge{min(u, v), max(u, v), g.Out().Weights.At(base + uint64(i))})
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.weight, b.weight), cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v))
	})
	tree, members := make([]uint32, g.N()), make([][]uint32, g.N())
	for v := range tree {
		tree[v], members[v] = uint32(v), []uint32{uint32(v)}
	}
	for _, e := range edges {
		a, b := tree[e.u], tree[e.v]
		if a == b {
			continue
		}
		if len(members[a]) < len(members[b]) {
			a, b = b, a
		}
		for _, v := range members[b] {
			tree[v] = a
		}
		members[a] = append(members[a], members[b]...)
		forest = append(forest, e)
	}
	slices.SortFunc(forest, func(a, b edge) int { return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v)) })
	return forest
}

func rows(a *pregel.Answer) []edge {
	var list []edge
	c := a.Table.Columns
	for i := range a.Table.Rows() {
		e := edge{u: c[0].Vertices[i], v: c[1].Vertices[i]}
		if c[2].Floats != nil {
			e.weight = c[2].Floats[i]
		} else {
			e.weight = float64(c[2].Ints[i])
		}
		list = append(list, e)
	}
	return list
}

func check(t *testing.T, name string, g *graph.Graph) {
	t.Helper()
	want := reference(g)
	answer := trial.ByWorkers(t, g, mst.New())
	if got := rows(answer); !slices.Equal(got, want) {
		t.Fatalf("%s: %d edges, want %d; or others", name, len(got), len(want))
	}
	total := 0.0
	for _, e := range want {
		total += e.weight
	}
	var sum float64
	switch x := answer.Summary[0].Value.(type) {
	case int64:
		sum = float64(x)
	case float64:
		sum = x
	}
	if sum != total || answer.Summary[1].Value != g.N()-len(want) || answer.Summary[2].Value != len(want) {
		t.Fatalf("%s: summary %v, want weight %v, %d edges", name, answer.Summary, total, len(want))
	}
}

func TestShapes(t *testing.T) {
	for _, c := range pregeltest.Graphs(trial.Rand(t).Uint64()) {
		check(t, c.Name, c.Graph)
	}
}

// Enough edges for several rounds, and for one batch after the other: weights
// all different, few, one, none.
func TestRandom(t *testing.T) {
	r := trial.Rand(t)
	for _, weights := range []int{1 << 30, 255, 1, 0} {
		for _, directed := range []bool{false, true} {
			check(t, "sparse", trial.Random(r, 10000, 15000, weights, directed))
			check(t, "dense", trial.Random(r, 500, 40000, weights, directed))
		}
	}
}

// The heaviest edges are the only ones between a dense core and the rest: they
// come in the last batch.
func TestHeavyBridges(t *testing.T) {
	r := trial.Rand(t)
	const core, rest = 300, 8000
	list := graph.ArcList{Weighted: true}
	for range 30000 {
		list.List = append(list.List, graph.Arc{U: r.Uint32N(core), V: r.Uint32N(core), W: int32(r.IntN(100))})
	}
	for v := range uint32(rest) {
		list.List = append(list.List, graph.Arc{U: r.Uint32N(core + v), V: core + v, W: int32(1000 + r.IntN(10))})
		list.List = append(list.List, graph.Arc{U: core + v, V: r.Uint32N(core), W: int32(1000 + r.IntN(10))})
	}
	for _, directed := range []bool{false, true} {
		check(t, "bridges", trial.Build(core+rest, list, directed))
	}
}

// Rising and falling weights along a path hook all vertices into one chain.
func TestLongChains(t *testing.T) {
	const n = 30000
	for _, step := range []int32{1, -1, 0} {
		list := graph.ArcList{Weighted: true}
		for v := range uint32(n - 1) {
			list.List = append(list.List, graph.Arc{U: v, V: v + 1, W: step * int32(v)})
		}
		check(t, "chain", trial.Build(n, list, false))
	}
}

// Of two arcs that join the same vertices, one each way, either can be the lighter.
func TestBothWays(t *testing.T) {
	r := trial.Rand(t)
	for range 20 {
		list := graph.ArcList{Weighted: true}
		for v := uint32(1); v < 20; v++ {
			list.List = append(list.List, graph.Arc{U: 0, V: v, W: r.Int32N(9)}, graph.Arc{U: v, V: 0, W: r.Int32N(9)})
		}
		check(t, "star", trial.Build(20, list, true))
		check(t, "star", trial.Build(20, list, false))
		check(t, "two vertices", trial.Build(2, graph.ArcList{Weighted: true, List: list.List[:2]}, true))
	}
}

// All kinds of float32 but NaN, both zeros among them.
func TestFloatOrder(t *testing.T) {
	r := trial.Rand(t)
	values := []float32{0, float32(math.Copysign(0, -1)), 1, -1, math.MaxFloat32, -math.MaxFloat32,
		math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, float32(math.Inf(1)), float32(math.Inf(-1)), 0.5, -0.5}
	for range 20 {
		c := graph.Columns{}
		for range 200 {
			c.U, c.V = append(c.U, r.Uint32N(60)), append(c.V, r.Uint32N(60))
			c.Weights.Float = append(c.Weights.Float, values[r.IntN(len(values))])
		}
		for _, directed := range []bool{false, true} {
			g, err := graph.Build(t.Context(), graph.RangeIDs(0, 60), c, graph.Options{Directed: directed})
			if err != nil {
				t.Fatal(err)
			}
			f, err := mst.Span(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{})})
			if err != nil {
				t.Fatal(err)
			}
			want := reference(g)
			for i, e := range want {
				if f.Source[i] != e.u || f.Target[i] != e.v || float64(f.Weights.Float[i]) != e.weight {
					t.Fatalf("edge %d is %d-%d %v, want %v", i, f.Source[i], f.Target[i], f.Weights.Float[i], e)
				}
			}
			if len(want) != len(f.Source) {
				t.Fatalf("%d edges, want %d", len(f.Source), len(want))
			}
		}
	}
}

// A run stopped early gives edges of the forest only.
func TestStoppedEarly(t *testing.T) {
	r := trial.Rand(t)
	for _, directed := range []bool{false, true} {
		g := trial.Random(r, 1000, 30000, 1000, directed)
		want := map[edge]bool{}
		for _, e := range reference(g) {
			want[e] = true
		}
		most := 0
		trial.Early(t, g, mst.New(), func(t *testing.T, a *pregel.Answer) {
			got := rows(a)
			for _, e := range got {
				if !want[e] {
					t.Fatalf("%v: edge %v is not of the forest", a.Stop, e)
				}
			}
			if a.Stop.Reason == pregel.Halted && len(got) != len(want) {
				t.Fatalf("%d edges, want %d", len(got), len(want))
			}
			most = max(most, len(got))
		})
		if most == 0 {
			t.Error("no edge was ever found")
		}
	}
}

func TestCertifyFindsErrors(t *testing.T) {
	r := trial.Rand(t)
	g := trial.Random(r, 50, 400, 1<<20, false)
	for _, spoil := range []func(a *pregel.Answer){
		func(a *pregel.Answer) { a.Table.Columns[2].Ints[3]++ },
		func(a *pregel.Answer) { a.Table.Columns[1].Vertices[3] = a.Table.Columns[0].Vertices[3] },
		func(a *pregel.Answer) { a.Table.Columns = a.Table.Columns[:2] },
	} {
		answer := trial.ByWorkers(t, g, mst.New())
		spoil(answer)
		if mst.New().(pregel.Certifier).Certify(t.Context(), g, &answer.Table) == nil {
			t.Error("a spoilt forest was certified")
		}
	}
}
