package pagerank

import "gopregel/pregel/parallel"

// widen sets wide[i] to narrow[i], which may lie at the start of the memory of wide: ranks of
// float32 and what they are gathered from take that much, so that an answer takes none of its own.
//
// Rank i goes from byte 4i to byte 8i. So of all that are left, the upper half of the pieces can
// be widened at once: they go where no rank stands that is yet to be read. The first piece goes
// over itself, and is read before.
func widen(wide []float64, narrow []float32, workers int) {
	for hi := (len(narrow) + piece - 1) / piece; hi > 1; hi = (hi + 1) / 2 {
		from, end := (hi+1)/2*piece, min(hi*piece, len(narrow))
		parallel.Range(workers, end-from, piece, func(_, lo, hi int) {
			for i, rank := range narrow[from+lo : from+hi] {
				wide[from+lo+i] = float64(rank)
			}
		})
	}
	for i := min(len(narrow), piece) - 1; i >= 0; i-- {
		wide[i] = float64(narrow[i])
	}
}
