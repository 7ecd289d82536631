package certify_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
)

const none = graph.None

// A ring of seven vertices with a tail, a loop, a duplicate, and another
// component: 0-1-2-3-4-5-6-0, 3-7, 8-9.
func ring() graph.Columns {
	return graph.Columns{
		U:       []uint32{0, 2, 2, 3, 4, 6, 6, 3, 5, 1, 9},
		V:       []uint32{1, 1, 3, 4, 5, 5, 0, 7, 5, 0, 8},
		Weights: graph.Weights{Int: []int32{2, 2, 2, 2, 2, 2, 2, 5, 1, 3, 1}},
	}
}

var (
	ringParent   = []uint32{0, 0, 1, 2, 5, 6, 0, 3, none, none}
	ringDepth    = []uint32{0, 1, 2, 3, 3, 2, 1, 4, none, none}
	ringDistance = []int64{0, 2, 4, 6, 6, 4, 2, 11, math.MaxInt64, math.MaxInt64}
)

// breaks wants a violation of the numbered check, or none for 0.
func breaks(t *testing.T, what string, err error, check int, text string) {
	t.Helper()
	var v *certify.Violation
	switch {
	case check == 0 && err != nil:
		t.Errorf("%s: %v", what, err)
	case check > 0 && (!errors.As(err, &v) || !strings.HasSuffix(v.Answer, ", check "+string(rune('0'+check))) || !strings.Contains(v.Error(), text)):
		t.Errorf("%s: %v, want a violation of check %d with %q", what, err, check, text)
	}
}

// Each check is broken by a tree of its own.
func TestSearchTree(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		tamper func(parent, depth []uint32)
		check  int
		text   string
	}{
		"right":                   {func(_, _ []uint32) {}, 0, ""},
		"root without a parent":   {func(p, _ []uint32) { p[0] = none }, 0, ""},
		"cycle of two":            {func(p, _ []uint32) { p[1] = 2 }, 1, "itself among its own ancestors"},
		"cycle of itself":         {func(p, _ []uint32) { p[6] = 6 }, 1, "itself among its own ancestors"},
		"cycle of all":            {func(p, _ []uint32) { copy(p[1:], []uint32{2, 3, 4, 5, 6, 1}) }, 1, "itself among its own ancestors"},
		"root with a parent":      {func(p, _ []uint32) { p[0] = 1 }, 1, "vertex 0: found parent 1"},
		"no such parent":          {func(p, _ []uint32) { p[7] = 10 }, 1, "vertex 7: found parent 10, want one of the 10 vertices"},
		"unreached parent":        {func(p, _ []uint32) { p[7] = 8 }, 1, "vertex 8: found no parent"},
		"depth too great":         {func(_, d []uint32) { d[7]++ }, 2, "vertex 7: found depth 5, want depth 4"},
		"depth of none":           {func(_, d []uint32) { d[9] = 1 }, 2, "vertex 9: found depth 1, want no depth"},
		"depth missing":           {func(_, d []uint32) { d[5] = none }, 2, "vertex 5: found no depth"},
		"longer way":              {func(p, d []uint32) { p[4], d[4], p[5], d[5], p[6], d[6] = 3, 4, 4, 5, 5, 6 }, 3, "edge 6 – 0: found levels 6 and 0"},
		"vertex left out":         {func(p, d []uint32) { p[7], d[7] = none, none }, 4, "edge 3 – 7: found 3 in the tree and 7 outside of it"},
		"other component":         {func(p, d []uint32) { p[8], d[8] = 0, 1 }, 4, "edge 9 – 8"},
		"both of other component": {func(p, d []uint32) { p[8], d[8], p[9], d[9] = 0, 1, 8, 2 }, 5, "vertex 8: found parent 0"},
		"no neighbour":            {func(p, _ []uint32) { p[7] = 4 }, 5, "vertex 7: found parent 4, want a vertex that an edge joins to it"},
	} {
		parent, depth := slices.Clone(ringParent), slices.Clone(ringDepth)
		c.tamper(parent, depth)
		breaks(t, what, certify.SearchTree(t.Context(), ring(), 0, parent, depth), c.check, c.text)
		if c.check != 2 {
			breaks(t, what+", without depths", certify.SearchTree(t.Context(), ring(), 0, parent, nil), c.check, c.text)
		}
	}
}

func TestPathTree(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		tamper func(parent []uint32, dist []int64)
		check  int
		text   string
	}{
		"right":              {func([]uint32, []int64) {}, 0, ""},
		"cycle":              {func(p []uint32, _ []int64) { p[2], p[1] = 1, 2 }, 1, "itself among its own ancestors"},
		"root's distance":    {func(_ []uint32, d []int64) { d[0] = 1 }, 2, "vertex 0: found distance 1"},
		"no distance":        {func(_ []uint32, d []int64) { d[4] = math.MaxInt64 }, 2, "vertex 4: found no distance"},
		"distance of none":   {func(_ []uint32, d []int64) { d[9] = 7 }, 2, "vertex 9: found distance 7"},
		"distance too small": {func(_ []uint32, d []int64) { d[7] = 10 }, 2, "vertex 7: found distance 10"},
		"too great":          {func(_ []uint32, d []int64) { d[7] = 12 }, 3, "edge 3 – 7: found distances 6 and 12, want distances that differ by at most its weight 5"},
		"of the heavier duplicate": {func(_ []uint32, d []int64) {
			d[1] = 3
		}, 3, "edge 0 – 1"},
		"vertex left out": {func(p []uint32, d []int64) { p[7], d[7] = none, math.MaxInt64 }, 4, "edge 3 – 7"},
		"no neighbour":    {func(p []uint32, d []int64) { p[7] = 4 }, 5, "vertex 7: found parent 4"},
	} {
		parent, dist := slices.Clone(ringParent), slices.Clone(ringDistance)
		c.tamper(parent, dist)
		breaks(t, what, certify.PathTree(t.Context(), ring(), 0, parent, dist), c.check, c.text)
	}
}

// Arcs of weight 0 allow parents in a circle, whose distances are right.
func TestPathTreeOfNoWeight(t *testing.T) {
	t.Parallel()
	edges := graph.Columns{U: []uint32{0, 1, 2}, V: []uint32{1, 2, 0}, Weights: graph.Weights{Float: []float32{0.5, 0, 0.5}}}
	dist := []float64{0, 0.5, 0.5}
	breaks(t, "tree", certify.PathTree(t.Context(), edges, 0, []uint32{0, 0, 1}, dist), 0, "")
	breaks(t, "circle", certify.PathTree(t.Context(), edges, 0, []uint32{0, 2, 1}, dist), 1, "itself among")
	breaks(t, "not a number", certify.PathTree(t.Context(), edges, 0, []uint32{0, 0, 1}, []float64{0, math.NaN(), 0.5}), 3, "NaN")
}

// On random edges a tree is accepted just when it is one of a search; the
// judge is relaxation over all edges.
func TestTreesAgainstRelaxation(t *testing.T) {
	t.Parallel()
	r, seed := fresh()
	for range race.Times(3000) {
		n, m := 1+r.IntN(6), r.IntN(9)
		var edges graph.Columns
		for range m {
			edges.U = append(edges.U, r.Uint32N(uint32(n)))
			edges.V = append(edges.V, r.Uint32N(uint32(n)))
		}
		root := r.Uint32N(uint32(n))
		parent := make([]uint32, n)
		for v := range parent {
			if parent[v] = r.Uint32N(uint32(n) + 1); parent[v] == uint32(n) {
				parent[v] = none
			}
		}
		parent[root] = root
		ones := edges
		for range m {
			edges.Weights.Int = append(edges.Weights.Int, int32(r.IntN(3)))
		}
		dist, hops := relaxed(n, edges, root), relaxed(n, ones, root)
		verdict(t, certify.SearchTree(t.Context(), ones, root, parent, nil), isPathTree(ones, root, parent, hops), "seed %d: %v root %d parents %v", seed, ones, root, parent)
		verdict(t, certify.PathTree(t.Context(), edges, root, parent, dist), isPathTree(edges, root, parent, dist), "seed %d: %v root %d parents %v distances %v", seed, edges, root, parent, dist)
		v := r.IntN(n)
		dist[v] += int64(r.IntN(3)) - 1
		if !slices.Equal(dist, relaxed(n, edges, root)) {
			verdict(t, certify.PathTree(t.Context(), edges, root, parent, dist), false, "seed %d: %v root %d parents %v distances %v", seed, edges, root, parent, dist)
		}
	}
}

func relaxed(n int, c graph.Columns, root uint32) []int64 {
	dist := make([]int64, n)
	for v := range dist {
		dist[v] = math.MaxInt64
	}
	dist[root] = 0
	for range n {
		for i, u := range c.U {
			v, w := c.V[i], int64(c.Weights.At(uint64(i)))
			if dist[u] != math.MaxInt64 {
				dist[v] = min(dist[v], dist[u]+w)
			}
			if dist[v] != math.MaxInt64 {
				dist[u] = min(dist[u], dist[v]+w)
			}
		}
	}
	return dist
}

// isTree follows every vertex's parents to the root along tight edges.
func isPathTree(c graph.Columns, root uint32, parent []uint32, dist []int64) bool {
	tight := func(p, v uint32) bool {
		for i, a := range c.U {
			b := c.V[i]
			if (a == p && b == v || a == v && b == p) && dist[p] != math.MaxInt64 && dist[p]+int64(c.Weights.At(uint64(i))) == dist[v] {
				return true
			}
		}
		return false
	}
	for v := range uint32(len(parent)) {
		if (parent[v] == none) != (dist[v] == math.MaxInt64) {
			return false
		}
		steps := 0
		for x := v; parent[v] != none && x != root; x = parent[x] {
			if p := parent[x]; steps > len(parent) || p == none || !tight(p, x) {
				return false
			}
			steps++
		}
	}
	return true
}

// A path has more levels than a byte holds.
func TestDeepTrees(t *testing.T) {
	t.Parallel()
	for _, n := range []int{250, 251, 252, 253, 254, 255, 256, 257, 258, 5000} {
		var edges graph.Columns
		parent, depth := make([]uint32, n), make([]uint32, n)
		for v := 1; v < n; v++ {
			edges.U, edges.V = append(edges.U, uint32(v)), append(edges.V, uint32(v-1))
			parent[v], depth[v] = uint32(v-1), uint32(v)
		}
		breaks(t, "path", certify.SearchTree(t.Context(), edges, 0, parent, depth), 0, "")
		parent[n-1], depth[n-1] = none, none
		breaks(t, "cut path", certify.SearchTree(t.Context(), edges, 0, parent, depth), 4, "")
		edges.U, edges.V = edges.U[:n-2], edges.V[:n-2]
		breaks(t, "shorter path", certify.SearchTree(t.Context(), edges, 0, parent, depth), 0, "")
	}
}

func TestTreesOfWrongShape(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		certify.SearchTree(t.Context(), ring(), 10, ringParent, nil),
		certify.SearchTree(t.Context(), ring(), 0, ringParent, ringDepth[:9]),
		certify.PathTree(t.Context(), ring(), 0, ringParent, ringDistance[:9]),
		certify.PathTree(t.Context(), graph.Columns{Weights: graph.Weights{Float: []float32{}}}, 0, ringParent, ringDistance),
	} {
		if v := new(certify.Violation); err == nil || errors.As(err, &v) {
			t.Errorf("%v, want an error that is no violation", err)
		}
	}
}

// BenchmarkSearchTree validates one tree of Graph500's kernel 2.
func BenchmarkSearchTree(b *testing.B) {
	const scale = 20
	edges, err := graphgen.EdgeList(b.Context(), graphgen.Spec{Kind: "kronecker", Scale: scale, Seed: 1}, graphgen.ListUnweighted, 0)
	if err != nil {
		b.Fatal(err)
	}
	g, err := graph.Build(b.Context(), graph.RangeIDs(0, 1<<scale), edges, graph.Options{Loops: graph.DropLoops, Duplicates: graph.DropDuplicates})
	if err != nil {
		b.Fatal(err)
	}
	root, _ := g.Out().MaxDegree()
	parent := make([]uint32, g.N())
	for v := range parent {
		parent[v] = graph.None
	}
	parent[root] = root
	for queue := []uint32{root}; len(queue) > 0; queue = queue[1:] {
		for _, v := range g.Out().Neighbors(queue[0]) {
			if parent[v] == graph.None {
				parent[v] = queue[0]
				queue = append(queue, v)
			}
		}
	}
	b.ResetTimer()
	for b.Loop() {
		if err := certify.SearchTree(b.Context(), edges, root, parent, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(edges.U)), "ns/edge")
}
