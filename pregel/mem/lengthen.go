package mem

// This file goes from numbers of one kind to those of another, many at a time.

// Lengthen makes numbers of eight bytes of those of four, at the beginning of to, and
// returns them. It asks for what follows in from, as who goes through a list so, a block at a
// time, spends most of it on something else.
func Lengthen(to []uint64, from []uint32) []uint64 {
	to = to[:len(from)]
	for i := lengthen(to, from); i < len(from); i++ {
		to[i] = uint64(from[i])
	}
	return to
}

// Differences stores in to how much each of bounds but the first is above the one before, modulo
// 2^32, and returns that: the lengths of rows.
func Differences[B uint32 | uint64](to []uint32, bounds []B) []uint32 {
	to = to[:len(bounds)-1]
	for i := differences(to, bounds); i < len(to); i++ {
		to[i] = uint32(bounds[i+1] - bounds[i])
	}
	return to
}
