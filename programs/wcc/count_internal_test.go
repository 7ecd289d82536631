package wcc

import "testing"

// Components whose vertices do not stand together are counted once, with all of them.
func TestCount(t *testing.T) {
	for _, c := range []struct {
		component  []uint32
		components int
		largest    uint32
	}{
		{nil, 0, 0},
		{[]uint32{0}, 1, 1},
		{[]uint32{0, 0, 2, 0, 2, 5}, 3, 3},
		{[]uint32{0, 1, 0, 1, 1, 5, 5}, 3, 3},
	} {
		if components, largest := count(c.component); components != c.components || largest != c.largest {
			t.Errorf("%v: %d components, the largest of %d, want %d and %d", c.component, components, largest, c.components, c.largest)
		}
	}
}
