package certify_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
)

// forest is Kruskal's method with labels that are overwritten, on arcs in a
// random order among equals.
func forest(r *rand.Rand, g *graph.Graph) (chosen []weighted) {
	list := arcs(g)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	slices.SortStableFunc(list, func(a, b weighted) int { return cmp.Compare(a.w, b.w) })
	label := make([]uint32, g.N())
	for v := range label {
		label[v] = uint32(v)
	}
	for _, a := range list {
		old := label[a.u]
		if old == label[a.v] {
			continue
		}
		for v := range label {
			if label[v] == old {
				label[v] = label[a.v]
			}
		}
		chosen = append(chosen, a)
	}
	return chosen
}

func weightOf(list []weighted) (sum float64) {
	for _, a := range list {
		sum += a.w
	}
	return sum
}

// isForest tells the obvious way whether the edges are a spanning forest.
func isForest(g *graph.Graph, list []weighted) bool {
	parts := g.N()
	label := make([]uint32, g.N())
	for v := range label {
		label[v] = uint32(v)
	}
	all := arcs(g)
	for _, a := range list {
		if !slices.ContainsFunc(all, func(b weighted) bool {
			return b.w == a.w && (b.u == a.u && b.v == a.v || b.u == a.v && b.v == a.u)
		}) {
			return false
		}
		if label[a.u] == label[a.v] {
			return false
		}
		old := label[a.u]
		for v := range label {
			if label[v] == old {
				label[v] = label[a.v]
			}
		}
		parts--
	}
	components := 0
	for v, l := range classes(g, true) {
		if int(l) == v {
			components++
		}
	}
	return parts == components
}

func columns[W int64 | float64](list []weighted) (u, v []uint32, w []W) {
	for _, a := range list {
		u, v, w = append(u, a.u), append(v, a.v), append(w, W(a.w))
	}
	return u, v, w
}

func mstMutations[W int64 | float64](t *testing.T, kind graph.WeightKind, least, most int) {
	r, seed := fresh()
	swapped := 0
	for range race.Times(300) {
		s := randomShape(r, 20)
		s.weights, s.least, s.most = kind, least, most
		g := random(t, r, s)
		best := forest(r, g)
		weight := weightOf(best)
		check := func(list []weighted) {
			t.Helper()
			u, v, w := columns[W](list)
			right := isForest(g, list) && math.Abs(weightOf(list)-weight) < 1e-6
			verdict(t, certify.MST(t.Context(), g, u, v, w), right, "seed %d: %v, want %v\n%s", seed, list, best, text(g))
		}
		check(best)
		all := arcs(g)
		for range 15 {
			list := slices.Clone(best)
			r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			if len(list) == 0 || len(all) == 0 {
				break
			}
			i, other := r.IntN(len(list)), all[r.IntN(len(all))]
			switch r.IntN(7) {
			case 0: // an edge too few
				list = list[1:]
			case 1: // too many
				list = append(list, other)
			case 2: // another instead
				list[i] = other
				swapped++
			case 3:
				list[i].w++
			case 4:
				list[i].u, list[i].v = list[i].v, list[i].u
			case 5:
				list[i].v = r.Uint32N(uint32(g.N()))
			case 6: // twice
				list = append(list, list[i])
			}
			check(list)
		}
	}
	if swapped == 0 {
		t.Errorf("seed %d: nothing swapped", seed)
	}
}

func TestMST(t *testing.T) {
	t.Run("unweighted", func(t *testing.T) { t.Parallel(); mstMutations[int64](t, graph.Unweighted, 1, 1) })
	t.Run("int", func(t *testing.T) { t.Parallel(); mstMutations[int64](t, graph.Int32, -3, 6) })
	t.Run("few weights", func(t *testing.T) { t.Parallel(); mstMutations[int64](t, graph.Int32, 0, 1) })
	t.Run("float", func(t *testing.T) { t.Parallel(); mstMutations[float64](t, graph.Float32, -3, 30) })
}

func TestMSTOfNonsense(t *testing.T) {
	g, err := graph.FromArcs(4, graph.ArcList{List: []graph.Arc{{U: 0, V: 1, W: 1}, {U: 1, V: 2, W: 2}}, Weighted: true}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	verdict(t, certify.MST(t.Context(), g, []uint32{0, 1}, []uint32{1, 2}, []int64{1, 2}), true, "forest")
	verdict(t, certify.MST(t.Context(), g, []uint32{0, 1}, []uint32{1, 9}, []int64{1, 2}), false, "vertex 9")
	verdict(t, certify.MST(t.Context(), g, []uint32{0, graph.None}, []uint32{1, 2}, []int64{1, 2}), false, "no vertex")
	verdict(t, certify.MST(t.Context(), g, []uint32{0, 1}, []uint32{1, 2}, []float64{1, math.NaN()}), false, "NaN")
	verdict(t, certify.MST(t.Context(), g, []uint32{0, 1, 2, 3}, []uint32{1, 2, 1, 0}, []int64{1, 2, 2, 1}), false, "four edges")
	if err := certify.MST(t.Context(), g, []uint32{0}, []uint32{1, 2}, []int64{1}); err == nil {
		t.Error("columns of different lengths accepted")
	}
}
