package mem

import (
	"math/bits"
	"sync/atomic"
	"unsafe"
)

// Offsets are where rows of numbers begin, and behind them where the last one ends: ascending
// numbers, one more than rows. They are narrow where four bytes do for a number, as that is
// half of the memory, and of what a loop over rows reads beside them; else wide.
//
// A value of four words is what the compiler holds in registers: with a slice for each
// width it was copied for every row.
type Offsets struct {
	numbers []uint32 // a wide one is two of them
	wide    bool
}

// NarrowOffsets are those of a list, which is not copied.
func NarrowOffsets(list []uint32) Offsets { return Offsets{numbers: list} }

// WideOffsets are those of a list, which is not copied.
func WideOffsets(list []uint64) Offsets {
	return Offsets{unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(list))), 2*len(list)), true}
}

// Wide tells whether a number takes eight bytes.
func (o Offsets) Wide() bool { return o.wide }

// Width is how many bytes a number takes.
func (o Offsets) Width() uint64 {
	if o.wide {
		return 8
	}
	return 4
}

// Len is how many numbers there are.
func (o Offsets) Len() int {
	if o.wide {
		return len(o.numbers) / 2
	}
	return len(o.numbers)
}

// Bytes is what they take.
func (o Offsets) Bytes() uint64 { return 4 * uint64(len(o.numbers)) }

// Lists returns the list that they are: of the other width there is none.
func (o Offsets) Lists() (narrow []uint32, wide []uint64) {
	if o.wide {
		return nil, unsafe.Slice((*uint64)(o.pointer()), o.Len())
	}
	return o.numbers, nil
}

func (o Offsets) pointer() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(o.numbers)) }

// wideAt is a wide one by its place in numbers.
func (o Offsets) wideAt(i uint64) *uint64 {
	_ = o.numbers[i+1]
	return (*uint64)(unsafe.Pointer(&o.numbers[i]))
}

// At is where row v begins, or where the last one ends.
func (o Offsets) At(v uint32) uint64 {
	if o.wide {
		return *o.wideAt(2 * uint64(v))
	}
	return uint64(o.numbers[v])
}

// Row is where row v begins and ends.
func (o Offsets) Row(v uint32) (begin, end uint64) {
	if o.wide {
		return *o.wideAt(2 * uint64(v)), *o.wideAt(2*uint64(v) + 2)
	}
	return uint64(o.numbers[v]), uint64(o.numbers[uint64(v)+1])
}

// Degree is how many arcs are in row v.
func (o Offsets) Degree(v uint32) uint64 {
	begin, end := o.Row(v)
	return end - begin
}

// Between is how many are in the rows from lo to hi.
func (o Offsets) Between(lo, hi uint32) uint64 { return o.At(hi) - o.At(lo) }

// Of is how many are in those of the first 64 rows that are in set.
func (o Offsets) Of(set uint64) (sum uint64) {
	switch narrow, wide := o.Lists(); {
	case len(wide) > 64:
		return ofBlock((*[65]uint64)(wide), set)
	case len(narrow) > 64:
		return ofBlock((*[65]uint32)(narrow), set)
	}
	for ; set != 0; set &= set - 1 {
		sum += o.Degree(uint32(bits.TrailingZeros64(set)))
	}
	return sum
}

func ofBlock[B uint32 | uint64](bounds *[65]B, set uint64) (sum uint64) {
	for ; set != 0; set &= set - 1 {
		k := bits.TrailingZeros64(set) % 64
		sum += uint64(bounds[k+1] - bounds[k])
	}
	return sum
}

// Among is Of for any set of as many rows as there are, up to 64.
func (o Offsets) Among(set uint64) uint64 {
	if rows := o.Len() - 1; set == ^uint64(0)>>(64-rows) {
		return o.Between(0, uint32(rows))
	}
	return o.Of(set)
}

// Empty is which of the rows, up to 64, have nothing.
func (o Offsets) Empty() uint64 {
	some, _ := o.Filled()
	return ^some & (1<<(o.Len()-1) - 1)
}

// Filled is which of the rows, up to 64, have something, and which more than one thing.
func (o Offsets) Filled() (some, several uint64) {
	rows := o.Len() - 1
	if rows == 64 {
		return o.Rows(0)
	}
	for i := range uint32(rows) {
		if d := o.Degree(i); d > 0 {
			some |= 1 << i
			if d > 1 {
				several |= 1 << i
			}
		}
	}
	return some, several
}

// Degrees stores how many there are in each row, and returns them: up to 2^32-1.
func (o Offsets) Degrees(room []uint32) []uint32 {
	if narrow, wide := o.Lists(); o.wide {
		return Differences(room, wide)
	} else {
		return Differences(room, narrow)
	}
}

// Slice returns those of so many rows from v on: one number more.
func (o Offsets) Slice(v uint32, rows int) Offsets {
	if o.wide {
		return Offsets{o.numbers[2*uint64(v):][:2*rows+2], true}
	}
	return Offsets{o.numbers[v:][:rows+1], false}
}

// Set is for who makes offsets.
func (o Offsets) Set(v uint32, x uint64) {
	if o.wide {
		*o.wideAt(2 * uint64(v)) = x
	} else {
		o.numbers[v] = uint32(x)
	}
}

// Take adds one to offset v and returns what it was. Others may do so at the same time.
func (o Offsets) Take(v uint32) uint64 {
	if o.wide {
		return atomic.AddUint64(o.wideAt(2*uint64(v)), 1) - 1
	}
	return uint64(atomic.AddUint32(&o.numbers[v], 1) - 1)
}

// Grown returns the offsets with so many of 0 behind them.
func (o Offsets) Grown(n int) Offsets {
	narrow, wide := o.Lists()
	if o.wide {
		return WideOffsets(append(wide, make([]uint64, n)...))
	}
	return NarrowOffsets(append(narrow, make([]uint32, n)...))
}

// Window returns where rows begin from row v on, and where the last of them ends: one number
// more than rows. They lie in room, for which as many have to fit in, or are the wide ones.
func (o Offsets) Window(v uint32, rows int, room []uint64) []uint64 {
	narrow, wide := o.Slice(v, rows).Lists()
	if o.wide {
		return wide
	}
	return Lengthen(room, narrow)
}

// Few is Window for those of the rows that are in run: of others anything may stand there.
func (o Offsets) Few(v uint32, rows int, run uint64, room []uint64) []uint64 {
	narrow, wide := o.Slice(v, rows).Lists()
	if o.wide {
		return wide
	}
	room = room[:len(narrow)]
	for ; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		room[k], room[k+1] = uint64(narrow[k]), uint64(narrow[k+1])
	}
	return room
}

// Rows is Rows of the 64 rows from v on.
func (o Offsets) Rows(v uint32) (some, several uint64) {
	narrow, wide := o.Slice(v, 64).Lists()
	if o.wide {
		return Rows((*[65]uint64)(wide))
	}
	return Rows((*[65]uint32)(narrow))
}

// SeekFirst is SeekFirst of the 64 rows from v on.
func (o Offsets) SeekFirst(v uint32, found *[64]uint32, set []uint64, at []uint32, run uint64) (hit uint64, done bool) {
	narrow, wide := o.Slice(v, 64).Lists()
	if o.wide {
		return SeekFirst(found, set, at, (*[65]uint64)(wide), run)
	}
	return SeekFirst(found, set, at, (*[65]uint32)(narrow), run)
}

// SeekRows is SeekRows of so many rows from v on.
func (o Offsets) SeekRows(v uint32, rows int, found *[64]uint32, set []uint64, at []uint32, from, run uint64) (hit uint64, done bool) {
	narrow, wide := o.Slice(v, rows).Lists()
	if o.wide {
		return SeekRows(found, set, at, wide, from, run)
	}
	return SeekRows(found, set, at, narrow, from, run)
}

// PrefetchFirst is PrefetchFirst of the 64 rows from v on.
func (o Offsets) PrefetchFirst(v uint32, at []uint32, run uint64) {
	if narrow, wide := o.Slice(v, 64).Lists(); o.wide {
		PrefetchFirst(at, (*[65]uint64)(wide), run)
	} else {
		PrefetchFirst(at, (*[65]uint32)(narrow), run)
	}
}

// All returns them as numbers of eight bytes: copies, or the wide ones.
func (o Offsets) All() []uint64 {
	if narrow, wide := o.Lists(); o.wide {
		return wide
	} else {
		return Lengthen(make([]uint64, len(narrow)), narrow)
	}
}

// piece is how many offsets Pieces gives at a time.
const piece = 1 << 15

// Pieces calls f for all offsets as numbers of eight bytes, in order, some at a time, until it fails.
func (o Offsets) Pieces(f func(some []uint64) error) error {
	narrow, wide := o.Lists()
	if o.wide {
		return f(wide)
	}
	room := make([]uint64, min(piece, len(narrow)))
	for len(narrow) > 0 {
		some := narrow[:min(piece, len(narrow))]
		if err := f(Lengthen(room, some)); err != nil {
			return err
		}
		narrow = narrow[len(some):]
	}
	return nil
}

// Prefetch asks for those of so many rows from v on, and changes nothing.
func (o Offsets) Prefetch(v uint32, rows int) { PrefetchAll(o.Slice(v, rows-1).numbers) }

// PrefetchEach asks for where each of the rows begins, and changes nothing.
func (o Offsets) PrefetchEach(rows []uint32) {
	if narrow, wide := o.Lists(); o.wide {
		Prefetch(wide, rows)
	} else {
		Prefetch(narrow, rows)
	}
}
