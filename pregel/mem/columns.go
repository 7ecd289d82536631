package mem

import "math"

// Loops that make columns of an answer of what a run has in another form, eight numbers at
// once where vector_*.s's processors do. In each 2^32-1 stands for a number that is not
// known, and each tells how many are known, and the greatest of those: 0 if none is. Where
// a search is over in a millisecond, these passes over all vertices are a quarter of it.

// Unzip sets firsts[i] and seconds[i] to pairs[2i] and pairs[2i+1], and tells of firsts. Seconds
// may be the first half of pairs.
func Unzip(firsts, seconds, pairs []uint32) (known int, most uint32) {
	n := len(firsts)
	seconds, pairs = seconds[:n], pairs[:2*n]
	var e eights
	done := unzip(firsts, seconds, pairs, &e)
	for i := done; i < n; i++ {
		firsts[i], seconds[i] = pairs[2*i], pairs[2*i+1]
	}
	return e.extent(firsts, done)
}

// Widen sets to[i] to from[i], to none where that is not known, and tells of from.
func Widen(to []int64, from []uint32, none int64) (known int, most uint32) {
	to = to[:len(from)]
	var e eights
	done := widen(to, from, none, &e)
	for i, x := range from[done:] {
		to[done+i] = int64(x)
		if x == math.MaxUint32 {
			to[done+i] = none
		}
	}
	return e.extent(from, done)
}

// Split sets to[i] to the upper half of from[i], to none where that is not known, and
// lows[i] to the lower half, and tells of the upper ones. to and from may be the same memory.
func Split(to []int64, lows []uint32, from []uint64, none int64) (known int, most uint32) {
	to, lows = to[:len(from)], lows[:len(from)]
	var e eights
	done := split(to, lows, from, none, &e)
	known, most = e.extent(nil, 0)
	known += done
	for i, x := range from[done:] {
		high := uint32(x >> 32)
		to[done+i], lows[done+i] = int64(high), uint32(x)
		if high == math.MaxUint32 {
			to[done+i] = none
			continue
		}
		known, most = known+1, max(most, high)
	}
	return known, most
}

// Extent tells of a list.
func Extent(list []uint32) (known int, most uint32) {
	var e eights
	return e.extent(list, extent(list, &e))
}

// eights are of every eighth number each: how many are not known, and the greatest, plus
// one, modulo 2^32.
type eights struct{ unknown, above [8]uint32 }

// extent is that of a list, of which e has what was found of so many.
func (e *eights) extent(list []uint32, done int) (known int, most uint32) {
	unknown, above := 0, uint32(0)
	for i := range e.unknown {
		unknown += int(e.unknown[i])
		above = max(above, e.above[i])
	}
	for _, x := range list[done:] {
		none := 0 // no branch: who is known is hard to foretell
		if x == math.MaxUint32 {
			none = 1
		}
		unknown += none
		above = max(above, x+1)
	}
	return len(list) - unknown, max(above, 1) - 1
}

// Fill sets all of a list to x.
func Fill[T any](list []T, x T) {
	list = list[fill(list, x):]
	first := list[:min(len(list), fillFirst)]
	for i := range first {
		first[i] = x
	}
	for rest := list[len(first):]; len(rest) > 0; {
		rest = rest[copy(rest, first):]
	}
}

const (
	// fillFirst numbers are set one by one, and then copied: they stay in the nearest cache.
	fillFirst = 512
	// So many bytes and more, of four or eight each, are stored by one instruction, which
	// knows that lines are written whole and need not be read: that takes 0.7 of the time of
	// copying where the list lies in the last cache.
	fillFrom = 1 << 12
)
