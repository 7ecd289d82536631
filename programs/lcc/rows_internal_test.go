package lcc

import (
	"slices"
	"testing"

	"gopregel/pregel/mem"
)

// Offsets come back from the form that they are saved in, of either width.
func TestRows(t *testing.T) {
	for _, o := range []mem.Offsets{mem.NarrowOffsets([]uint32{0, 3, 1<<32 - 1}), mem.WideOffsets([]uint64{0, 3, 1 << 32})} {
		var r rows
		r.narrow, r.wide = o.Lists()
		if got := r.offsets(); got.Wide() != o.Wide() || !slices.Equal(got.All(), o.All()) {
			t.Errorf("offsets %v, wide %v, want %v, wide %v", got.All(), got.Wide(), o.All(), o.Wide())
		}
	}
}
