package mem

import (
	"sync/atomic"
	"unsafe"
)

// Word is a number of four or eight bytes: what can be combined atomically.
type Word interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// Load reads *p atomically.
func Load[T Word](p *T) T {
	var x T
	if unsafe.Sizeof(x) == 4 {
		bits := atomic.LoadUint32((*uint32)(unsafe.Pointer(p)))
		return *(*T)(unsafe.Pointer(&bits))
	}
	bits := atomic.LoadUint64((*uint64)(unsafe.Pointer(p)))
	return *(*T)(unsafe.Pointer(&bits))
}

// Swap stores x in *p atomically if *p still has the bits of old, and tells
// whether it did.
func Swap[T Word](p *T, old, x T) bool {
	if unsafe.Sizeof(x) == 4 {
		return atomic.CompareAndSwapUint32((*uint32)(unsafe.Pointer(p)), *(*uint32)(unsafe.Pointer(&old)), *(*uint32)(unsafe.Pointer(&x)))
	}
	return atomic.CompareAndSwapUint64((*uint64)(unsafe.Pointer(p)), *(*uint64)(unsafe.Pointer(&old)), *(*uint64)(unsafe.Pointer(&x)))
}
