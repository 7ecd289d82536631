//go:build cuda || emulate

package cuda

import (
	"math"
	"slices"
	"testing"

	"gopregel/pregel/graph"
)

// Columns hold every arc of those who hear many once, and no other; chunks lie
// column by column, those of a list side by side.
func TestColumns(t *testing.T) {
	e := opened(t)
	r := fresh(t)
	for _, directed := range []bool{false, true} {
		for _, wide := range []bool{false, true} {
			for _, size := range [][3]int{{40, 80, 64}, {1000, 7000, 64}, {3000, 60_000, 400}, {3000, 60_000, 192_000}, {4000, 90_000, 64}} {
				narrow := []uint32{0, 1, 1 + r.Uint32N(30), asPays - 1, asPays}[r.IntN(5)]
				e.Wide, e.skew = wide, skew{arcs: 2, column: size[2], wide: size[2] * (1 + r.IntN(9)), narrow: narrow, any: true}
				checkColumns(t, e, skewed(t, r, size[0]+r.IntN(33), size[1], directed), 4+4*r.IntN(2))
			}
		}
	}
}

func checkColumns(t *testing.T, e *Engine, g *graph.Graph, bytes int) {
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
		c, err := d.column(d.out, in, bytes)
		if err != nil {
			return err
		}
		if c == nil {
			t.Fatal("no columns were made")
		}
		again, err := d.column(d.out, in, bytes)
		if again != c {
			t.Error("columns were made twice")
		}
		checkChunks(t, e, g, c, words(t, c.chunk), words(t, c.rows), words(t, c.first))
		checkHeard(t, g.In(), words(t, c.heard), c.from)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkChunks(t *testing.T, e *Engine, g *graph.Graph, c *columns, chunk, rows, first []uint32) {
	t.Helper()
	s := c.split
	if len(first) != int(s.narrow)+1 || first[0] != 0 || first[s.narrow] != c.inNarrow || !slices.IsSorted(first) || uint32(len(rows)) != c.chunks {
		t.Fatalf("narrow columns begin at %v, of %+v and %d chunks of %d", first, s, c.inNarrow, c.chunks)
	}
	if want := e.skew.narrow; want != asPays && s.narrow != min(want, s.of(WithArcs(g.Out()), asPays).columns) {
		t.Fatalf("%d columns are narrow, of %d that are to be", s.narrow, want)
	}
	heard, in := make([][]uint32, g.N()), g.In()
	for k := range s.narrow {
		checkColumn(t, rows[first[k]:first[k+1]], k)
		for i := first[k]; i < first[k+1]; i++ {
			for j := range uint32(8) {
				if place := chunk[4*i+j/2] >> (16 * (j % 2)) & 0xffff; place != s.width {
					heard[rows[i]] = append(heard[rows[i]], k*s.width+place)
				}
			}
		}
	}
	hearWide(t, s, chunk[4*c.inNarrow:], rows[c.inNarrow:], heard)
	for v, got := range heard {
		want := in.Neighbors(uint32(v))
		if len(want) < int(c.from) {
			want = nil
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("vertex %d hears %v in columns, want %v", v, got, want)
		}
	}
}

// hearWide adds what wide columns hold, which follow one another.
func hearWide(t *testing.T, s split, chunk, rows []uint32, heard [][]uint32) {
	t.Helper()
	from, last := 0, uint32(0)
	for i, v := range rows {
		column := (chunk[4*i] - s.narrow*s.width) / s.wide
		if column != last {
			checkColumn(t, rows[from:i], s.narrow+last)
			from = i
		}
		for j, u := range chunk[4*i:][:4] {
			switch {
			case u != math.MaxUint32 && (u < s.narrow*s.width || (u-s.narrow*s.width)/s.wide != column || column < last):
				t.Fatalf("vertex %d in wide column %d after %d", u, column, last)
			case u != math.MaxUint32:
				heard[v] = append(heard[v], u)
			case j == 0:
				t.Fatalf("chunk %d, of vertex %d, is empty", i, v)
			}
		}
		last = column
	}
	checkColumn(t, rows[from:], s.narrow+last)
}

// checkColumn checks that the chunks of each vertex lie side by side.
func checkColumn(t *testing.T, rows []uint32, column uint32) {
	t.Helper()
	seen := map[uint32]bool{}
	for i, v := range rows {
		if seen[v] && rows[i-1] != v {
			t.Fatalf("column %d: the chunks of vertex %d do not lie side by side", column, v)
		}
		seen[v] = true
	}
}

func checkHeard(t *testing.T, in graph.CSR, heard []uint32, from uint32) {
	t.Helper()
	for v := range uint32(in.N()) {
		if got, want := heard[v/32]>>(v%32)&1 != 0, in.Degree(v) >= uint64(from); got != want {
			t.Fatalf("vertex %d of %d arcs: %v that it hears along columns", v, in.Degree(v), got)
		}
	}
}
