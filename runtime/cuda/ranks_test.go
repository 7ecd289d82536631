//go:build cuda || emulate

package cuda

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// skewed makes a graph in which some vertices have many arcs.
func skewed(t *testing.T, r *rand.Rand, n, m int, directed bool) *graph.Graph {
	t.Helper()
	list := make([]graph.Arc, m)
	for i := range list {
		v := r.Uint32N(uint32(n))
		for range r.IntN(4) {
			v = r.Uint32N(v + 1)
		}
		list[i] = graph.Arc{U: (v*7919 + 13) % uint32(n), V: r.Uint32N(uint32(n))}
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: list}, graph.Options{Directed: directed})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func words(t *testing.T, b *driver.Buffer) []uint32 {
	t.Helper()
	list := make([]uint32, b.Size()/4)
	if err := b.Read(0, mem.Bytes(list)); err != nil {
		t.Fatal(err)
	}
	return list
}

// Ranks number those who are heard, from 0 on, by the power of two of how many
// hear them, and then by id; rows hold the ranks of their targets, in order.
func TestRanks(t *testing.T) {
	e := opened(t)
	e.skew = skew{arcs: 2}
	r := fresh(t)
	for _, directed := range []bool{false, true} {
		for _, wide := range []bool{false, true} {
			for _, size := range [][2]int{{40, 30}, {1000, 700}, {3000, 20_000}} {
				e.Wide = wide
				checkRanks(t, e, skewed(t, r, size[0]+r.IntN(33), size[1], directed))
			}
		}
	}
}

func checkRanks(t *testing.T, e *Engine, g *graph.Graph) {
	t.Helper()
	err := e.device.Do(func() error {
		d, err := e.resident(g)
		if err != nil {
			return err
		}
		in, err := d.In()
		if err != nil {
			return err
		}
		made, err := d.rank(d.out, in)
		if err != nil {
			return err
		}
		if made == nil {
			t.Fatal("no ranks were made")
		}
		checkRankOf(t, g, words(t, made.of))
		checkRows(t, g, words(t, made.of), words(t, made.targets))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkRankOf(t *testing.T, g *graph.Graph, rank []uint32) {
	t.Helper()
	var heard []uint32
	for v := range uint32(g.N()) {
		if g.Out().Degree(v) > 0 {
			heard = append(heard, v)
		} else if rank[v] != ^uint32(0) {
			t.Fatalf("vertex %d, whom nobody hears, has rank %d", v, rank[v])
		}
	}
	slices.SortStableFunc(heard, func(a, b uint32) int { return bits.Len64(g.Out().Degree(b)) - bits.Len64(g.Out().Degree(a)) })
	for i, v := range heard {
		if rank[v] != uint32(i) {
			t.Fatalf("vertex %d of %d arcs has rank %d, want %d", v, g.Out().Degree(v), rank[v], i)
		}
	}
}

func checkRows(t *testing.T, g *graph.Graph, rank, targets []uint32) {
	t.Helper()
	in := g.In()
	for v := range g.N() {
		var want []uint32
		for _, u := range in.Neighbors(uint32(v)) {
			want = append(want, rank[u])
		}
		slices.Sort(want)
		lo, hi := in.Offsets.Row(uint32(v))
		if got := targets[lo:hi]; !slices.Equal(got, want) {
			t.Fatalf("vertex %d hears %v, want %v", v, got, want)
		}
	}
}
