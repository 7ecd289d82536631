package graph_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest/race"
)

// reference builds the sorted arc list of a graph the slow way.
func reference(list []graph.Arc, o graph.Options) []graph.Arc {
	var all []graph.Arc
	for _, a := range list {
		if a.U == a.V && o.Loops == graph.DropLoops {
			continue
		}
		all = append(all, a)
		if a.U != a.V && !o.Directed {
			all = append(all, graph.Arc{U: a.V, V: a.U, W: a.W})
		}
	}
	slices.SortFunc(all, func(a, b graph.Arc) int {
		return cmp.Or(cmp.Compare(a.U, b.U), cmp.Compare(a.V, b.V), cmp.Compare(a.W, b.W))
	})
	if o.Duplicates == graph.KeepDuplicates {
		return all
	}
	var kept []graph.Arc
	for _, a := range all {
		k := len(kept) - 1
		switch {
		case k < 0 || kept[k].U != a.U || kept[k].V != a.V:
			kept = append(kept, a)
		case o.Duplicates == graph.SumDuplicates:
			kept[k].W += a.W
		}
	}
	return kept
}

func arcs(c graph.CSR) []graph.Arc {
	var list []graph.Arc
	for u := range uint32(c.N()) {
		for i, v := range c.Neighbors(u) {
			list = append(list, graph.Arc{U: u, V: v, W: int32(c.Weights.At(c.Offsets.At(u) + uint64(i)))})
		}
	}
	return list
}

func randomArcs(r *rand.Rand, n, m int) []graph.Arc {
	list := make([]graph.Arc, m)
	for i := range list {
		list[i] = graph.Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n)), W: int32(r.IntN(9)) - 4}
	}
	return list
}

func TestBuildAgainstSortedList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	large := 90_000
	if race.On {
		large = 40_000 // more than a chunk
	}
	for _, size := range [][2]int{{1, 0}, {1, 3}, {5, 40}, {300, 2000}, {1000, large}} {
		list := randomArcs(r, size[0], size[1])
		for _, directed := range []bool{false, true} {
			for _, loops := range []graph.Loops{graph.KeepLoops, graph.DropLoops} {
				if race.On && size[1] == large && loops == graph.DropLoops {
					continue
				}
				for _, dup := range []graph.Duplicates{graph.KeepDuplicates, graph.DropDuplicates, graph.MinDuplicates, graph.SumDuplicates} {
					o := graph.Options{Directed: directed, Loops: loops, Duplicates: dup}
					want := reference(list, o)
					for _, o.Workers = range []int{1, 3} {
						if race.On && o.Workers == 1 {
							continue
						}
						g, err := graph.FromArcs(size[0], graph.ArcList{List: list, Weighted: true}, o)
						if err != nil {
							t.Fatal(err)
						}
						if err := g.Check(); err != nil {
							t.Fatal(err)
						}
						if got := arcs(g.Out()); !slices.Equal(got, want) {
							t.Fatalf("n %d m %d %+v: %d arcs, want %d", size[0], size[1], o, len(got), len(want))
						}
						checkTranspose(t, g, want)
					}
				}
			}
		}
	}
}

func checkTranspose(t *testing.T, g *graph.Graph, out []graph.Arc) {
	t.Helper()
	back := arcs(g.In())
	for i := range back {
		back[i].U, back[i].V = back[i].V, back[i].U
	}
	slices.SortFunc(back, func(a, b graph.Arc) int {
		return cmp.Or(cmp.Compare(a.U, b.U), cmp.Compare(a.V, b.V), cmp.Compare(a.W, b.W))
	})
	if !slices.Equal(back, out) {
		t.Fatalf("in-arcs are not the out-arcs turned round")
	}
	if !slices.Equal(arcs(g.Reverse().In()), out) {
		t.Fatalf("reversed twice is not the graph")
	}
}

func TestEdgesCountsLoopsOnce(t *testing.T) {
	list := []graph.Arc{{U: 0, V: 1}, {U: 1, V: 1}, {U: 2, V: 1}, {U: 2, V: 1}}
	g, err := graph.FromArcs(4, graph.ArcList{List: list}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if g.Arcs() != 7 || g.Edges() != 4 || g.Loops() != 1 {
		t.Fatalf("arcs %d edges %d loops %d, want 7 4 1", g.Arcs(), g.Edges(), g.Loops())
	}
}

func TestBuildRefusesForeignVertex(t *testing.T) {
	if _, err := graph.FromArcs(2, graph.ArcList{List: []graph.Arc{{U: 0, V: 2}}}, graph.Options{}); err == nil {
		t.Fatal("arc to vertex 2 of 2 accepted")
	}
}

func TestSumBeyond32Bits(t *testing.T) {
	list := graph.ArcList{List: []graph.Arc{{U: 0, V: 1, W: 1 << 30}, {U: 0, V: 1, W: 1 << 30}}, Weighted: true}
	if _, err := graph.FromArcs(2, list, graph.Options{Duplicates: graph.SumDuplicates}); err == nil {
		t.Fatal("sum of 2^31 accepted as an int32")
	}
}

func TestEdgewiseRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, directed := range []bool{false, true} {
		g, _ := graph.FromArcs(500, graph.ArcList{List: randomArcs(r, 500, 20000), Weighted: true}, graph.Options{Directed: directed})
		h, err := graph.Build(context.Background(), g.IDs(), g.Edgewise(), graph.Options{Directed: directed})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(arcs(g.Out()), arcs(h.Out())) {
			t.Fatalf("directed %v: graph of a graph's edges differs", directed)
		}
	}
}

// The values are those of shared/data/README.md, computed there in numpy and
// C++.
func TestHashWeight(t *testing.T) {
	if graph.SplitMix64(0) != 0xe220a8397b1dcdaf || graph.SplitMix64(1) != 0x910a2dec89025cc1 {
		t.Fatal("SplitMix64")
	}
	for _, c := range []struct {
		u, v uint64
		w    int32
	}{{0, 0, 251}, {0, 1, 96}, {1, 0, 96}, {1, 2, 175}, {3, 25, 160}, {30, 1412, 100}, {100, 325728, 231}, {0, 325556, 49}} {
		if w := graph.HashWeight(c.u, c.v); w != c.w {
			t.Errorf("w(%d,%d) = %d, want %d", c.u, c.v, w, c.w)
		}
	}
}

func TestIDs(t *testing.T) {
	sparse, err := graph.NumberIDs([]uint64{3, 7, 1 << 63})
	if err != nil {
		t.Fatal(err)
	}
	names, err := graph.NameIDs([]string{"", "a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	for _, ids := range []graph.IDs{graph.RangeIDs(5, 3), sparse, names} {
		for v := range uint32(ids.Len()) {
			if u, err := ids.Parse(ids.Text(v)); err != nil || u != v {
				t.Errorf("Parse(Text(%d)) = %d, %v", v, u, err)
			}
			if s := string(ids.Append(nil, v)); s != ids.Text(v) {
				t.Errorf("Append %q, Text %q", s, ids.Text(v))
			}
		}
		if _, err := ids.Parse("4"); err == nil {
			t.Errorf("id 4 found in %v", ids)
		}
	}
	if _, err := graph.NumberIDs([]uint64{3, 3}); err == nil {
		t.Error("repeated id accepted")
	}
	if ids, _ := graph.NumberIDs([]uint64{4, 5, 6}); ids.Numbers() != nil {
		t.Error("ids without gaps are not a range")
	}
}

func TestCutCoversAllVertices(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 63, 64, 65, 1000} {
		g, _ := graph.FromArcs(n, graph.ArcList{List: randomArcs(r, max(n, 1), min(n, 1)*5000)}, graph.Options{Directed: true})
		for _, align := range []uint32{1, 64} {
			for _, size := range []uint64{1, 100, 1 << 20} {
				bounds := g.Out().Cut(size, align)
				if bounds[0] != 0 || int(bounds[len(bounds)-1]) != n {
					t.Fatalf("n %d: bounds %v", n, bounds)
				}
				for i := 1; i < len(bounds); i++ {
					if bounds[i] <= bounds[i-1] || i < len(bounds)-1 && bounds[i]%align != 0 {
						t.Fatalf("n %d align %d: bounds %v", n, align, bounds)
					}
				}
			}
		}
	}
}

// A graph remembers how it was cut, each way by itself.
func TestCutIsRemembered(t *testing.T) {
	list := graph.ArcList{List: randomArcs(rand.New(rand.NewPCG(7, 8)), 500, 3000)}
	g, err := graph.FromArcs(500, list, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []graph.CSR{g.Out(), g.In(), g.Reverse().Out()} {
		for _, align := range []uint32{1, 64} {
			for _, size := range []uint64{1, 100, 1000} {
				fresh := graph.CSR{Offsets: c.Offsets}.Cut(size, align)
				first, again := c.Cut(size, align), c.Cut(size, align)
				if !slices.Equal(first, fresh) || &first[0] != &again[0] {
					t.Errorf("align %d, %d arcs: %v, then %v, want %v twice", align, size, first, again, fresh)
				}
			}
		}
	}
	if out, in := g.Out().Cut(100, 1), g.In().Cut(100, 1); slices.Equal(out, in) {
		t.Error("out-arcs and in-arcs are cut alike")
	}
}

// Ranges are as long as they can be, whatever the one before was.
func TestCutIsGreedy(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for range 200 {
		offsets := make([]uint64, 1+r.IntN(3000))
		for v := range len(offsets) - 1 {
			d := r.IntN(4)
			if r.IntN(100) == 0 {
				d = r.IntN(1000)
			}
			offsets[v+1] = offsets[v] + uint64(d)
		}
		n, arcs, align := uint32(len(offsets)-1), 1+r.Uint64N(700), []uint32{1, 64}[r.IntN(2)]
		bounds := graph.CSR{Offsets: graph.OffsetsOf(offsets)}.Cut(arcs, align)
		weight := func(lo, hi uint32) uint64 { return offsets[hi] - offsets[lo] + uint64(hi-lo) }
		for i, lo := range bounds[:len(bounds)-1] {
			hi := bounds[i+1]
			if hi > min(lo+align, n) && weight(lo, hi) > arcs || hi < n && hi+align <= n && weight(lo, hi+align) <= arcs {
				t.Fatalf("n %d, %d arcs, align %d: range %d to %d", n, arcs, align, lo, hi)
			}
		}
	}
}
