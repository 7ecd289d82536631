package mem

import "math/bits"

// SeekRows looks in rows for the first number whose bit is set: for each bit i of run, in
// at[bounds[i]+from:bounds[i+1]]. hit are the rows that have one, found[i] then is that
// number. It tells whether it did: not on processors that have no seek_*.s, under the race
// detector, if a row does not lie within at, or if the bit of a number is beyond set; hit
// and found are then of no meaning.
//
// Whether a number's bit is set is what a processor foretells worst: here there is one
// branch on it for four numbers. The compiler's loop, a branch and a word kept on the
// stack for each, takes half as long again where rows are long. With AVX2 eight are looked at
// together behind the first four (BFS on uk-2007: 0.88 of the time).
func SeekRows(found *[64]uint32, set []uint64, at []uint32, bounds []uint64, from, run uint64) (hit uint64, done bool) {
	if bits.Len64(run) >= len(bounds) {
		return 0, false
	}
	return seekRows(found, set, at, bounds, from, run)
}
