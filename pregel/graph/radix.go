package graph

import "slices"

// radixFrom is the length from which sortBits counts instead of comparing.
const radixFrom = 128

// sortBits sorts list by bits lo to hi of its elements, or by all their bits.
// Long lists are sorted by counting, eight bits at a time, the least first.
// spare must be as long as the list.
//
// Cost: (hi-lo)/8 passes over the list, where comparing takes about log2 of
// its length.
func sortBits[T uint32 | uint64](list, spare []T, lo, hi int) {
	if slices.IsSorted(list) {
		return
	}
	if len(list) < radixFrom {
		slices.Sort(list)
		return
	}
	from, to := list, spare[:len(list)]
	for shift := lo; shift < hi; shift += 8 {
		var place [256]int
		for _, x := range from {
			place[uint8(x>>shift)]++
		}
		if place[uint8(from[0]>>shift)] == len(from) {
			continue // the digit is the same in all
		}
		sum := 0
		for d, count := range place {
			place[d] = sum
			sum += count
		}
		for _, x := range from {
			at := &place[uint8(x>>shift)]
			to[*at] = x
			*at++
		}
		from, to = to, from
	}
	if &from[0] != &list[0] {
		copy(list, from)
	}
}
