//go:build !race

package mem

import "unsafe"

var hasVectors = hasAVX2()

// hasAVX2 asks the processor, and whether the system keeps its wide registers.
func hasAVX2() bool

// fours is how many of n numbers are done by four.
func fours(n int) int {
	if !vectors {
		return 0
	}
	return n &^ 3
}

func affine[T float32 | float64](to, from []T, base, factor float64, l *lanes) (done int) {
	if done = fours(len(from)); done == 0 {
		return 0
	}
	p, q := unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.SliceData(from))
	if Size[T]() == 4 {
		affine4(p, q, done, base, factor, l)
	} else {
		affine8(p, q, done, base, factor, l)
	}
	return done
}

func affineEmpty[T float32 | float64](to, from []T, bounds []uint64, base, factor float64, changes, empties *lanes) (done int) {
	if done = fours(len(from)); done == 0 {
		return 0
	}
	p, q := unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.SliceData(from))
	if Size[T]() == 4 {
		affineEmpty4(p, q, done, base, factor, changes, unsafe.SliceData(bounds), empties)
	} else {
		affineEmpty8(p, q, done, base, factor, changes, unsafe.SliceData(bounds), empties)
	}
	return done
}

func sumEmpty[T float32 | float64](list []T, bounds []uint64, l *lanes) (done int) {
	if done = fours(len(list)); done == 0 {
		return 0
	}
	p := unsafe.Pointer(unsafe.SliceData(list))
	if Size[T]() == 4 {
		sumEmpty4(p, unsafe.SliceData(bounds), done, l)
	} else {
		sumEmpty8(p, unsafe.SliceData(bounds), done, l)
	}
	return done
}

func shares[T float32 | float64](to, from []T, bounds []uint64) (done int) {
	done = fours(len(from))
	if Size[T]() == 4 {
		done &^= 7
	}
	if done == 0 {
		return 0
	}
	p, q := unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.SliceData(from))
	if Size[T]() == 4 {
		return shares4(p, q, unsafe.SliceData(bounds), done)
	}
	shares8(p, q, unsafe.SliceData(bounds), done)
	return done
}

// someShares are 0 and 1/d.
//
//lint:ignore U1000 shares8 reads it
var someShares = func() (list [256]float64) {
	for d := 1; d < len(list); d++ {
		list[d] = 1 / float64(d)
	}
	return list
}()

// These are of numbers of 4 and of 8 bytes; n is a multiple of 4, of shares4 of 8, and not
// 0.
//
//go:noescape
func affine4(to, from unsafe.Pointer, n int, base, factor float64, l *lanes)

//go:noescape
func affine8(to, from unsafe.Pointer, n int, base, factor float64, l *lanes)

//go:noescape
func affineEmpty4(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds *uint64, empties *lanes)

//go:noescape
func affineEmpty8(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds *uint64, empties *lanes)

//go:noescape
func sumEmpty4(list unsafe.Pointer, bounds *uint64, n int, l *lanes)

//go:noescape
func sumEmpty8(list unsafe.Pointer, bounds *uint64, n int, l *lanes)

//go:noescape
func shares4(to, from unsafe.Pointer, bounds *uint64, n int) (done int)

//go:noescape
func shares8(to, from unsafe.Pointer, bounds *uint64, n int)
