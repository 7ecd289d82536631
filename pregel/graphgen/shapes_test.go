package graphgen_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
)

// depths is breadth-first search, the obvious way. -1 is unreached.
func depths(g *graph.Graph, source uint32) []int {
	depth := make([]int, g.N())
	for v := range depth {
		depth[v] = -1
	}
	depth[source] = 0
	for queue := []uint32{source}; len(queue) > 0; queue = queue[1:] {
		for _, v := range g.Out().Neighbors(queue[0]) {
			if depth[v] < 0 {
				depth[v] = depth[queue[0]] + 1
				queue = append(queue, v)
			}
		}
	}
	return depth
}

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		spec  graphgen.Spec
		n     int
		edges uint64
		depth func(v int) int // from vertex 0
	}{
		{graphgen.Spec{Kind: "grid", Rows: 17, Cols: 23}, 17 * 23, 16*23 + 17*22, func(v int) int { return v/23 + v%23 }},
		{graphgen.Spec{Kind: "grid", Rows: 1, Cols: 1}, 1, 0, func(int) int { return 0 }},
		{graphgen.Spec{Kind: "grid", Rows: 40, Cols: 1}, 40, 39, func(v int) int { return v }},
		{graphgen.Spec{Kind: "path", N: 1}, 1, 0, func(int) int { return 0 }},
		{graphgen.Spec{Kind: "path", N: 50}, 50, 49, func(v int) int { return v }},
		{graphgen.Spec{Kind: "cycle", N: 51}, 51, 51, func(v int) int { return min(v, 51-v) }},
		{graphgen.Spec{Kind: "star", N: 52}, 52, 51, func(v int) int { return min(v, 1) }},
		{graphgen.Spec{Kind: "tree", N: 53}, 53, 52, func(v int) int { return int(math.Log2(float64(v + 1))) }},
		{graphgen.Spec{Kind: "complete", N: 54}, 54, 54 * 53 / 2, func(v int) int { return min(v, 1) }},
		{graphgen.Spec{Kind: "complete", N: 1}, 1, 0, func(int) int { return 0 }},
	} {
		g := generate(t, c.spec, graphgen.Options{})
		simple := generate(t, c.spec, graphgen.Options{Loops: graph.DropLoops, Duplicates: graph.DropDuplicates})
		if g.Directed() || g.N() != c.n || g.Edges() != c.edges || simple.Edges() != c.edges {
			t.Errorf("%v: directed %v, %d vertices, %d edges, %d simple; want %d and %d", c.spec, g.Directed(), g.N(), g.Edges(), simple.Edges(), c.n, c.edges)
		}
		for v, d := range depths(g, 0) {
			if d != c.depth(v) {
				t.Errorf("%v: vertex %d at depth %d, want %d", c.spec, v, d, c.depth(v))
			}
		}
		directed := generate(t, c.spec, graphgen.Options{Directed: new(true)})
		want := c.edges
		if c.spec.Kind == "complete" {
			want *= 2
		}
		if directed.Arcs() != want {
			t.Errorf("%v directed: %d arcs, want %d", c.spec, directed.Arcs(), want)
		}
		if c.spec.Kind == "cycle" {
			continue
		}
		for v, d := range depths(directed, 0) {
			if d != c.depth(v) {
				t.Errorf("%v directed: vertex %d at depth %d, want %d", c.spec, v, d, c.depth(v))
			}
		}
	}
	g := generate(t, graphgen.Spec{Kind: "cycle", N: 51}, graphgen.Options{Directed: new(true)})
	if d := depths(g, 0); d[50] != 50 {
		t.Errorf("directed cycle: last vertex at depth %d", d[50])
	}
}

// A grid whose edges are turned at random has each edge of the grid once, about
// half of them turned; every fourth vertex has both of its own turned.
func TestOrientedGrid(t *testing.T) {
	t.Parallel()
	const rows, cols, edges = 301, 200, 300*200 + 301*199
	s := graphgen.Spec{Kind: "grid", Rows: rows, Cols: cols, Orient: "random", Seed: rand.Uint64()}
	g := generate(t, s, graphgen.Options{})
	if !g.Directed() || g.N() != rows*cols || g.Arcs() != edges {
		t.Fatalf("%v: directed %v, %d vertices, %d arcs, want %d and %d", s, g.Directed(), g.N(), g.Arcs(), rows*cols, edges)
	}
	// turned holds, by the edge's step, whether the one from v to v+step is.
	turned := map[uint32]map[uint32]bool{1: {}, cols: {}}
	for u := range uint32(rows * cols) {
		for _, v := range g.Out().Neighbors(u) {
			low, step := min(u, v), max(u, v)-min(u, v)
			if _, again := turned[step][low]; again || step != cols && (step != 1 || low%cols == cols-1) {
				t.Fatalf("%v: the arc from %d to %d is no edge of the grid, or is there twice", s, u, v)
			}
			turned[step][low] = v < u
		}
	}
	count, both, pairs := [2]int{}, 0, 0
	for i, step := range []uint32{1, cols} {
		for v, is := range turned[step] {
			if is {
				count[i]++
			}
			if below, ok := turned[cols][v]; ok && step == 1 {
				pairs++
				if is && below {
					both++
				}
			}
		}
		near(t, s, "turned", count[i], len(turned[step]), 0.5)
	}
	near(t, s, "both turned", both, pairs, 0.25)
	s.Seed++
	if hash(g) == hash(generate(t, s, graphgen.Options{})) {
		t.Errorf("%v: another seed, the same graph", s)
	}
	undirected := generate(t, graphgen.Spec{Kind: "grid", Rows: rows, Cols: cols}, graphgen.Options{})
	for v, d := range depths(undirected, 0) {
		if d != v/cols+v%cols {
			t.Fatalf("without orient the grid has changed: vertex %d at depth %d", v, d)
		}
	}
}

// A mixed grid has each edge of the grid one way, the other or both, a third of
// them each.
func TestMixedGrid(t *testing.T) {
	t.Parallel()
	const rows, cols, edges = 301, 200, 300*200 + 301*199
	s := graphgen.Spec{Kind: "grid", Rows: rows, Cols: cols, Orient: "mixed", Seed: rand.Uint64()}
	g := generate(t, s, graphgen.Options{})
	ways := map[[2]uint32]int{} // 1: from the lower vertex, 2: to it
	for u := range uint32(rows * cols) {
		for _, v := range g.Out().Neighbors(u) {
			edge, way := [2]uint32{min(u, v), max(u, v)}, 1
			if v < u {
				way = 2
			}
			step := edge[1] - edge[0]
			if ways[edge]&way != 0 || step != cols && (step != 1 || edge[0]%cols == cols-1) {
				t.Fatalf("%v: the arc from %d to %d is no edge of the grid, or is there twice", s, u, v)
			}
			ways[edge] |= way
		}
	}
	if !g.Directed() || len(ways) != edges {
		t.Fatalf("%v: directed %v, %d edges, want %d", s, g.Directed(), len(ways), edges)
	}
	count := map[uint32]*[4]int{1: {}, cols: {}}
	for edge, way := range ways {
		count[edge[1]-edge[0]][way]++
	}
	for step, c := range count {
		for way := 1; way <= 3; way++ {
			near(t, s, fmt.Sprintf("step %d, way %d", step, way), c[way], c[1]+c[2]+c[3], 1./3)
		}
	}
}

// deviations is how far a number that a fresh seed gives may be from its mean: beyond
// it is one run in 10^14, also where the distribution is a little wider than a normal one.
const deviations = 9

// near holds a count to the mean of a binomial distribution.
func near(t *testing.T, s graphgen.Spec, what string, count, of int, p float64) {
	t.Helper()
	if mean := p * float64(of); math.Abs(float64(count)-mean) > deviations*math.Sqrt(mean*(1-p)) {
		t.Errorf("%v: %s: %d of %d, want about %.0f", s, what, count, of, mean)
	}
}

func TestOrientNeedsDirection(t *testing.T) {
	t.Parallel()
	s := graphgen.Spec{Kind: "grid", Rows: 5, Cols: 6, Orient: "ascending"}
	g, plain := generate(t, s, graphgen.Options{}), graphgen.Spec{Kind: "grid", Rows: 5, Cols: 6}
	if !g.Directed() || hash(g) != hash(generate(t, plain, graphgen.Options{Directed: new(true)})) {
		t.Errorf("%v is not the directed grid", s)
	}
	var field *graphgen.FieldError
	_, err := graphgen.Generate(t.Context(), s, graphgen.Options{Directed: new(false)})
	if !errors.As(err, &field) || field.Field != "orient" || field.Found != "ascending" {
		t.Errorf("undirected: %v", err)
	}
}

func TestUniformDegrees(t *testing.T) {
	s := graphgen.Spec{Kind: "uniform", N: 777, EdgeFactor: 100, Seed: rand.Uint64()}
	g := generate(t, s, graphgen.Options{Directed: new(true)})
	if g.Arcs() != 77700 {
		t.Fatalf("%v: %d arcs", s, g.Arcs())
	}
	for _, c := range []graph.CSR{g.Out(), g.In()} {
		sum := 0.0 // chi square, with 776 degrees of freedom: mean 776, deviation 39
		for v := range uint32(777) {
			d := float64(c.Degree(v)) - 100
			sum += d * d / 100
		}
		if math.Abs(sum-776) > deviations*39.4 {
			t.Errorf("%v: chi square of the degrees is %.0f, want about 776", s, sum)
		}
	}
}

// correlation of degree and id over all vertices.
func correlation(g *graph.Graph) float64 {
	n := float64(g.N())
	var sx, sy, sxx, syy, sxy float64
	for v := range uint32(g.N()) {
		x, y := float64(v), float64(g.Out().Degree(v))
		sx, sy, sxx, syy, sxy = sx+x, sy+y, sxx+x*x, syy+y*y, sxy+x*y
	}
	return (n*sxy - sx*sy) / math.Sqrt((n*sxx-sx*sx)*(n*syy-sy*sy))
}

func TestPermutedIdsTellNothing(t *testing.T) {
	seed := rand.Uint64()
	for _, s := range []graphgen.Spec{
		{Kind: "kronecker", Scale: 14, Seed: seed},
		{Kind: "rmat", Scale: 14, Permute: true, Seed: seed},
		{Kind: "ssca2", Scale: 14, Seed: seed},
	} {
		if r := correlation(generate(t, s, graphgen.Options{})); math.Abs(r)*math.Sqrt(1<<14) > deviations {
			t.Errorf("%v: degrees and ids correlate: %g", s, r)
		}
	}
	if r := correlation(generate(t, graphgen.Spec{Kind: "rmat", Scale: 14, Seed: seed}, graphgen.Options{})); r > -0.05 {
		t.Errorf("seed %d: unpermuted degrees do not fall with ids: %g", seed, r)
	}
}

// Permuted and not, the same degrees.
func TestPermuteKeepsDegrees(t *testing.T) {
	s := graphgen.Spec{Kind: "rmat", Scale: 10, Seed: rand.Uint64()}
	count := func(g *graph.Graph) map[uint64]int {
		m := map[uint64]int{}
		for v := range uint32(g.N()) {
			m[g.Out().Degree(v)]++
		}
		return m
	}
	a := count(generate(t, s, graphgen.Options{}))
	s.Permute = true
	b := count(generate(t, s, graphgen.Options{}))
	for d, c := range a {
		if b[d] != c {
			t.Fatalf("%v: %d vertices of degree %d, unpermuted %d", s, b[d], d, c)
		}
	}
}
