package cuda

import "testing"

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
