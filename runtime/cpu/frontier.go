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
	parts [][]uint32 // the list, if inParts, as the workers have made it
	bits  bitmap.Bitmap
	// isList, isBits: which forms are valid. ascends: the list is known to.
	isList, isBits, ascends, inParts bool
	sorter                           sorter
}

// A sorter puts lists of vertices below n in order.
type sorter struct {
	n int
	// Empty but in ascend: bits, and one for each word of them that has any.
	marks, sums bitmap.Bitmap
}

// ascend puts a list of vertices from lo to hi in order: through bits, where it is long
// enough to be worth a look at all sums.
func (s *sorter) ascend(list []uint32, lo, hi uint32) []uint32 {
	if len(list) < int(hi-lo)>>15 || len(list) < 16 {
		slices.Sort(list)
		return list
	}
	if s.marks == nil {
		s.marks, s.sums = bitmap.New(s.n), bitmap.New((s.n+63)/64)
	}
	for _, v := range list {
		s.marks.Set(v)
		s.sums.Set(v >> 6)
	}
	list = list[:0]
	for i := int(lo >> 12); i < int((hi+4095)>>12); i++ {
		for sum := s.sums[i]; sum != 0; sum &= sum - 1 {
			at := i*64 + bits.TrailingZeros64(sum)
			for run := s.marks[at]; run != 0; run &= run - 1 {
				list = append(list, uint32(at*64+bits.TrailingZeros64(run)))
			}
			s.marks[at] = 0
		}
		s.sums[i] = 0
	}
	return list
}

func newFrontier(n int) *frontier { return &frontier{n: n, bits: bitmap.New(n), sorter: sorter{n: n}} }

// small tells whether a set of count vertices is better a list.
func (f *frontier) small(count uint64) bool { return count <= uint64(f.n/16) }

// asBits makes the bits valid.
func (f *frontier) asBits() {
	if f.isBits {
		return
	}
	f.join()
	f.bits.Reset()
	for _, v := range f.list {
		f.bits.Set(v)
	}
	f.isBits = true
}

// join makes one list of parts.
func (f *frontier) join() {
	if f.inParts {
		f.list = f.list[:0]
		for _, part := range f.parts {
			f.list = append(f.list, part...)
		}
		f.inParts = false
	}
}

// share calls do for those on the list, which is in parts or not, that are the k-th of n equal
// shares.
func (f *frontier) share(k, n int, do func(us []uint32)) {
	size := int(f.count)
	lo, hi := size*k/n, size*(k+1)/n
	if !f.inParts {
		do(f.list[lo:hi])
		return
	}
	for _, part := range f.parts {
		if from, to := max(lo, 0), min(hi, len(part)); from < to {
			do(part[from:to])
		}
		lo, hi = lo-len(part), hi-len(part)
	}
}

// asList makes the list valid.
func (f *frontier) asList() {
	f.join()
	if !f.isList {
		f.list = f.bits.AppendTo(f.list[:0])
		f.isList, f.ascends = true, true
	}
}

// ascend puts the list in order.
func (f *frontier) ascend() {
	if f.ascends {
		return
	}
	f.ascends = true
	f.list = f.sorter.ascend(f.list, 0, uint32(f.n))
}

// view is the frontier as tasks see it.
func (f *frontier) view() pregel.Frontier {
	v := pregel.Frontier{All: f.count == uint64(f.n)}
	if f.isBits {
		v.Bits = f.bits
	}
	if f.isList {
		f.join()
		v.List = f.list
	}
	return v
}
