package mem

import "math/bits"

// SeekRows looks in rows for the first number whose bit is set: for each bit i of run, in
// at[bounds[i]+from:bounds[i+1]]. hit are the rows that have one, found[i] then is that
// number. Rows ascend: of one that does not, a number may be passed by. It tells whether it
// did: not on processors that have no seek_*.s, under the race detector, if a row does not lie
// within at, or if it has looked at a number whose bit is beyond set; hit and found are then
// of no meaning.
//
// Whether a number's bit is set is what a processor foretells worst: here there is one
// branch on it for four numbers. The compiler's loop, a branch and a word kept on the
// stack for each, takes half as long again where rows are long. With AVX2 eight are looked at
// together behind the first four (BFS on uk-2007: 0.88 of the time); and up to sixteen are
// passed by without a look at each where the bits from the first to the last of them lie
// within 256 that are all zero, as in graphs whose vertices stand near their neighbours: there
// four arcs in five of a pull that finds little (0.955 of the time, in turn).
func SeekRows(found *[64]uint32, set []uint64, at []uint32, bounds []uint64, from, run uint64) (hit uint64, done bool) {
	if bits.Len64(run) >= len(bounds) {
		return 0, false
	}
	return seekRows(found, set, at, bounds, from, run)
}
