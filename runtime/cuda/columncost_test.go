package cuda

import (
	"slices"
	"testing"
)

// Columns lie side by side, narrow ones first, up to the last vertex that is heard.
func TestSplit(t *testing.T) {
	for _, c := range []struct{ heard, narrow, columns, kept uint32 }{
		{0, asPays, 0, 0}, {1, asPays, 1, 1}, {100, asPays, 1, 1}, {101, asPays, 2, 2}, {1000, asPays, 10, 10},
		{1000, 0, 4, 0}, {900, 0, 3, 0}, {1000, 4, 6, 4}, {1000, 9, 10, 9}, {1001, 10, 11, 10}, {1001, 11, 11, 11},
		{1<<32 - 1, 0, 14_316_558, 0},
	} {
		s := split{width: 100, wide: 300}.of(c.heard, c.narrow)
		if s.columns != c.columns || s.narrow != c.kept || s.width != 100 || s.wide != 300 {
			t.Errorf("%d vertices, %d narrow at the most: %+v, want %d columns, %d narrow", c.heard, c.narrow, s, c.columns, c.kept)
		}
	}
}

// The more columns there are, the longer the lists that are cut.
func TestCutFrom(t *testing.T) {
	for _, c := range []struct{ columns, from uint32 }{{0, 8}, {1, 8}, {49, 8}, {185, 8}, {215, 8}, {216, 9}, {355, 14}, {683, 28}, {1535, 63}, {1536, 64}, {columnMost, 64}} {
		if got := cutFrom(c.columns); got != c.from {
			t.Errorf("%d columns: lists are cut from %d arcs on, want %d", c.columns, got, c.from)
		}
	}
}

// With 10 processors, a column is wide where 60 of its kind have fewer chunks than all
// together and its chunks fewer than two arcs, and so have all behind it.
func TestKeep(t *testing.T) {
	type column struct{ chunks, arcs uint64 }
	hub := func(others uint64) column { return column{6000 - others, 40_000} }
	enough, thin, full, empty := column{100, 150}, column{99, 150}, column{99, 198}, column{}
	for _, c := range []struct {
		list []column
		kept uint32
	}{
		{nil, 0}, {[]column{{1, 1}}, 1}, {[]column{hub(100), enough}, 2}, {[]column{hub(99), thin}, 1}, {[]column{hub(99), {99, 197}}, 1}, {[]column{hub(99), full}, 2},
		{[]column{hub(198), thin, thin}, 1}, {[]column{hub(199), thin, enough}, 3}, {[]column{hub(199), enough, thin}, 2}, {[]column{hub(0), empty}, 1},
	} {
		checkKept(t, 10, c.kept, func(yield func(chunks, arcs uint64)) {
			for _, x := range c.list {
				yield(x.chunks, x.arcs)
			}
		})
	}
}

// On the H200, with 132 processors, all columns of a Kronecker graph of scale 22 are
// narrow; of scale 24 those up to number 88, and not 96, as counted there.
func TestKeepKronecker(t *testing.T) {
	for _, c := range []struct {
		chunks, arcs, all uint64
		narrow            bool
	}{{14_199, 21_591, 4_701_575, true}, {30_823, 44_066, 22_580_373, true}, {149_549, 234_971, 110_479_427, true}, {124_323, 188_048, 110_479_427, false}} {
		want := uint32(1)
		if c.narrow {
			want = 2
		}
		checkKept(t, 132, want, func(yield func(chunks, arcs uint64)) {
			yield(c.all-c.chunks, 5*c.all)
			yield(c.chunks, c.arcs)
		})
	}
}

func checkKept(t *testing.T, processors int, want uint32, columns func(yield func(chunks, arcs uint64))) {
	t.Helper()
	var table []uint32
	var arcs []uint64
	columns(func(chunks, a uint64) {
		row := make([]uint32, columnBlocks)
		row[0], row[columnBlocks-1] = uint32(chunks/3), uint32(chunks-chunks/3)
		table, arcs = append(table, row...), append(arcs, a)
	})
	if got := (skew{narrow: asPays}).keep(processors, table, arcs); got != want {
		t.Errorf("columns of %v arcs: %d are narrow, want %d", arcs, got, want)
	}
	if got := (skew{narrow: 5}).keep(processors, table, arcs); got != 5 {
		t.Errorf("%d columns are narrow, 5 were asked for", got)
	}
}

// Chunks are numbered column by column, the narrow ones first, as long as the numbers
// suffice: also of those behind the last, which blocks ask for.
func TestNumber(t *testing.T) {
	table := make([]uint32, 3*columnBlocks)
	table[0], table[columnBlocks], table[2*columnBlocks], table[3*columnBlocks-1] = 5, 7, 1<<31, columnChunks-1<<31-12
	c := &columns{split: split{columns: 3, narrow: 2}}
	first, err := c.number(slices.Clone(table))
	if err != nil || !slices.Equal(first, []uint32{0, 5, 12}) || c.inNarrow != 12 || c.chunks != columnChunks {
		t.Errorf("narrow columns begin at %v, %+v, %v", first, c, err)
	}
	table[1]++
	if _, err := (&columns{split: c.split}).number(table); err != errColumns {
		t.Errorf("one chunk more: %v", err)
	}
	c = &columns{split: split{columns: 3}}
	if first, err := c.number(make([]uint32, 3*columnBlocks)); err != nil || !slices.Equal(first, []uint32{0}) || c.inNarrow != 0 {
		t.Errorf("no narrow columns: they begin at %v, %+v, %v", first, c, err)
	}
}
