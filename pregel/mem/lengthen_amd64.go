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
