//go:build !race

package mem

import "unsafe"

func rows[B uint32 | uint64](bounds *[65]B) (some, several uint64, done bool) {
	switch p := unsafe.Pointer(bounds); {
	case !vectors:
		return 0, 0, false
	case unsafe.Sizeof(bounds[0]) == 4:
		some, several = narrowRows64((*[65]uint32)(p))
	default:
		some, several = rows64((*[65]uint64)(p))
	}
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
func narrowRows64(bounds *[65]uint32) (some, several uint64)

//go:noescape
func rows64(bounds *[65]uint64) (some, several uint64)

//go:noescape
func unlike4(words *[64]uint32, x uint32) (set uint64)

//go:noescape
func unlike8(words *[64]uint64, x uint64) (set uint64)
