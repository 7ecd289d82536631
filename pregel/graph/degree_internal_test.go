package graph

import (
	"strings"
	"testing"
)

// A vertex with more arcs than a degree can count is refused by its id before there is memory for
// them.
func TestMaxDegree(t *testing.T) {
	t.Parallel()
	b := builder{ids: RangeIDs(5, 2), n: 2, counts: []uint32{0, 0, 7, 0}, carried: map[uint32]uint64{1: 1}}
	b.kind.Store(-1)
	err := b.place(t.Context(), ArcList{})
	if err == nil || !strings.Contains(err.Error(), "vertex 6 has 4294967296 arcs, at most 4294967295 fit") {
		t.Errorf("%v", err)
	}
}
