package sssp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/runtime/cpu"
)

// However much of the columns is filled before a search has ended, and whatever was in their
// memory, they are the same, and the labels that are left are blank for the next one.
func TestFilledAhead(t *testing.T) {
	const n = 3*aheadPiece + 100
	g := someIslands(t, n)
	j := func() *pregel.Job { return &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1})} }
	pool := cpu.New(cpu.Options{Workers: 2}).Pool()
	for _, source := range []uint32{0, n - 1, n / 2} {
		want, err := (&SSSP{Source: pregel.ID(g.IDs().Text(source)), Method: BellmanFord}).Run(t.Context(), j())
		if err != nil {
			t.Fatal(err)
		}
		distance, parent := want.Table.Columns[0].Ints, want.Table.Columns[1].Vertices
		for pieces := range 5 {
			r := &relaxing[uint32]{source: source, far: math.MaxUint32, limit: 1 << 31, unit: 1}
			r.begin(g)
			c := columnsAhead(r, pregel.NoInt, false)
			fillSome(&r.ahead, c, pieces)
			r.run(t.Context(), j(), 20)
			if _, err := widened(r, c, pool); err != nil || !slices.Equal(c.distance, distance) {
				t.Fatalf("from %d, %d pieces filled ahead: other distances, or %v", source, pieces, err)
			}
			c.give()

			w := &relaxing[way]{source: source, first: way(graph.None), far: unreached, limit: 1 << 63, unit: 1 << distanceBit, up: distanceBit}
			w.begin(g)
			c = columnsAhead(w, pregel.NoInt, true)
			fillSome(&w.ahead, c, pieces)
			w.run(t.Context(), j(), 20<<distanceBit)
			p, err := parted(w, c, pregel.NoInt, nil, pool)
			if err != nil || !slices.Equal(p.Distance, distance) || !slices.Equal(p.Parent, parent) {
				t.Fatalf("from %d, %d pieces filled ahead: other paths, or %v", source, pieces, err)
			}
			c.give()
			for _, labels := range [][]uint32{r.dist, mem.View[uint32](mem.Bytes(w.dist))} { // they are nobody else's yet
				if slices.Min(labels) != math.MaxUint32 {
					t.Fatalf("from %d, %d pieces filled ahead: labels are left that are not blank", source, pieces)
				}
			}
		}
	}
}

// fillSome is what a worker does who comes before the search begins, and goes after some pieces.
func fillSome(a *ahead, c columns[int64], pieces int) {
	mem.Fill(c.distance, 7)
	mem.Fill(c.parent, 7)
	for range pieces {
		lo := min(a.done(), a.n)
		c.fill(lo, min(lo+aheadPiece, a.n))
		a.next.Add(1)
	}
}

// Who fills stops when the search is over, or all is filled.
func TestFillingEnds(t *testing.T) {
	var filled []int
	a := ahead{n: 2*aheadPiece + 1}
	a.fill = func(lo, hi int) {
		filled = append(filled, lo, hi)
		a.over.Store(lo == 0)
	}
	for range 3 {
		a.goOn()
		a.over.Store(false)
	}
	if want := []int{0, aheadPiece, aheadPiece, 2 * aheadPiece, 2 * aheadPiece, a.n}; !slices.Equal(filled, want) || a.done() != a.n {
		t.Errorf("filled %v, %d vertices, want %v", filled, a.done(), want)
	}
}

// someIslands is a graph of parts that no arcs join: much is reached from 0, little from others.
func someIslands(t *testing.T, n int) *graph.Graph {
	r := rand.New(rand.NewPCG(8, 15))
	var arcs []graph.Arc
	for _, part := range [][2]int{{0, n * 2 / 3}, {n * 2 / 3, n - 50}, {n - 50, n}} {
		for range 4 * (part[1] - part[0]) {
			u, v := part[0]+r.IntN(part[1]-part[0]), part[0]+r.IntN(part[1]-part[0])
			arcs = append(arcs, graph.Arc{U: uint32(u), V: uint32(v), W: int32(1 + r.IntN(60))})
		}
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: arcs, Weighted: true}, graph.Options{Directed: true})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
