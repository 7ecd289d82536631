package mem

// SumLanes is from how many numbers on SumRows makes a sum of four lanes.
const SumLanes = 16

// SumRows sets sums[i] to the sum of list[k] for all k of row i of at, where
// the last of list is 0, and tells whether it did. It does not, and some of sums are then
// of no meaning, if numbers are no floats, on processors that have no sum_*.s, under the
// race detector, if fewer than four of at follow the last row, if a bound is above the
// last one, or if one of at is beyond the list.
//
// Numbers are added one after the other to 0; from SumLanes of them on to four zeros a, b,
// c and d by turns, but for the last one to four, which are added to (a+b)+(c+d).
//
// The compiler's loop takes five instructions a number, this one four, and it asks for what
// is read next: PageRank takes a tenth (grids, webs) to a third (graphs that fit no cache) less.
func SumRows[T any](sums, list []T, at []uint32, rows Offsets) bool {
	n := len(sums)
	if n == 0 || n >= rows.Len() || len(list) == 0 || len(at) < 4 {
		return false
	}
	begin, end := rows.At(0), rows.At(uint32(n)) // once: the file that they are mapped from may change
	if begin > end || end > uint64(len(at)-4) {
		return false
	}
	switch sums := any(sums).(type) {
	case []float32:
		return sumRows(sums, any(list).([]float32), at, rows, begin, end)
	case []float64:
		return sumRows(sums, any(list).([]float64), at, rows, begin, end)
	}
	return false
}
