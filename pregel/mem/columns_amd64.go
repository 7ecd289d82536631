//go:build !race

package mem

import "unsafe"

// byEight is how many of n numbers are done by eight.
func byEight(n int) int {
	if !vectors || n > 1<<32 { // counts have 32 bits
		return 0
	}
	return n &^ 7
}

func unzip(firsts, seconds, pairs []uint32, e *eights) (done int) {
	if done = byEight(len(firsts)); done > 0 {
		unzip8(unsafe.SliceData(firsts), unsafe.SliceData(seconds), unsafe.SliceData(pairs), done, e)
	}
	return done
}

func widen(to []int64, from []uint32, none int64, e *eights) (done int) {
	if done = byEight(len(from)); done > 0 {
		widen8(unsafe.SliceData(to), unsafe.SliceData(from), done, none, e)
	}
	return done
}

func extent(list []uint32, e *eights) (done int) {
	if done = byEight(len(list)); done > 0 {
		extent8(unsafe.SliceData(list), done, e)
	}
	return done
}

// In these n is a multiple of 8, and not 0.
//
//go:noescape
func unzip8(firsts, seconds, pairs *uint32, n int, e *eights)

//go:noescape
func widen8(to *int64, from *uint32, n int, none int64, e *eights)

//go:noescape
func extent8(list *uint32, n int, e *eights)
