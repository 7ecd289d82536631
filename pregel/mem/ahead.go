package mem

// farFrom is from how many bytes on a list is taken to be too large for caches.
const farFrom = 16 << 20

// Far tells whether a list is too large for caches.
func Far[T any](list []T) bool { return len(list)*Size[T]() >= farFrom }

// Prefetch asks for the cache lines of list[i], for all i of at: for one who has enough to do
// until it reads them, or whose reads wait for each other. It changes nothing, and an index
// beyond the list does no harm. On processors that have no ahead_*.s it does nothing.
//
// A processor looks only some hundreds of instructions ahead for reads that miss its caches.
// Whoever uses a number waits for it; who asks for its line does not, so as many lines are
// under way as the processor can have.
func Prefetch[T any](list []T, at []uint32) {
	if len(at) > 0 {
		prefetch(list, at)
	}
}

// Prefetches tells whether Prefetch does anything for lists of numbers like these.
func Prefetches[T any]() bool { return canPrefetch && (Size[T]() == 4 || Size[T]() == 8) }

// PrefetchAt is Prefetch by indices that may be above 32 bits.
func PrefetchAt[T ~int32 | ~uint32 | ~float32](list []T, at []uint64) {
	if len(at) > 0 {
		prefetchAt(list, at)
	}
}

// PrefetchFirst asks for the first number of each of the rows run, as for Rows: for who then looks for
// one in them (SeekFirst, SeekRows). It changes nothing, and a row beyond the list does no harm. On processors
// that have no ahead_*.s it does nothing.
func PrefetchFirst[B uint32 | uint64](at []uint32, bounds *[65]B, run uint64) {
	if run != 0 {
		prefetchFirst(at, bounds, run)
	}
}

// PrefetchAll asks for all of a list: for one who reads lists in turn, a piece of each, so
// that the processor does not foresee where the next begins. It changes nothing.
func PrefetchAll[T any](list []T) {
	if len(list) > 0 {
		prefetchAll(list)
	}
}
