package graph

import (
	"math"
	"math/rand/v2"
	"testing"

	"gopregel/pregel/bitmap"
)

// A vertex is a dead end where no neighbour is left beside the one that a walk came from: found
// anew here from the lists, for offsets of both widths, of graphs turned round and renumbered.
func TestDeadEnds(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 12))
	for range 60 {
		n := []int{1, 2, 63, 64, 65, 300, 1<<16 + 70}[r.IntN(7)]
		list := make([]Arc, r.IntN(2*n+1))
		for i := range list {
			list[i] = Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n))}
		}
		o := Options{Directed: r.IntN(2) == 0, Duplicates: Duplicates(r.IntN(2)), Loops: Loops(r.IntN(2)), Workers: 2}
		for _, narrowMost := range []uint64{0, math.MaxUint32} {
			t.Run("", func(t *testing.T) { // wideFrom is over with it
				wideFrom(t, narrowMost)
				for i, g := range made(t, n, ArcList{List: list}, o) {
					checkDeadEnds(t, i, g)
				}
			})
		}
	}
	none, err := FromArcs(0, ArcList{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	checkDeadEnds(t, 0, none)
}

func checkDeadEnds(t *testing.T, i int, g *Graph) {
	t.Helper()
	dead, want := g.DeadEnds(), bitmap.New(g.N())
	for v := range uint32(g.N()) {
		if us := g.Out().Neighbors(v); len(us) == 0 || len(us) == 1 && !g.Directed() {
			want.Set(v)
		}
	}
	if len(dead) != len(want) {
		t.Fatalf("graph %d of %d vertices: %d words, want %d", i, g.N(), len(dead), len(want))
	}
	for k, word := range dead {
		if word != want[k] {
			t.Fatalf("graph %d of %d vertices, directed %v: word %d is %x, want %x", i, g.N(), g.Directed(), k, word, want[k])
		}
	}
}
