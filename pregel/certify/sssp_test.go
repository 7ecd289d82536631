package certify_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
)

// relax is Bellman and Ford's method; ok is false when there is a negative
// cycle that the source reaches.
func relax[D certify.Distance](g *graph.Graph, source uint32) (dist []D, ok bool) {
	far := certify.Unreached[D]()
	dist = make([]D, g.N())
	for v := range dist {
		dist[v] = far
	}
	dist[source] = 0
	list := arcs(g)
	for range g.N() {
		changed := false
		for _, a := range list {
			if d := dist[a.u]; d != far && d+D(a.w) < dist[a.v] {
				dist[a.v] = d + D(a.w)
				changed = true
			}
		}
		if !changed {
			return dist, true
		}
	}
	return dist, false
}

// randomTree picks random parents on tight arcs, growing from the source.
func randomTree[D certify.Distance](r *rand.Rand, g *graph.Graph, source uint32, dist []D) []uint32 {
	parent := make([]uint32, g.N())
	for v := range parent {
		parent[v] = graph.None
	}
	list := arcs(g)
	for changed := true; changed; {
		changed = false
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, a := range list {
			hung := a.u == source || parent[a.u] != graph.None
			if a.v != source && parent[a.v] == graph.None && hung && dist[a.u]+D(a.w) == dist[a.v] {
				parent[a.v] = a.u
				changed = true
			}
		}
	}
	return parent
}

// isTree tells the obvious way whether parents are shortest paths.
func isTree[D certify.Distance](g *graph.Graph, source uint32, dist []D, parent []uint32) bool {
	list := arcs(g)
	for v := range uint32(g.N()) {
		if v == source || dist[v] == certify.Unreached[D]() {
			if parent[v] != graph.None {
				return false
			}
			continue
		}
		if !slices.ContainsFunc(list, func(a weighted) bool {
			return a.v == v && a.u == parent[v] && dist[a.u] != certify.Unreached[D]() && dist[a.u]+D(a.w) == dist[v]
		}) {
			return false
		}
		u, steps := v, 0
		for ; u != source && steps <= g.N(); steps++ {
			if u = parent[u]; int(u) >= g.N() {
				return false
			}
		}
		if u != source {
			return false
		}
	}
	return true
}

func ssspMutations[D certify.Distance](t *testing.T, s shape, wrong func(r *rand.Rand, d D) D) {
	t.Parallel()
	r, seed := fresh()
	zeros := 0
	for range race.Times(250) {
		s.n = 1 + r.IntN(25)
		s.m, s.directed = r.IntN(4*s.n), r.IntN(2) == 0 || s.least < 0
		g := random(t, r, s)
		source := r.Uint32N(uint32(s.n))
		dist, ok := relax[D](g, source)
		if !ok {
			continue
		}
		parent := randomTree(r, g, source, dist)
		check := func(d []D, p []uint32) {
			t.Helper()
			right := slices.Equal(d, dist)
			verdict(t, certify.SSSP(t.Context(), g, source, d, nil), right, "seed %d source %d: %v, want %v\n%s", seed, source, d, dist, text(g))
			right = right && isTree(g, source, d, p)
			verdict(t, certify.SSSP(t.Context(), g, source, d, p), right, "seed %d source %d: %v %v, want %v %v\n%s", seed, source, d, p, dist, parent, text(g))
		}
		check(dist, parent)
		for range 20 {
			d, p := slices.Clone(dist), slices.Clone(parent)
			v := r.IntN(s.n)
			switch r.IntN(6) {
			case 0:
				d[v] = wrong(r, d[v])
			case 1:
				d[v] = certify.Unreached[D]()
			case 2:
				p[v] = r.Uint32N(uint32(s.n) + 1)
			case 3:
				p[v] = graph.None
			case 4: // all of a part of the graph a bit too far, or too near
				x, limit := wrong(r, 1), d[v]
				for u := range d {
					if d[u] >= limit && d[u] != certify.Unreached[D]() {
						d[u] += x
					}
				}
			case 5: // two vertices that are each other's parents over weight 0
				list := arcs(g)
				if len(list) > 0 {
					a := list[r.IntN(len(list))]
					p[a.v], p[a.u] = a.u, a.v
					if a.w == 0 {
						zeros++
					}
				}
			}
			check(d, p)
		}
	}
	if s.least == 0 && s.weights != graph.Unweighted && zeros == 0 {
		t.Errorf("seed %d: no cycle of weight 0 was tried", seed)
	}
}

func TestSSSPMutations(t *testing.T) {
	offset := func(r *rand.Rand, d int64) int64 { return d + []int64{-3, -1, 1, 3}[r.IntN(4)] }
	t.Run("unweighted", func(t *testing.T) {
		ssspMutations(t, shape{weights: graph.Unweighted, most: 1}, offset)
	})
	t.Run("int64", func(t *testing.T) {
		ssspMutations(t, shape{weights: graph.Int32, most: 4}, offset)
	})
	t.Run("negative", func(t *testing.T) {
		ssspMutations(t, shape{weights: graph.Int32, least: -1, most: 20}, offset)
	})
	t.Run("extreme", func(t *testing.T) {
		ssspMutations(t, shape{weights: graph.Int32, most: 4}, func(r *rand.Rand, d int64) int64 {
			return []int64{math.MinInt64, math.MaxInt64 - 1, math.MaxInt64 - 1<<31, -1}[r.IntN(4)]
		})
	})
	t.Run("uint64", func(t *testing.T) {
		ssspMutations(t, shape{weights: graph.Int32, most: 4}, func(r *rand.Rand, d uint64) uint64 {
			return d + []uint64{math.MaxUint64, 1, 3, math.MaxUint64 - 1<<31, 1 << 63}[r.IntN(5)]
		})
	})
	t.Run("float", func(t *testing.T) {
		ssspMutations(t, shape{weights: graph.Float32, most: 5}, func(r *rand.Rand, d float64) float64 {
			return []float64{math.NaN(), math.Inf(-1), -1, math.Nextafter(d, 9e9), math.Nextafter(d, -9e9), d + 0.1}[r.IntN(6)]
		})
	})
	t.Run("float of integers", func(t *testing.T) {
		ssspMutations(t, shape{weights: graph.Int32, most: 4}, func(r *rand.Rand, d float64) float64 { return d + 0.5 })
	})
}

// Weights may be too small to change a distance: then parents can form a
// cycle that every single arc of allows.
func TestSSSPLostInRounding(t *testing.T) {
	b := graph.Columns{U: []uint32{0, 1, 2, 1}, V: []uint32{1, 2, 1, 3}, Weights: graph.Weights{Float: []float32{1e10, 1e-10, 1e-10, 1e-10}}}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, 4), b, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	far := float64(float32(1e10))
	dist := []float64{0, far, far, far}
	verdict(t, certify.SSSP(t.Context(), g, 0, dist, []uint32{graph.None, 0, 1, 1}), true, "tree")
	verdict(t, certify.SSSP(t.Context(), g, 0, dist, []uint32{graph.None, 2, 1, 1}), false, "cycle")
	// All at a distance that nothing supports.
	near := []float64{0, 1e9, 1e9, 1e9}
	verdict(t, certify.SSSP(t.Context(), g, 0, near, []uint32{graph.None, 2, 1, 1}), false, "floating")
	verdict(t, certify.SSSP(t.Context(), g, 0, near, nil), false, "floating")
}

func TestSSSPWithoutNumbers(t *testing.T) {
	nan := float32(math.NaN())
	b := graph.Columns{U: []uint32{0, 1}, V: []uint32{1, 0}, Weights: graph.Weights{Float: []float32{1, nan}}}
	g, err := graph.Build(t.Context(), graph.RangeIDs(0, 2), b, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	verdict(t, certify.SSSP(t.Context(), g, 0, []float64{0, 1}, []uint32{graph.None, 0}), false, "a weight that is NaN")
	verdict(t, certify.SSSP(t.Context(), g, 0, []float64{0, math.NaN()}, []uint32{graph.None, 0}), false, "a distance that is NaN")
}

func TestSSSPNegativeWeightsNeedSigns(t *testing.T) {
	g, err := graph.FromArcs(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 1, W: -1}}, Weighted: true}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	verdict(t, certify.SSSP(t.Context(), g, 0, []int64{0, -1}, []uint32{graph.None, 0}), true, "signed")
	verdict(t, certify.SSSP(t.Context(), g, 0, []uint64{0, math.MaxUint64 - 1}, []uint32{graph.None, 0}), false, "unsigned")
}

func TestNegativeCycle(t *testing.T) {
	list := graph.ArcList{Weighted: true, List: []graph.Arc{
		{U: 0, V: 1, W: 5}, {U: 1, V: 2, W: 2}, {U: 2, V: 3, W: -4}, {U: 3, V: 1, W: 1}, {U: 3, V: 1, W: 9},
		{U: 4, V: 4, W: -1}, {U: 5, V: 6, W: -1}, {U: 6, V: 5, W: 1}, {U: 2, V: 1, W: -2},
	}}
	g, err := graph.FromArcs(8, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		source uint32
		cycle  []uint32
		right  bool
	}{
		{0, []uint32{1, 2, 3}, true},
		{0, []uint32{3, 1, 2}, true},
		{graph.None, []uint32{1, 2, 3}, true},
		{2, []uint32{1, 2, 3}, true},
		{4, []uint32{4}, true},
		{0, []uint32{4}, false}, // out of reach
		{graph.None, []uint32{4}, true},
		{5, []uint32{5, 6}, false},          // weight 0
		{0, []uint32{1, 2}, false},          // weight 0
		{0, []uint32{1, 3, 2}, false},       // no such arcs
		{0, []uint32{1, 2, 3, 1, 2}, false}, // twice
		{0, []uint32{1, 2, 9}, false},
		{0, []uint32{9}, false},
		{0, []uint32{7}, false},
		{0, nil, false},
	} {
		verdict(t, certify.NegativeCycle(t.Context(), g, c.source, c.cycle), c.right, "%+v", c)
	}
}
