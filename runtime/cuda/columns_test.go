//go:build cuda || emulate

package cuda

import (
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
			for _, size := range [][3]int{{40, 80, 64}, {1000, 7000, 64}, {3000, 60_000, 400}, {3000, 60_000, 192_000}} {
				e.Wide, e.skew = wide, skew{arcs: 2, column: size[2], any: true}
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
		checkChunks(t, g.In(), c, words(t, c.chunk), words(t, c.rows), words(t, c.first))
		checkHeard(t, g.In(), words(t, c.heard))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkChunks(t *testing.T, in graph.CSR, c *columns, chunk, rows, first []uint32) {
	t.Helper()
	if len(first) != int(c.count)+1 || first[0] != 0 || first[c.count] != c.chunks || !slices.IsSorted(first) {
		t.Fatalf("columns begin at %v, of %d columns and %d chunks", first, c.count, c.chunks)
	}
	heard := make([][]uint32, len(in.Offsets)-1)
	for k := range c.count {
		seen := map[uint32]bool{}
		for i := first[k]; i < first[k+1]; i++ {
			v := rows[i]
			if again := i > first[k] && rows[i-1] == v; seen[v] && !again {
				t.Fatalf("column %d: the chunks of vertex %d do not lie side by side", k, v)
			}
			seen[v] = true
			for j := range uint32(8) {
				if place := chunk[4*i+j/2] >> (16 * (j % 2)) & 0xffff; place != c.width {
					heard[v] = append(heard[v], k*c.width+place)
				}
			}
		}
	}
	for v, got := range heard {
		want := in.Targets[in.Offsets[v]:in.Offsets[v+1]]
		if len(want) < columnArcs {
			want = nil
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("vertex %d hears %v in columns, want %v", v, got, want)
		}
	}
}

func checkHeard(t *testing.T, in graph.CSR, heard []uint32) {
	t.Helper()
	for v := range uint32(len(in.Offsets) - 1) {
		if got, want := heard[v/32]>>(v%32)&1 != 0, in.Degree(v) >= columnArcs; got != want {
			t.Fatalf("vertex %d of %d arcs: %v that it hears along columns", v, in.Degree(v), got)
		}
	}
}
