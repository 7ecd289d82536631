package certify_test

import (
	"math"
	"slices"
	"testing"

	"gopregel/pregel/certify"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
)

// propagate is label propagation by the definition, with maps.
func propagate(g *graph.Graph, iterations int) []uint32 {
	label := make([]uint32, g.N())
	for v := range label {
		label[v] = uint32(v)
	}
	for range iterations {
		counts := make([]map[uint32]int, g.N())
		for v := range counts {
			counts[v] = map[uint32]int{}
		}
		for _, a := range arcs(g) {
			if a.u == a.v {
				continue
			}
			counts[a.v][label[a.u]]++
			if g.Directed() {
				counts[a.u][label[a.v]]++
			}
		}
		next := slices.Clone(label)
		for v, c := range counts {
			most := 0
			for l, count := range c {
				if count > most || count == most && l < next[v] {
					next[v], most = l, count
				}
			}
		}
		label = next
	}
	return label
}

func TestCDLP(t *testing.T) {
	r, seed := fresh()
	for range race.Times(300) {
		g := random(t, r, randomShape(r, 40))
		iterations := r.IntN(8)
		label := propagate(g, iterations)
		verdict(t, certify.CDLP(t.Context(), g, label, iterations), true, "seed %d: %v\n%s", seed, label, text(g))
		for range 10 {
			l := slices.Clone(label)
			l[r.IntN(len(l))] = r.Uint32N(uint32(len(l)) + 1)
			verdict(t, certify.CDLP(t.Context(), g, l, iterations), slices.Equal(l, label), "seed %d: %v, want %v\n%s", seed, l, label, text(g))
		}
		other := propagate(g, iterations+1)
		verdict(t, certify.CDLP(t.Context(), g, other, iterations), slices.Equal(other, label), "seed %d: one iteration too many", seed)
	}
}

// coefficients are counted in a matrix.
func coefficients(g *graph.Graph) []float64 {
	n := g.N()
	has := make([][]bool, n)
	for u := range has {
		has[u] = make([]bool, n)
	}
	for _, a := range arcs(g) {
		has[a.u][a.v] = true
	}
	list := make([]float64, n)
	for v := range n {
		var near []int
		for u := range n {
			if u != v && (has[u][v] || has[v][u]) {
				near = append(near, u)
			}
		}
		count := 0
		for _, u := range near {
			for _, x := range near {
				if u != x && has[u][x] {
					count++
				}
			}
		}
		if d := len(near); d > 1 {
			list[v] = float64(count) / float64(d*(d-1))
		}
	}
	return list
}

func TestLCC(t *testing.T) {
	r, seed := fresh()
	for range race.Times(300) {
		s := randomShape(r, 30)
		s.m = r.IntN(8 * s.n)
		g := random(t, r, s)
		want := coefficients(g)
		for _, sample := range []int{0, 5, 1000} {
			verdict(t, certify.LCC(t.Context(), g, want, sample), true, "seed %d: %v\n%s", seed, want, text(g))
		}
		for range 10 {
			x := slices.Clone(want)
			v := r.IntN(len(x))
			x[v] = []float64{x[v] + 1e-9, -x[v], x[v] * 2, 0, 1, math.NaN(), math.Inf(1), x[r.IntN(len(x))]}[r.IntN(8)]
			verdict(t, certify.LCC(t.Context(), g, x, 0), slices.Equal(x, want), "seed %d: %v, want %v\n%s", seed, x, want, text(g))
			if slices.Equal(x, want) {
				verdict(t, certify.LCC(t.Context(), g, x, 5), true, "seed %d", seed)
			}
		}
	}
}

// A sample finds what is wrong everywhere, and sooner or later each vertex.
func TestLCCSample(t *testing.T) {
	g, err := graph.FromArcs(1000, graph.ArcList{}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 1000)
	verdict(t, certify.LCC(t.Context(), g, x, 10), true, "zeros")
	found := 0
	for v := range x {
		x[v] = 1
		if certify.LCC(t.Context(), g, x, 500) != nil {
			found++
		}
		x[v] = 0
	}
	if found < 340 || found > 450 { // 1000·(1-e^-0.5) = 393
		t.Errorf("a sample of 500 sees %d of 1000 vertices", found)
	}
	for v := range x {
		x[v] = 1
	}
	verdict(t, certify.LCC(t.Context(), g, x, 1), false, "ones")
}

// cores removes, for every k, vertices of too few neighbours until none is left.
func cores(g *graph.Graph) []uint32 {
	n := g.N()
	has := make([][]bool, n)
	for u := range has {
		has[u] = make([]bool, n)
	}
	for _, a := range arcs(g) {
		if a.u != a.v {
			has[a.u][a.v], has[a.v][a.u] = true, true
		}
	}
	core := make([]uint32, n)
	in := make([]bool, n)
	for k := 0; k < n; k++ {
		for v := range in {
			in[v] = true
		}
		for changed := true; changed; {
			changed = false
			for v := range in {
				count := 0
				for u := range in {
					if in[u] && has[v][u] {
						count++
					}
				}
				if in[v] && count < k {
					in[v], changed = false, true
				}
			}
		}
		for v := range in {
			if in[v] {
				core[v] = uint32(k)
			}
		}
	}
	return core
}

func TestKCore(t *testing.T) {
	r, seed := fresh()
	for range race.Times(150) {
		s := randomShape(r, 25)
		s.m = r.IntN(6 * s.n)
		g := random(t, r, s)
		want := cores(g)
		verdict(t, certify.KCore(t.Context(), g, want), true, "seed %d: %v\n%s", seed, want, text(g))
		for range 20 {
			x := slices.Clone(want)
			v := r.IntN(len(x))
			switch r.IntN(4) {
			case 0:
				x[v]++
			case 1:
				x[v] -= min(x[v], 1)
			case 2:
				x[v] = r.Uint32()
			case 3: // a whole core shifted
				for u := range x {
					if want[u] == want[v] && x[u] > 0 {
						x[u]--
					}
				}
			}
			verdict(t, certify.KCore(t.Context(), g, x), slices.Equal(x, want), "seed %d: %v, want %v\n%s", seed, x, want, text(g))
		}
	}
	for range race.Times(30) { // every answer
		g := random(t, r, shape{n: 4, m: r.IntN(12), directed: r.IntN(2) == 0, most: 1})
		want := cores(g)
		every([]uint32{0, 1, 2, 3, 4}, 4, func(x []uint32) {
			verdict(t, certify.KCore(t.Context(), g, x), slices.Equal(x, want), "seed %d: %v, want %v\n%s", seed, x, want, text(g))
		})
	}
}
