//go:build !amd64 || race

package mem

func collect[T Word, W int32 | float32](_ *Offers[T], _ []T, _ []uint32, _ []W, _ T, _ []Row[T]) ([]Row[T], bool) {
	return nil, false
}

func own[T Word](_ []T, _ []uint32) {}

func prefetchRows[T Word, W int32 | float32](_ []uint32, _ []W, _ []Row[T]) {}
