//go:build !race

package mem

import "unsafe"

func lengthen(to []uint64, from []uint32) (done int) {
	if !vectors {
		return 0
	}
	if done = len(from) &^ 15; done > 0 {
		lengthen16(unsafe.SliceData(to), unsafe.SliceData(from), done)
	}
	return done
}

// lengthen16 is for n numbers, a multiple of 16, and not 0.
//
//go:noescape
func lengthen16(to *uint64, from *uint32, n int)

func differences[B uint32 | uint64](to []uint32, bounds []B) (done int) {
	if done = len(to) &^ 7; !vectors || done == 0 {
		return 0
	}
	if p := unsafe.Pointer(unsafe.SliceData(bounds)); unsafe.Sizeof(bounds[0]) == 4 {
		differences4(unsafe.SliceData(to), (*uint32)(p), done)
	} else {
		differences8(unsafe.SliceData(to), (*uint64)(p), done)
	}
	return done
}

// These are for n rows, a multiple of 8, and not 0.
//
//go:noescape
func differences4(to, from *uint32, n int)

//go:noescape
func differences8(to *uint32, from *uint64, n int)
