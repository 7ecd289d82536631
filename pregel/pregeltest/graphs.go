package pregeltest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"gopregel/pregel/graph"
)

// A Case is a graph to test with.
type Case struct {
	Name  string
	Graph *graph.Graph
}

// form is what a graph's arcs are built into.
type form struct {
	directed bool
	weights  graph.WeightKind
}

func (f form) String() string {
	if f.directed {
		return fmt.Sprintf("directed, weights %v", f.weights)
	}
	return fmt.Sprintf("undirected, weights %v", f.weights)
}

func forms() []form {
	var list []form
	for _, directed := range []bool{true, false} {
		for _, w := range []graph.WeightKind{graph.Unweighted, graph.Int32, graph.Float32} {
			list = append(list, form{directed, w})
		}
	}
	return list
}

// arcList is a graph as pairs of vertices.
type arcList struct {
	n    int
	u, v []uint32
}

func (l *arcList) add(u, v int) {
	l.u, l.v = append(l.u, uint32(u)), append(l.v, uint32(v))
}

// build makes the graph. Ids are 10v+7, so that a vertex is never mistaken for
// its id. Weights are small multiples of a quarter, negative ones and 0 among
// them: their sums and products with small whole numbers are exact.
func (l arcList) build(f form, weight func(i int) int) *graph.Graph {
	c := graph.Columns{U: l.u, V: l.v}
	switch f.weights {
	case graph.Int32:
		c.Weights.Int = make([]int32, len(l.u))
		for i := range l.u {
			c.Weights.Int[i] = int32(weight(i))
		}
	case graph.Float32:
		c.Weights.Float = make([]float32, len(l.u))
		for i := range l.u {
			c.Weights.Float[i] = float32(weight(i)) / 4
		}
	}
	ids := make([]uint64, l.n)
	for v := range ids {
		ids[v] = 10*uint64(v) + 7
	}
	table, err := graph.NumberIDs(ids)
	if err != nil {
		panic(err) // they ascend
	}
	g, err := graph.Build(context.Background(), table, c, graph.Options{Directed: f.directed})
	if err != nil {
		panic(err) // all arcs have both ends below n
	}
	return g
}

func (l arcList) random(f form, r *rand.Rand) *graph.Graph {
	return l.build(f, func(int) int { return r.IntN(24) - 8 })
}

// randomArcs draws m pairs; self-loops and duplicates occur.
func randomArcs(r *rand.Rand, n, m int) arcList {
	l := arcList{n: n}
	for range m * min(n, 1) {
		l.add(r.IntN(n), r.IntN(n))
	}
	return l
}

// shapes are small graphs with a peculiarity each: nothing to do, or vertices
// just short of a word of bits, or past it.
func shapes(r *rand.Rand) map[string]arcList {
	list := map[string]arcList{
		"empty":      {},
		"one vertex": {n: 1},
		"one loop":   {n: 1, u: []uint32{0, 0}, v: []uint32{0, 0}},
		"isolated":   {n: 130},
		"one arc":    {n: 129, u: []uint32{128}, v: []uint32{0}},
		"dense":      randomArcs(r, 40, 1500),
		"sparse":     randomArcs(r, 900, 1000),
	}
	duplicates := randomArcs(r, 20, 30)
	duplicates.u, duplicates.v = append(duplicates.u, duplicates.u...), append(duplicates.v, duplicates.v...)
	list["duplicates"] = duplicates
	path, star := arcList{n: 200}, arcList{n: 300}
	for v := range path.n - 1 {
		path.add(v, v+1)
	}
	for v := range star.n {
		star.add(77, v)
		star.add(v, 77)
	}
	list["path"], list["star"] = path, star
	for _, n := range []int{63, 64, 65, 127, 128, 129} {
		list[fmt.Sprintf("%d vertices", n)] = randomArcs(r, n, 3*n)
	}
	return list
}

// Graphs returns small graphs for tests: empty, one vertex, isolated vertices,
// self-loops, duplicates, path, star, random ones sparse and dense, some with a
// number of vertices next to a multiple of 64; each directed and undirected,
// without weights and with both kinds. The random parts depend on the seed.
func Graphs(seed uint64) []Case {
	r := newRand(seed)
	arcs := shapes(r)
	var list []Case
	for _, f := range forms() {
		for _, name := range sortedKeys(arcs) {
			list = append(list, Case{fmt.Sprintf("%s (%v)", name, f), arcs[name].random(f, r)})
		}
	}
	return list
}

// describe shows a graph in an error message, in full when it is small.
func describe(g *graph.Graph) string {
	var b strings.Builder
	kind := "undirected"
	if g.Directed() {
		kind = "directed"
	}
	fmt.Fprintf(&b, "%s graph of %d vertices, %d arcs, weights %v", kind, g.N(), g.Arcs(), g.Weighted())
	if g.Arcs() > 40 {
		return b.String()
	}
	out := g.Out()
	for u := range uint32(g.N()) {
		for i, v := range out.Neighbors(u) {
			if v < u && !g.Directed() {
				continue
			}
			fmt.Fprintf(&b, " %d-%d", u, v)
			if g.Weighted() != graph.Unweighted {
				fmt.Fprintf(&b, ":%v", out.Weights.At(out.Offsets.At(u)+uint64(i)))
			}
		}
	}
	return b.String()
}
