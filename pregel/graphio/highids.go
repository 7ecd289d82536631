package graphio

import (
	"math/bits"
	"slices"
)

// highIDs finds ids in a sorted list. The span of the list is cut into about
// as many equal stretches as there are ids; start tells where the ids of each
// begin. Ids that are spread evenly, as hashes are, cost one or two probes;
// others a binary search within their stretch. Four bytes an id.
type highIDs struct {
	ids   []uint64
	start []uint32
	shift uint
}

func newHighIDs(ids []uint64) highIDs {
	h := highIDs{ids: ids}
	if len(ids) == 0 {
		return h
	}
	span := ids[len(ids)-1] - ids[0]
	h.shift = uint(max(0, bits.Len64(span)-bits.Len(uint(len(ids)))))
	h.start = make([]uint32, span>>h.shift+2)
	for i, id := range ids {
		h.start[(id-ids[0])>>h.shift+1] = uint32(i + 1)
	}
	for i := 1; i < len(h.start); i++ {
		h.start[i] = max(h.start[i], h.start[i-1])
	}
	return h
}

// find returns the place of an id in the list.
func (h *highIDs) find(id uint64) (uint32, bool) {
	if len(h.ids) == 0 || id < h.ids[0] || id > h.ids[len(h.ids)-1] {
		return 0, false
	}
	stretch := (id - h.ids[0]) >> h.shift
	lo, hi := h.start[stretch], h.start[stretch+1]
	at, ok := slices.BinarySearch(h.ids[lo:hi], id)
	return lo + uint32(at), ok
}
