package graph

import (
	"math"

	"gopregel/pregel/mem"
)

// Offsets are where the rows of a CSR begin: narrow ones where fewer than 2^32 arcs are, and
// wide ones where there are more, and where the numbers of a file are used in place.
type Offsets = mem.Offsets

// narrowMost is the greatest offset for which there are narrow ones. Tests lower it.
var narrowMost uint64 = math.MaxUint32

// OffsetBytes is how many an offset takes, where there is to be room for numbers up to most.
func OffsetBytes(most uint64) uint64 {
	if most <= narrowMost {
		return 4
	}
	return 8
}

// MakeOffsets returns n offsets of 0, in which there is room for numbers up to most.
func MakeOffsets(n int, most uint64) Offsets {
	if OffsetBytes(most) == 4 {
		return mem.NarrowOffsets(mem.Make[uint32](n))
	}
	return mem.WideOffsets(mem.Make[uint64](n))
}

// OffsetsOf copies ascending numbers.
func OffsetsOf(list []uint64) Offsets {
	if len(list) == 0 {
		return Offsets{}
	}
	o := MakeOffsets(len(list), list[len(list)-1])
	for i, x := range list {
		o.Set(uint32(i), x)
	}
	return o
}
