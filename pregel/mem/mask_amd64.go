//go:build !race

package mem

import "unsafe"

func rows(bounds *[65]uint64) (some, several uint64, done bool) {
	if !vectors {
		return 0, 0, false
	}
	some, several = rows64(bounds)
	return some, several, true
}

func unlike[W uint32 | uint64](words []W, x W) (set uint64, done bool) {
	switch p := unsafe.Pointer(unsafe.SliceData(words)); {
	case !vectors:
		return 0, false
	case unsafe.Sizeof(x) == 4:
		return unlike4((*[64]uint32)(p), uint32(x)), true
	default:
		return unlike8((*[64]uint64)(p), uint64(x)), true
	}
}

//go:noescape
func rows64(bounds *[65]uint64) (some, several uint64)

//go:noescape
func unlike4(words *[64]uint32, x uint32) (set uint64)

//go:noescape
func unlike8(words *[64]uint64, x uint64) (set uint64)
