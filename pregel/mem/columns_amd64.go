//go:build !race

package mem

import (
	"reflect"
	"unsafe"
)

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

func split(to []int64, lows []uint32, from []uint64, none int64, e *eights) (done int) {
	if done = byEight(len(from)); done > 0 {
		split8(unsafe.SliceData(to), unsafe.SliceData(lows), unsafe.SliceData(from), done, none, e)
	}
	return done
}

func extent(list []uint32, e *eights) (done int) {
	if done = byEight(len(list)); done > 0 {
		extent8(unsafe.SliceData(list), done, e)
	}
	return done
}

// fill sets numbers of a list to x, from the first on, and tells how many.
func fill[T any](list []T, x T) (done int) {
	size, p := Size[T](), unsafe.Pointer(unsafe.SliceData(list))
	if len(list)*size < fillFrom || size != 4 && size != 8 || uintptr(p)%8 != 0 || !Pointerless(reflect.TypeFor[T]()) {
		return 0
	}
	var pair uint64
	if size == 4 {
		pair = uint64(*(*uint32)(unsafe.Pointer(&x)))
		pair |= pair << 32
	} else {
		pair = *(*uint64)(unsafe.Pointer(&x))
	}
	words := unsafe.Slice((*uint64)(p), len(list)*size/8)
	for rest := words; len(rest) > 0; {
		piece := rest[:min(len(rest), fillPiece)]
		storeWords(unsafe.SliceData(piece), len(piece), pair)
		rest = rest[len(piece):]
	}
	return len(words) * 8 / size
}

// fillPiece words are stored at a time: the garbage collector waits until that is done.
const fillPiece = 1 << 15

//go:noescape
func storeWords(p *uint64, n int, x uint64)

// In these n is a multiple of 8, and not 0.
//
//go:noescape
func unzip8(firsts, seconds, pairs *uint32, n int, e *eights)

//go:noescape
func widen8(to *int64, from *uint32, n int, none int64, e *eights)

//go:noescape
func split8(to *int64, lows *uint32, from *uint64, n int, none int64, e *eights)

//go:noescape
func extent8(list *uint32, n int, e *eights)
