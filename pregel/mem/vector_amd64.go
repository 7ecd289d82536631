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

func affineEmpty[T float32 | float64](to, from []T, rows Offsets, base, factor float64, changes, empties *lanes) (done int) {
	if done = fours(len(from)); done == 0 {
		return 0
	}
	p, q := unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.SliceData(from))
	switch narrow, size := !rows.wide, Size[T](); {
	case narrow && size == 4:
		affineEmptyNarrow4(p, q, done, base, factor, changes, rows.pointer(), empties)
	case narrow:
		affineEmptyNarrow8(p, q, done, base, factor, changes, rows.pointer(), empties)
	case size == 4:
		affineEmptyWide4(p, q, done, base, factor, changes, rows.pointer(), empties)
	default:
		affineEmptyWide8(p, q, done, base, factor, changes, rows.pointer(), empties)
	}
	return done
}

func sumEmpty[T float32 | float64](list []T, rows Offsets, l *lanes) (done int) {
	if done = fours(len(list)); done == 0 {
		return 0
	}
	p := unsafe.Pointer(unsafe.SliceData(list))
	switch narrow, size := !rows.wide, Size[T](); {
	case narrow && size == 4:
		sumEmptyNarrow4(p, rows.pointer(), done, l)
	case narrow:
		sumEmptyNarrow8(p, rows.pointer(), done, l)
	case size == 4:
		sumEmptyWide4(p, rows.pointer(), done, l)
	default:
		sumEmptyWide8(p, rows.pointer(), done, l)
	}
	return done
}

func shares[T float32 | float64](to, from []T, rows Offsets) (done int) {
	done = fours(len(from))
	if Size[T]() == 4 {
		done &^= 7
	}
	if done == 0 {
		return 0
	}
	p, q := unsafe.Pointer(unsafe.SliceData(to)), unsafe.Pointer(unsafe.SliceData(from))
	switch narrow, size := !rows.wide, Size[T](); {
	case narrow && size == 4:
		return sharesNarrow4(p, q, rows.pointer(), done)
	case size == 4:
		return sharesWide4(p, q, rows.pointer(), done)
	case narrow:
		sharesNarrow8(p, q, rows.pointer(), done)
	default:
		sharesWide8(p, q, rows.pointer(), done)
	}
	return done
}

// someShares are 0 and 1/d.
//
//lint:ignore U1000 sharesNarrow8 and sharesWide8 read it
var someShares = func() (list [256]float64) {
	for d := 1; d < len(list); d++ {
		list[d] = 1 / float64(d)
	}
	return list
}()

// These are of numbers of 4 and of 8 bytes, with narrow and with wide bounds; n is a multiple of
// 4, of shares of 4 bytes of 8, and not 0.
//
//go:noescape
func affine4(to, from unsafe.Pointer, n int, base, factor float64, l *lanes)

//go:noescape
func affine8(to, from unsafe.Pointer, n int, base, factor float64, l *lanes)

//go:noescape
func affineEmptyNarrow4(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds unsafe.Pointer, empties *lanes)

//go:noescape
func sumEmptyNarrow4(list, bounds unsafe.Pointer, n int, l *lanes)

//go:noescape
func sharesNarrow4(to, from, bounds unsafe.Pointer, n int) (done int)

//go:noescape
func affineEmptyNarrow8(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds unsafe.Pointer, empties *lanes)

//go:noescape
func sumEmptyNarrow8(list, bounds unsafe.Pointer, n int, l *lanes)

//go:noescape
func sharesNarrow8(to, from, bounds unsafe.Pointer, n int)

//go:noescape
func affineEmptyWide4(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds unsafe.Pointer, empties *lanes)

//go:noescape
func sumEmptyWide4(list, bounds unsafe.Pointer, n int, l *lanes)

//go:noescape
func sharesWide4(to, from, bounds unsafe.Pointer, n int) (done int)

//go:noescape
func affineEmptyWide8(to, from unsafe.Pointer, n int, base, factor float64, changes *lanes, bounds unsafe.Pointer, empties *lanes)

//go:noescape
func sumEmptyWide8(list, bounds unsafe.Pointer, n int, l *lanes)

//go:noescape
func sharesWide8(to, from, bounds unsafe.Pointer, n int)
