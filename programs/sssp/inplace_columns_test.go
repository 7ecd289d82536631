package sssp

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// Labels that lie in the distances become those, whatever the number of vertices and of workers,
// and of what parts none is reached.
func TestWidenedInPlace(t *testing.T) {
	for _, n := range race.Some(200, partsPiece-1, partsPiece, partsPiece+1, 2*partsPiece, 3*partsPiece+100, 5*partsPiece, 8*partsPiece-1) {
		g := someIslands(t, n)
		for i, source := range []uint32{0, uint32(n - 1), uint32(n * 3 / 4)} {
			j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1 + i})}
			want, err := (&SSSP{Source: pregel.ID(g.IDs().Text(source)), Method: BellmanFord}).Run(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			distance := want.Table.Columns[0].Ints
			r := &relaxing[uint32]{source: source, far: math.MaxUint32, limit: 1 << 31, unit: 1}
			r.set(g)
			c := columnsOver(r, pregel.NoInt)
			mem.Fill(c.distance, 7)
			r.run(t.Context(), j, 20)
			e, err := widenedInPlace(r, c, j.Engine.Pool())
			if err != nil || !slices.Equal(c.distance, distance) {
				t.Fatalf("%d vertices from %d: other distances, or %v", n, source, err)
			}
			if of := extentOf(distance, pregel.NoInt, 1); *e != *of {
				t.Errorf("%d vertices from %d: extent %v, want %v", n, source, *e, *of)
			}
		}
	}
}

// A graph on each side of the number from which labels lie in the distances, with parents found
// after the search and without.
func TestInPlaceFrom(t *testing.T) {
	for _, n := range []int{InPlaceFrom - 1, InPlaceFrom} {
		g := sparse(t, n)
		r := &relaxing[uint32]{far: math.MaxUint32}
		c, _ := shortColumns(r, g, pregel.NoInt)
		if over := n >= InPlaceFrom; over != (&mem.Bytes(r.dist)[0] == &mem.Bytes(c.distance)[0]) {
			t.Errorf("%d vertices: labels lie in the distances: %v", n, !over)
		}
		for _, parents := range []bool{false, true} {
			s := New().(*SSSP)
			s.Source, s.Parents = "0", &parents
			a, err := s.Run(t.Context(), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 2}), Barrier: func(func() (pregel.State, error)) error { return nil }})
			if err == nil {
				err = s.Certify(t.Context(), g, &a.Table)
			}
			if err != nil {
				t.Errorf("%d vertices, parents %v: %v", n, parents, err)
			}
		}
	}
}

// sparse is a graph of a few thousand arcs, most of them among those that 0 reaches.
func sparse(t *testing.T, n int) *graph.Graph {
	t.Helper()
	r := rand.New(rand.NewPCG(4, uint64(n)))
	const some = 1000
	far := func(k int) uint32 { return uint32(k * (n - 1) / some) }
	var arcs []graph.Arc
	for range 5 * some {
		arcs = append(arcs, graph.Arc{U: far(r.IntN(some)), V: far(r.IntN(some + 1)), W: int32(1 + r.IntN(90))})
	}
	g, err := graph.FromArcs(n, graph.ArcList{List: arcs, Weighted: true}, graph.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}
