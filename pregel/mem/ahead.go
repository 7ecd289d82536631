package mem

// farFrom is from how many bytes on a list is taken to be too large for caches: below it
// reading ahead took longer than it saved (PageRank on Kronecker 20, with 8 MB of offers:
// a tenth).
const farFrom = 16 << 20

// Far tells whether a list is too large for caches.
func Far[T any](list []T) bool { return len(list)*Size[T]() >= farFrom }

// ReadAhead asks for the cache lines of list[i], for all i of at, where the list is too
// large for caches. It changes nothing, and an index beyond the list does no harm. On
// processors that have no ahead_*.s it does nothing.
//
// A processor looks only some hundreds of instructions ahead for reads that miss its
// caches. Whoever uses a number waits for it; who asks for its line does not, so as many
// lines are under way as the processor can have: PageRank on Kronecker 22, with 34 MB of
// offers, takes 160 ms an iteration in place of 230.
func ReadAhead[T any](list []T, at []uint32) {
	if Far(list) {
		Prefetch(list, at)
	}
}

// nearTo is within how many bytes numbers lie in a near cache when others beside them have
// been read: half of the least second-level cache.
const nearTo = 1 << 18

// Near tells whether list[i] seem to lie near each other for all i of at, by a few of them:
// whoever reads them, and then those of other indices like these, finds most in near caches,
// and asking for their lines first (ReadAhead) only takes time. That was a fifth of PageRank on
// a grid of 2048² in float32. It is for indices that have been read: else looking at a few
// waits for each.
func Near[T any](list []T, at []uint32) bool {
	if !Far(list) || len(at) == 0 {
		return false
	}
	least, most := at[0], at[0]
	for i := range 8 {
		x := at[i*(len(at)-1)/7]
		least, most = min(least, x), max(most, x)
	}
	return uint64(most-least)*uint64(Size[T]()) < nearTo
}

// Prefetch is ReadAhead for lists of any size: for one who has enough to do until it reads
// them, so that even a line from a farther cache has come by then.
func Prefetch[T any](list []T, at []uint32) {
	if len(at) > 0 {
		readAhead(list, at)
	}
}

// PrefetchAt is Prefetch by indices that may be above 32 bits.
func PrefetchAt[T ~int32 | ~uint32 | ~float32](list []T, at []uint64) {
	if len(at) > 0 {
		prefetchAt(list, at)
	}
}

// PrefetchAll asks for all of a list: for one who reads lists in turn, a piece of each, so
// that the processor does not foresee where the next begins. It changes nothing.
func PrefetchAll[T any](list []T) {
	if len(list) > 0 {
		prefetchAll(list)
	}
}
