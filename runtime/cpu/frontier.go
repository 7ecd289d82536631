package cpu

import (
	"math/bits"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
)

// frontier is the set of awake vertices, as a list, as bits, or both. At least
// one of the forms is valid.
type frontier struct {
	n     int
	count uint64 // of its vertices
	arcs  uint64 // along which they will send
	list  []uint32
	bits  bitmap.Bitmap
	// isList, isBits: which forms are valid. ascends: the list is known to.
	isList, isBits, ascends bool
	// Empty but in ascend: bits, and one for each word of them that has any.
	marks, sums bitmap.Bitmap
}

func newFrontier(n int) *frontier { return &frontier{n: n, bits: bitmap.New(n)} }

// small tells whether a set of count vertices is better a list.
func (f *frontier) small(count uint64) bool { return count <= uint64(f.n/16) }

// asBits makes the bits valid.
func (f *frontier) asBits() {
	if f.isBits {
		return
	}
	f.bits.Reset()
	for _, v := range f.list {
		f.bits.Set(v)
	}
	f.isBits = true
}

// asList makes the list valid.
func (f *frontier) asList() {
	if !f.isList {
		f.list = f.bits.AppendTo(f.list[:0])
		f.isList, f.ascends = true, true
	}
}

// ascend puts the list in order: through bits, where it is long enough to be worth
// a look at all sums.
func (f *frontier) ascend() {
	if f.ascends {
		return
	}
	f.ascends = true
	if len(f.list) < f.n>>15 || len(f.list) < 16 {
		slices.Sort(f.list)
		return
	}
	if f.marks == nil {
		f.marks, f.sums = bitmap.New(f.n), bitmap.New((f.n+63)/64)
	}
	for _, v := range f.list {
		f.marks.Set(v)
		f.sums.Set(v >> 6)
	}
	f.list = f.list[:0]
	for i, sum := range f.sums {
		for ; sum != 0; sum &= sum - 1 {
			at := i*64 + bits.TrailingZeros64(sum)
			for run := f.marks[at]; run != 0; run &= run - 1 {
				f.list = append(f.list, uint32(at*64+bits.TrailingZeros64(run)))
			}
			f.marks[at] = 0
		}
		f.sums[i] = 0
	}
}

// view is the frontier as tasks see it.
func (f *frontier) view() pregel.Frontier {
	v := pregel.Frontier{All: f.count == uint64(f.n)}
	if f.isBits {
		v.Bits = f.bits
	}
	if f.isList {
		v.List = f.list
	}
	return v
}
