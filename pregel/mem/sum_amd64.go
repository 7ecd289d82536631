//go:build !race

package mem

import "unsafe"

func sumRows[T float32 | float64](sums, list []T, at []uint32, bounds []uint64, begin, end uint64) bool {
	to, from := unsafe.Pointer(unsafe.SliceData(sums)), unsafe.Pointer(unsafe.SliceData(list))
	if Size[T]() == 4 {
		return sumRows4(to, from, unsafe.SliceData(at), unsafe.SliceData(bounds), len(sums), len(list)-1, begin, end)
	}
	return sumRows8(to, from, unsafe.SliceData(at), unsafe.SliceData(bounds), len(sums), len(list)-1, begin, end)
}

// sumRows4 and sumRows8 are sumRows of numbers of 4 and of 8 bytes; none is the last
// index of list, and begin and end are the first and the last of bounds.
//
//go:noescape
func sumRows4(sums, list unsafe.Pointer, at *uint32, bounds *uint64, rows, none int, begin, end uint64) bool

//go:noescape
func sumRows8(sums, list unsafe.Pointer, at *uint32, bounds *uint64, rows, none int, begin, end uint64) bool
