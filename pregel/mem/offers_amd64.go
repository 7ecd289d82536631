//go:build !race

package mem

import (
	"math/bits"
	"unsafe"
)

// An offering is what collect4 and collect8 are told, and tell.
type offering struct {
	list    unsafe.Pointer
	last    uint64 // index of list
	at      *uint32
	arcs    uint64
	weights *int32
	rows    unsafe.Pointer
	count   uint64 // of rows
	to      *uint32
	sums    unsafe.Pointer
	full    uint64 // found: no room for a turn
	found   uint64
	shift   uint64
	row     uint64 // bytes of rows done
	from    uint64 // of the first that is not
	heads   *[256]uint64
	ok      bool // no row and none of at is beyond its list
}

// collect is Collect on a list that signed indices reach, and tells whether it
// was done; else nothing is.
func collect[T Word, W int32 | float32](o *Offers[T], list []T, at []uint32, weights []W, unit T, rows []Row[T]) (left []Row[T], done bool) {
	loop := loopFor[T, W](unit)
	if loop == noLoop || !vectors || len(weights) != len(at) || len(list) == 0 || len(list) > 1<<31 || len(rows) == 0 {
		return rows, false
	}
	s := offering{
		list: unsafe.Pointer(unsafe.SliceData(list)), last: uint64(len(list) - 1),
		at: unsafe.SliceData(at), arcs: uint64(len(at)), weights: (*int32)(unsafe.Pointer(unsafe.SliceData(weights))),
		rows: unsafe.Pointer(unsafe.SliceData(rows)), count: uint64(len(rows)),
		to: &o.At[0], sums: unsafe.Pointer(&o.Sums[0]), full: offersRoom - offersTurn, found: uint64(o.Found),
		shift: uint64(bits.TrailingZeros64(uint64(unit))),
	}
	s.run(loop)
	if !s.ok {
		return rows, false
	}
	o.Found = int(s.found)
	if left = rows[s.row/uint64(unsafe.Sizeof(rows[0])):]; len(left) > 0 {
		left[0].From = s.from
	}
	return left, true
}

// gathers tells whether a processor's own gather takes less than reads one by one. Those of
// AMD take forty steps for eight numbers, in which nothing else is begun.
var gathers = !byAMD()

// byAMD asks the processor who has made it.
func byAMD() bool

// offeringLoop says which loop is for numbers and weights of two types.
type offeringLoop uint8

const (
	noLoop offeringLoop = iota
	offers4
	offers8
	lengths
	longLengths // weights are floats, too
)

func loopFor[T Word, W int32 | float32](unit T) offeringLoop {
	wholeT, wholeW := T(1)/2 == 0, W(1)/2 == 0
	switch {
	case wholeT && wholeW && Size[T]() == 4:
		return offers4
	case wholeT && wholeW:
		return offers8
	case wholeT || Size[T]() == 4 || unit != 1:
		return noLoop
	case wholeW:
		return lengths
	}
	return longLengths
}

// run has a loop done. Where a weight counts in upper halves, eight of those are looked at in
// a turn, as long as they decide.
func (s *offering) run(loop offeringLoop) {
	s.heads = &heads8
	switch {
	case loop == lengths:
		lengthsInt(s)
	case loop == longLengths:
		lengthsFloat(s)
	case loop == offers8 && (gathers || s.shift != 32):
		collect8(s)
	case loop == offers8:
		s.heads = &heads4
		pick8(s)
	case gathers:
		s.heads = &heads4
		collect4(s)
	default:
		s.heads = &heads4
		pick4(s)
	}
}

// heads has, of a turn's numbers, in each byte where one is that a mask has, in turn: of
// numbers of 4 bytes, and of the halves of four of 8.
var heads4, heads8 = heads(8, 1), heads(4, 2)

func heads(numbers, parts int) (list [256]uint64) {
	for mask := range 1 << numbers {
		at := 0
		for i := range numbers * parts {
			if mask>>(i/parts)&1 != 0 {
				list[mask] |= uint64(i) << at
				at += 8
			}
		}
	}
	return list
}

// collect4 and collect8 are of numbers of 4 and of 8 bytes.
//
//go:noescape
func collect4(s *offering)

//go:noescape
func collect8(s *offering)

// pick4 and pick8 are the same without gathers; pick8 is for a shift of 32.
//
//go:noescape
func pick4(s *offering)

//go:noescape
func pick8(s *offering)

// lengthsInt and lengthsFloat are of float64, with weights of both types.
//
//go:noescape
func lengthsInt(s *offering)

//go:noescape
func lengthsFloat(s *offering)

// own asks for the lines of numbers that are to be written.
func own[T Word](list []T, at []uint32) {
	if p := unsafe.Pointer(unsafe.SliceData(list)); Size[T]() == 4 {
		own4(p, unsafe.SliceData(at), len(at))
	} else {
		own8(p, unsafe.SliceData(at), len(at))
	}
}

//go:noescape
func own4(list unsafe.Pointer, at *uint32, n int)

//go:noescape
func own8(list unsafe.Pointer, at *uint32, n int)

func prefetchRows[T Word, W int32 | float32](at []uint32, weights []W, rows []Row[T]) {
	p := unsafe.Pointer(unsafe.SliceData(at))
	q := unsafe.Pointer(unsafe.SliceData(weights))
	if q == nil {
		q = p
	}
	prefetchArcs(p, q, unsafe.Pointer(unsafe.SliceData(rows)), len(rows))
}

//go:noescape
func prefetchArcs(at, weights, rows unsafe.Pointer, n int)
