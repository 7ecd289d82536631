package graph

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/mem"
)

// wideFrom makes offsets above so many wide, until the test ends.
func wideFrom(t *testing.T, most uint64) {
	before := narrowMost
	t.Cleanup(func() { narrowMost = before })
	narrowMost = most
}

// Graphs with wide offsets are those with narrow ones: as they are built, turned round,
// renumbered and merged; and their sums are the same.
func TestWideOffsets(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for i := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, i))
		n := 1 + r.IntN(200)
		list := ArcList{Weighted: r.IntN(2) == 0}
		for range r.IntN(2000) {
			list.List = append(list.List, Arc{U: r.Uint32N(uint32(n)), V: r.Uint32N(uint32(n)), W: r.Int32N(9)})
		}
		o := Options{Directed: r.IntN(2) == 0, Duplicates: Duplicates(r.IntN(4)), Loops: Loops(r.IntN(2)), Workers: 2}
		narrow := made(t, n, list, o)
		arcs := narrow[0].Arcs()
		for _, most := range []uint64{0, arcs - min(arcs, 1), arcs} {
			t.Run("", func(t *testing.T) {
				wideFrom(t, most)
				for i, g := range made(t, n, list, o) {
					sameGraph(t, g, narrow[i], arcs > most)
				}
			})
		}
	}
}

// made is a graph, and forms of it.
func made(t *testing.T, n int, list ArcList, o Options) []*Graph {
	t.Helper()
	g, err := FromArcs(n, list, o)
	if err != nil {
		t.Fatal(err)
	}
	renumbered, err := g.Renumbered(t.Context(), g.ByDegree(2), 2)
	if err != nil {
		t.Fatal(err)
	}
	return []*Graph{g, g.Reverse(), renumbered}
}

func sameGraph(t *testing.T, got, want *Graph, wide bool) {
	t.Helper()
	for i, c := range []CSR{got.Out(), got.In()} {
		other := []CSR{want.Out(), want.In()}[i]
		if c.Offsets.Wide() != wide || other.Offsets.Wide() {
			t.Fatalf("%d arcs: wide %v and %v, want %v and false", c.Arcs(), c.Offsets.Wide(), other.Offsets.Wide(), wide)
		}
		if !slices.Equal(c.Offsets.All(), other.Offsets.All()) || !slices.Equal(c.Targets, other.Targets) ||
			!slices.Equal(c.Weights.Int, other.Weights.Int) {
			t.Fatal("other arcs")
		}
		if !slices.Equal(c.Cut(50, 1), other.Cut(50, 1)) {
			t.Fatal("cut elsewhere")
		}
	}
	if got.Digest(2) != want.Digest(2) {
		t.Fatal("another digest")
	}
	if more := uint64(4 * (want.N() + 1)); wide && got.Bytes() != want.Bytes()+more || !wide && got.Bytes() != want.Bytes() {
		t.Fatalf("%d bytes, and %d with narrow offsets", got.Bytes(), want.Bytes())
	}
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
}

// A count that passes 2^32 is carried, and the offsets are then wide.
func TestCarriedCounts(t *testing.T) {
	b := builder{Options: Options{Directed: true, Duplicates: DropDuplicates}, ids: RangeIDs(0, 3), n: 3, counts: []uint32{0, 0, 3, 1<<32 - 2, 5}}
	for range 2 {
		b.countArc(1)
	}
	if sum, err := b.sum(); sum != 3+1<<32+5 || err != nil || !b.next.Wide() || !slices.Equal(b.next.All(), []uint64{0, 0, 3, 3 + 1<<32, 8 + 1<<32}) {
		t.Errorf("%d arcs, %v, offsets %v", sum, err, b.next.All())
	}
	b = builder{ids: RangeIDs(0, 2), n: 2, counts: []uint32{0, 0, 1<<32 - 2, 1}}
	if sum, err := b.sum(); sum != 1<<32-1 || err != nil || b.next.Wide() {
		t.Errorf("%d arcs, %v, wide %v", sum, err, b.next.Wide())
	}
}

// Of more offsets than are summed at once, the digest is that of wide ones, too.
func TestDigestOfManyOffsets(t *testing.T) {
	t.Parallel()
	g, err := FromArcs(3*digestBlock/8+5, ArcList{List: []Arc{{U: 7, V: 9}, {U: 2 * digestBlock / 8, V: 1}}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := g.Out()
	out.Offsets = mem.WideOffsets(out.Offsets.All())
	wide, err := New(Parts{IDs: g.IDs(), Out: out})
	if err != nil {
		t.Fatal(err)
	}
	if g.Digest(2) != wide.Digest(2) {
		t.Error("another digest")
	}
}
