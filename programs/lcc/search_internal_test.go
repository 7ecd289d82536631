package lcc

import (
	"slices"
	"testing"
)

// Both searches find the same: with all marked, some and none, and a list that goes on
// beyond the marks.
func TestSearchesAgree(t *testing.T) {
	list := []uint32{0, 2, 3, 7, 8, 12}
	for every := range 4 {
		marks := make([]uint8, 9)
		for w := range marks {
			if every > 0 && w%every == 0 {
				marks[w] = 1
			}
		}
		all, few := make([]uint64, 13), make([]uint64, 13)
		for end := range len(list) + 1 {
			found, looked := closeAll(list[:end], marks, all)
			f, l := closeFew(list[:end], marks, few)
			if found != f || looked != l || !slices.Equal(all, few) {
				t.Fatalf("every %d, %d: %d of %d, and %d of %d: %v, %v", every, end, found, looked, f, l, all, few)
			}
		}
	}
}

// What was marked of late says which search is next.
func TestSearchFollows(t *testing.T) {
	s := &slot{}
	few := func() bool {
		total := make([]uint64, 1)
		s.search()([]uint32{0}, []uint8{2}, total) // a mark that only closeAll adds as it is
		return total[0] == 1
	}
	for _, found := range []uint64{recent, 0, recent / 4, recent / 64, recent} {
		for range 10 {
			s.note(found, 2*recent)
		}
		if want := found < recent/8; few() != want {
			t.Fatalf("after %d of %d: few is %v", found, 2*recent, !want)
		}
	}
}
