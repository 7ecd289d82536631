//go:build !race

package mem

import "unsafe"

func sumRows[T float32 | float64](sums, list []T, at []uint32, rows Offsets, begin, end uint64) bool {
	to, from, last := unsafe.Pointer(unsafe.SliceData(sums)), unsafe.Pointer(unsafe.SliceData(list)), len(list)-1
	switch narrow, size := !rows.wide, Size[T](); {
	case narrow && size == 4:
		return sumRowsNarrow4(to, from, unsafe.SliceData(at), rows.pointer(), len(sums), last, begin, end)
	case narrow:
		return sumRowsNarrow8(to, from, unsafe.SliceData(at), rows.pointer(), len(sums), last, begin, end)
	case size == 4:
		return sumRowsWide4(to, from, unsafe.SliceData(at), rows.pointer(), len(sums), last, begin, end)
	}
	return sumRowsWide8(to, from, unsafe.SliceData(at), rows.pointer(), len(sums), last, begin, end)
}

// These are sumRows of numbers of 4 and of 8 bytes, with narrow and with wide bounds; none is
// the last index of list, and begin and end are the first and the last of bounds.
//
//go:noescape
func sumRowsNarrow4(sums, list unsafe.Pointer, at *uint32, bounds unsafe.Pointer, rows, none int, begin, end uint64) bool

//go:noescape
func sumRowsNarrow8(sums, list unsafe.Pointer, at *uint32, bounds unsafe.Pointer, rows, none int, begin, end uint64) bool

//go:noescape
func sumRowsWide4(sums, list unsafe.Pointer, at *uint32, bounds unsafe.Pointer, rows, none int, begin, end uint64) bool

//go:noescape
func sumRowsWide8(sums, list unsafe.Pointer, at *uint32, bounds unsafe.Pointer, rows, none int, begin, end uint64) bool
