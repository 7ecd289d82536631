package cpu

import (
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
	// isList, isBits: which forms are valid.
	isList, isBits bool
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
		f.isList = true
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
