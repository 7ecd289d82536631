package pregel_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel"
)

// Rows come in the order of their ends, whichever stands first, parallel edges in the
// order in which they were.
func TestSortEdges(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 4))
	type row struct {
		u, v  uint32
		w     int64
		x     float64
		count uint32
	}
	for _, m := range []int{0, 1, 2, 100, 70_000} {
		for _, n := range []uint32{1, 5, 300, 1 << 20} {
			list := make([]row, m)
			table := pregel.Table{Columns: make([]pregel.Column, 5)}
			for i, name := range []string{"weight", "target", "x", "source", "count"} {
				table.Columns[i].Name = name
			}
			c := table.Columns
			for i := range list {
				u, v := r.Uint32N(n), r.Uint32N(n)
				list[i] = row{min(u, v), max(u, v), int64(i), float64(i), uint32(i)}
				c[0].Ints, c[2].Floats, c[4].Counts = append(c[0].Ints, int64(i)), append(c[2].Floats, float64(i)), append(c[4].Counts, uint32(i))
				c[3].Vertices, c[1].Vertices = append(c[3].Vertices, u), append(c[1].Vertices, v)
			}
			slices.SortStableFunc(list, func(a, b row) int { return cmp.Or(cmp.Compare(a.u, b.u), cmp.Compare(a.v, b.v)) })
			pregel.SortEdges(2, &table)
			for i, want := range list {
				if got := (row{c[3].Vertices[i], c[1].Vertices[i], c[0].Ints[i], c[2].Floats[i], c[4].Counts[i]}); got != want {
					t.Fatalf("%d rows, %d vertices: row %d is %v, want %v", m, n, i, got, want)
				}
			}
			if table.Rows() != m {
				t.Fatalf("%d rows of %d", table.Rows(), m)
			}
		}
	}
}
