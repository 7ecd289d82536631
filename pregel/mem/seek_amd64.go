//go:build !race

package mem

import (
	"math/bits"
	"unsafe"
)

func seekRows[B uint32 | uint64](found *[64]uint32, set []uint64, at []uint32, bounds []B, from, run uint64) (hit uint64, done bool) {
	vector := uint64(0)
	if vectors && len(set) > 0 && len(set) <= 1<<26 { // numbers of words of 32 bits have no sign
		vector = 1
	}
	p := unsafe.Pointer(unsafe.SliceData(bounds))
	if unsafe.Sizeof(bounds[0]) == 4 {
		return seekRowsNarrow(found, set, at, (*uint32)(p), from, run, vector, firstOfFour)
	}
	return seekRowsWide(found, set, at, (*uint64)(p), from, run, vector, firstOfFour)
}

//go:noescape
func seekRowsWide(found *[64]uint32, set []uint64, at []uint32, bounds *uint64, from, run, vector uint64, table *fourths) (hit uint64, done bool)

//go:noescape
func seekRowsNarrow(found *[64]uint32, set []uint64, at []uint32, bounds *uint32, from, run, vector uint64, table *fourths) (hit uint64, done bool)

// fourths tells of the first numbers of a row, by how many it has, five for any more than
// four, times 16, and the bits of four, that of the first as 8: 1 if one of them is set, 1<<32 if
// none is and the row has others to look at; and which is the first.
type fourths struct {
	is [96]uint64
	at [96]uint8
}

var firstOfFour = newFourths()

func newFourths() *fourths {
	t := new(fourths)
	for i := range t.is {
		n, set := i/16, i%16
		if n < 4 {
			set &= 0xf0 >> n
		}
		switch {
		case set != 0:
			t.is[i], t.at[i] = 1, uint8(bits.LeadingZeros8(uint8(set<<4)))
		case n > 4:
			t.is[i] = 1 << 32
		}
	}
	return t
}

func seekFirst[B uint32 | uint64](found *[64]uint32, set []uint64, at []uint32, bounds *[65]B, run uint64) (hit uint64, done bool) {
	p := unsafe.Pointer(bounds)
	if unsafe.Sizeof(bounds[0]) == 4 {
		return seekFirstNarrow(found, set, at, (*[65]uint32)(p), run)
	}
	return seekFirstWide(found, set, at, (*[65]uint64)(p), run)
}

//go:noescape
func seekFirstWide(found *[64]uint32, set []uint64, at []uint32, bounds *[65]uint64, run uint64) (hit uint64, done bool)

//go:noescape
func seekFirstNarrow(found *[64]uint32, set []uint64, at []uint32, bounds *[65]uint32, run uint64) (hit uint64, done bool)
