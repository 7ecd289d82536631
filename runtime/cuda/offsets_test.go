package cuda

import "testing"

// Offsets of 32 bits leave room for what kernels add to them: the steps of a block
// through a list, and the pieces of hubs.
func TestOffsetsDoNotWrapAround(t *testing.T) {
	most := uint64(1) << 31
	for step := most; step > 0; step /= 2 {
		if !wideOffsets(most + step) {
			most += step
		}
	}
	if most+1<<16 > 1<<32-1 || most < 1<<32-1<<17 {
		t.Errorf("up to %d arcs have offsets of 32 bits", most)
	}
	for arcs, each := range map[uint64]uint64{most: 4, most + 1: 8, 1 << 40: 8} {
		s := Shape{Vertices: 1 << 20, Arcs: arcs}
		if got := s.csr().offsets; got != each*(s.Vertices+1) {
			t.Errorf("%d arcs: %d bytes of offsets are planned; want %d", arcs, got, each*(s.Vertices+1))
		}
	}
}
