package graph

import (
	"math"
	"sync/atomic"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// Offsets are where the rows of a CSR begin, and behind them where the last one ends: N+1
// numbers, ascending, from 0 to the number of arcs. At most one of the slices is set: Narrow
// where fewer than 2^32 arcs are, as four bytes a vertex are half of the memory, and of
// what a loop over rows reads beside their arcs; Wide where there are more, and where the
// numbers of a file, of eight bytes, are used in place.
type Offsets struct {
	Narrow []uint32
	Wide   []uint64
}

// narrowMost is the greatest offset for which there are narrow ones. Tests lower it.
var narrowMost uint64 = math.MaxUint32

// MakeOffsets returns n offsets of 0, in which there is room for numbers up to most.
func MakeOffsets(n int, most uint64) Offsets {
	if most <= narrowMost {
		return Offsets{Narrow: mem.Make[uint32](n)}
	}
	return Offsets{Wide: mem.Make[uint64](n)}
}

// OffsetsOf copies ascending numbers.
func OffsetsOf(list []uint64) Offsets {
	if len(list) == 0 {
		return Offsets{}
	}
	o := MakeOffsets(len(list), list[len(list)-1])
	copy(o.Wide, list)
	parallel.Range(0, len(o.Narrow), 1<<16, func(_, lo, hi int) {
		for i, x := range list[lo:hi] {
			o.Narrow[lo+i] = uint32(x)
		}
	})
	return o
}

// Grown returns the offsets with so many of 0 behind them.
func (o Offsets) Grown(n int) Offsets {
	if o.Narrow != nil {
		return Offsets{Narrow: append(o.Narrow, make([]uint32, n)...)}
	}
	return Offsets{Wide: append(o.Wide, make([]uint64, n)...)}
}

// Len is how many offsets there are: one more than vertices.
func (o Offsets) Len() int { return len(o.Narrow) + len(o.Wide) }

// Bytes is what they take.
func (o Offsets) Bytes() uint64 { return 4*uint64(len(o.Narrow)) + 8*uint64(len(o.Wide)) }

// At is where row v begins, or where the last one ends.
func (o Offsets) At(v uint32) uint64 {
	if o.Narrow != nil {
		return uint64(o.Narrow[v])
	}
	return o.Wide[v]
}

// Row is where row v begins and ends.
func (o Offsets) Row(v uint32) (begin, end uint64) {
	if o.Narrow != nil {
		return uint64(o.Narrow[v]), uint64(o.Narrow[v+1])
	}
	return o.Wide[v], o.Wide[v+1]
}

// Degree is how many arcs are in row v.
func (o Offsets) Degree(v uint32) uint64 {
	begin, end := o.Row(v)
	return end - begin
}

// Between is how many arcs are in the rows from lo to hi.
func (o Offsets) Between(lo, hi uint32) uint64 { return o.At(hi) - o.At(lo) }

// Set is for who makes offsets.
func (o Offsets) Set(v uint32, x uint64) {
	if o.Narrow != nil {
		o.Narrow[v] = uint32(x)
	} else {
		o.Wide[v] = x
	}
}

// Prefetch asks for those of so many rows from v on, and changes nothing.
func (o Offsets) Prefetch(v uint32, rows int) {
	if o.Narrow != nil {
		mem.PrefetchAll(o.Narrow[v:][:rows])
	} else {
		mem.PrefetchAll(o.Wide[v:][:rows])
	}
}

// PrefetchEach asks for those of each of us, and changes nothing.
func (o Offsets) PrefetchEach(us []uint32) {
	if o.Narrow != nil {
		mem.Prefetch(o.Narrow, us)
	} else {
		mem.Prefetch(o.Wide, us)
	}
}

// take adds one to offset v and returns what it was, for several at the same time.
func (o Offsets) take(v uint32) uint64 {
	if o.Narrow != nil {
		return uint64(atomic.AddUint32(&o.Narrow[v], 1) - 1)
	}
	return atomic.AddUint64(&o.Wide[v], 1) - 1
}

// first returns the first n of them.
func (o Offsets) first(n int) Offsets {
	if o.Narrow != nil {
		return Offsets{Narrow: o.Narrow[:n]}
	}
	return Offsets{Wide: o.Wide[:n]}
}

// Window returns where rows begin from row v on, and where the last of them ends: one number
// more than rows. They lie in room, for which as many have to fit in, or are the wide ones.
func (o Offsets) Window(v uint32, rows int, room []uint64) []uint64 {
	if o.Narrow == nil {
		return o.Wide[v:][:rows+1]
	}
	return mem.Lengthen(room, o.Narrow[v:][:rows+1])
}

// All returns them as numbers of eight bytes: copies, or the wide ones.
func (o Offsets) All() []uint64 { return o.Window(0, o.Len()-1, make([]uint64, len(o.Narrow))) }

// windowSize is how many offsets Pieces gives at a time.
const windowSize = 1 << 15

// Pieces calls f for all offsets as numbers of eight bytes, in order, some at a time, until it fails.
func (o Offsets) Pieces(f func(some []uint64) error) error {
	if o.Narrow == nil {
		return f(o.Wide)
	}
	room := make([]uint64, windowSize)
	for lo := 0; lo < len(o.Narrow); lo += windowSize {
		if err := f(mem.Lengthen(room, o.Narrow[lo:min(lo+windowSize, len(o.Narrow))])); err != nil {
			return err
		}
	}
	return nil
}
