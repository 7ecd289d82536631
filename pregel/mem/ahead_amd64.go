package mem

import "unsafe"

const canPrefetch = true

func prefetch[T any](list []T, at []uint32) {
	base := unsafe.Pointer(unsafe.SliceData(list))
	switch Size[T]() {
	case 4:
		prefetch4(base, unsafe.SliceData(at), len(at))
	case 8:
		prefetch8(base, unsafe.SliceData(at), len(at))
	}
}

// prefetch4 and prefetch8 ask for numbers of 4 or 8 bytes.
//
//go:noescape
func prefetch4(list unsafe.Pointer, at *uint32, n int)

//go:noescape
func prefetch8(list unsafe.Pointer, at *uint32, n int)

func prefetchAt[T ~int32 | ~uint32 | ~float32](list []T, at []uint64) {
	prefetchAt4(unsafe.Pointer(unsafe.SliceData(list)), unsafe.SliceData(at), len(at))
}

//go:noescape
func prefetchAt4(list unsafe.Pointer, at *uint64, n int)

func prefetchFirst[B uint32 | uint64](at []uint32, bounds *[65]B, run uint64) {
	base, from := unsafe.Pointer(unsafe.SliceData(at)), unsafe.Pointer(bounds)
	if unsafe.Sizeof(bounds[0]) == 4 {
		prefetchFirstNarrow(base, from, run)
	} else {
		prefetchFirstWide(base, from, run)
	}
}

// prefetchFirstNarrow and prefetchFirstWide ask for those of run, which is not 0.
//
//go:noescape
func prefetchFirstNarrow(at, bounds unsafe.Pointer, run uint64)

//go:noescape
func prefetchFirstWide(at, bounds unsafe.Pointer, run uint64)

func prefetchAll[T any](list []T) {
	prefetchLines(unsafe.Pointer(unsafe.SliceData(list)), len(list)*Size[T]())
}

// prefetchLines asks for the lines of so many bytes, of one at least.
//
//go:noescape
func prefetchLines(list unsafe.Pointer, bytes int)
