package mem

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
