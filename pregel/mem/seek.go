package mem

import (
	"math"
	"math/bits"
)

// SeekRows looks in rows for the first number whose bit is set: for each bit i of run, in
// at[bounds[i]+from:bounds[i+1]]. hit are the rows that have one, found[i] then is that
// number; of others it is of no meaning. Rows ascend: of one that does not, a number may be
// passed by. It tells whether it did: not on processors that have no seek_*.s, under the race
// detector, if a row does not lie within at, or if it has looked at a number, of those rows or
// behind one, whose bit is beyond set; hit and found are then of no meaning.
//
// Whether a number's bit is set, and how long a row is, are what a processor foretells worst.
// With AVX2 the first four of all rows are looked at without a branch on either (BFS on
// soc-Epinions1, the supersteps that pull, by one worker: 0.85 of the time), without AVX2 there is
// one for four numbers. Of longer rows eight are looked at together behind those (BFS on
// uk-2007: 0.88 of the time); and up to sixteen are passed by without a look at each where the
// bits from the first to the last of them lie within 256 that are all zero, as in graphs whose
// vertices stand near their neighbours: there four arcs in five of a pull that finds little
// (0.955 of the time, in turn).
func SeekRows[B uint32 | uint64](found *[64]uint32, set []uint64, at []uint32, bounds []B, from, run uint64) (hit uint64, done bool) {
	if bits.Len64(run) >= len(bounds) {
		return 0, false
	}
	return seekRows(found, set, at, bounds, from, run)
}

// SeekFirst tells which of 64 rows, as for Rows, begin with a number whose bit is set: of those of
// run, at least. found[i] is the first number of row i, or any of at if it has none: its bit
// then is of no meaning. It tells whether it did: not on processors that have no seek_*.s, under the
// race detector, if at is empty, or if it has looked at a number whose bit is beyond set.
//
// Where run has 40 rows or more all are looked at, in a loop without a test. To look at those of run
// alone saves a line of memory for each other (BFS by two workers in one process in turn, uniform 20,
// where four in ten seek, 0.93 of the time, Kronecker 20 0.95).
func SeekFirst[B uint32 | uint64](found *[64]uint32, set []uint64, at []uint32, bounds *[65]B, run uint64) (hit uint64, done bool) {
	if bits.OnesCount64(run) >= 40 {
		run = math.MaxUint64
	}
	return seekFirst(found, set, at, bounds, run)
}
