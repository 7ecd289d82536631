//go:build !amd64

package mem

const canPrefetch = false

func prefetch[T any]([]T, []uint32) {}

// prefetchAt reads the numbers: at least those reads are under way together.
//
//go:noinline
func prefetchAt[T ~int32 | ~uint32 | ~float32](list []T, at []uint64) (sum T) {
	for _, i := range at {
		if i < uint64(len(list)) {
			sum += list[i]
		}
	}
	return sum
}

func prefetchFirst[B uint32 | uint64]([]uint32, *[65]B, uint64) {}

func prefetchAll[T any]([]T) {}
