package graphgen

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/graph"
)

// places undoes the permutation of ids.
func places(g *ssca2) []uint32 {
	back := make([]uint32, g.n())
	for v := range g.n() {
		back[g.labels.of(v)] = v
	}
	return back
}

func openTest(t *testing.T, s Spec, directed bool) (*ssca2, *graph.Graph) {
	t.Helper()
	_, gen, err := openSSCA2(s, directed)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Generate(t.Context(), s, Options{Directed: &directed})
	if err != nil {
		t.Fatal(err)
	}
	return gen.(*ssca2), g
}

// Whoever shares a clique is joined; others are joined at distances 2^k, with
// the stated probabilities.
func TestSSCA2Structure(t *testing.T) {
	for range 3 {
		s := Spec{Kind: "ssca2", Scale: 14, Seed: rand.Uint64()}
		for _, directed := range []bool{false, true} {
			gen, g := openTest(t, s, directed)
			clique := make([]int, gen.n())
			for i, start := range gen.starts[:len(gen.starts)-1] {
				for v := start; v < gen.starts[i+1]; v++ {
					clique[v] = i
				}
			}
			c := tally(t, gen, g, clique)
			if directed {
				if odds := chance(c.both, c.pairs, 0.8); odds < never {
					t.Errorf("%v: %d of %d pairs both ways, a chance of %.2g", s, c.both, c.pairs, odds)
				}
				if odds := chance(c.forth, c.pairs-c.both, 0.5); odds < never {
					t.Errorf("%v: %d of %d one-way pairs go forth, a chance of %.2g", s, c.forth, c.pairs-c.both, odds)
				}
			}
			for k, got := range c.far {
				p := 1 / float64(uint64(2)<<k)
				apart := 0
				for v := range int(gen.n()) - 1<<k {
					if clique[v] != clique[v+1<<k] {
						apart++
					}
				}
				if directed {
					apart *= 2
				} else {
					p = 1 - (1-p)*(1-p)
				}
				if odds := chance(got, apart, p); odds < never {
					t.Errorf("%v directed %v: %d of %d pairs at distance %d, a chance of %.2g by %g", s, directed, got, apart, 1<<k, odds, p)
				}
			}
		}
	}
}

type tallied struct {
	pairs, both, forth int // within cliques
	far                []int
}

func tally(t *testing.T, gen *ssca2, g *graph.Graph, clique []int) tallied {
	t.Helper()
	back := places(gen)
	has := func(u, v uint32) bool {
		_, ok := slices.BinarySearch(g.Out().Neighbors(gen.labels.of(u)), gen.labels.of(v))
		return ok
	}
	c := tallied{far: make([]int, bits.Len32(gen.n())-1)}
	arcs := 0
	for v := range gen.n() {
		for w := v + 1; w < gen.n() && clique[w] == clique[v]; w++ {
			there, back := has(v, w), has(w, v)
			c.pairs++
			switch {
			case there && back:
				c.both++
				arcs += 2
			case there:
				c.forth++
				arcs++
			case back:
				arcs++
			default:
				t.Fatalf("%d and %d of one clique are not joined", v, w)
			}
		}
	}
	for x := range uint32(g.N()) {
		for _, y := range g.Out().Neighbors(x) {
			v, w := back[x], back[y]
			if clique[v] == clique[w] {
				arcs--
				continue
			}
			d := max(v, w) - min(v, w)
			if bits.OnesCount32(d) != 1 {
				t.Fatalf("%d and %d of different cliques are joined", v, w)
			}
			if g.Directed() || v < w {
				c.far[bits.TrailingZeros32(d)]++
			}
		}
	}
	if arcs != 0 {
		t.Fatalf("%d arcs within cliques are doubled or loops", -arcs)
	}
	return c
}

func TestSSCA2CliqueSizes(t *testing.T) {
	s := Spec{Kind: "ssca2", Scale: 18, Seed: rand.Uint64()}
	_, gen, err := openSSCA2(s, false)
	if err != nil {
		t.Fatal(err)
	}
	starts := gen.(*ssca2).starts
	var counts [65]int
	for i := range len(starts) - 2 { // the last may be cut off
		counts[starts[i+1]-starts[i]]++
	}
	for size := 1; size <= 64; size++ {
		if odds := chance(counts[size], len(starts)-2, 1.0/64); odds < never {
			t.Errorf("%v: %d cliques of size %d, a chance of %.2g", s, counts[size], size, odds)
		}
	}
}

// The undirected graph is the directed one with its directions forgotten, and
// simple as it comes.
func TestSSCA2Directions(t *testing.T) {
	s := Spec{Kind: "ssca2", Scale: 11, Seed: rand.Uint64()}
	_, undirected := openTest(t, s, false)
	_, directed := openTest(t, s, true)
	simple, err := directed.Undirected(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(undirected.Out().Targets, simple.Out().Targets) || !slices.Equal(undirected.Out().Offsets.All(), simple.Out().Offsets.All()) {
		t.Errorf("%v: %d arcs undirected, %d without directions", s, undirected.Arcs(), simple.Arcs())
	}
}
