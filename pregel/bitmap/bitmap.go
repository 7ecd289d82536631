// Package bitmap holds sets of vertices as bits: frontiers, vertices that got
// a message, vertices that take no more.
package bitmap

import (
	"math/bits"
	"sync/atomic"

	"gopregel/pregel/mem"
)

// A Bitmap is a set of numbers below 64*len. Methods without "Atomic" in their
// name may not run beside one that writes the same word.
type Bitmap []uint64

// New returns the empty set of numbers below n.
func New(n int) Bitmap { return mem.Make[uint64]((n + 63) / 64) }

// Has tells whether i is in the set.
func (b Bitmap) Has(i uint32) bool { return b[i>>6]>>(i&63)&1 != 0 }

// Set puts i into the set.
func (b Bitmap) Set(i uint32) { b[i>>6] |= 1 << (i & 63) }

// Clear takes i out of the set.
func (b Bitmap) Clear(i uint32) { b[i>>6] &^= 1 << (i & 63) }

// HasAtomic tells whether i is in the set while others may be adding to it.
func (b Bitmap) HasAtomic(i uint32) bool { return atomic.LoadUint64(&b[i>>6])>>(i&63)&1 != 0 }

// SetAtomic puts i into the set and tells whether it was not there before.
func (b Bitmap) SetAtomic(i uint32) bool {
	return atomic.OrUint64(&b[i>>6], 1<<(i&63))>>(i&63)&1 == 0
}

// ClearAtomic takes i out of the set and tells whether it was there before.
func (b Bitmap) ClearAtomic(i uint32) bool {
	return atomic.AndUint64(&b[i>>6], ^(1<<(i&63)))>>(i&63)&1 != 0
}

// Reset empties the set.
func (b Bitmap) Reset() { clear(b) }

// Count returns the size of the set.
func (b Bitmap) Count() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// Mask returns the bits of word i that stand for numbers below n.
func Mask(i int, n uint32) uint64 {
	if rest := int64(n) - int64(i)*64; rest < 64 {
		return 1<<max(rest, 0) - 1
	}
	return ^uint64(0)
}

// AppendTo appends the members, ascending, to list.
func (b Bitmap) AppendTo(list []uint32) []uint32 {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			list = append(list, uint32(i*64+bits.TrailingZeros64(w)))
		}
	}
	return list
}
