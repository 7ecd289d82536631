package mem

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Word is a number of four or eight bytes: what can be combined atomically.
type Word interface {
	~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// Swappable tells whether Load and Swap can work on the elements of s: they
// have the size of a Word, hold no pointers, and lie at multiples of it.
func Swappable[T any](s []T) bool {
	size := reflect.TypeFor[T]().Size()
	return (size == 4 || size == 8) && flat(reflect.TypeFor[T]()) &&
		uintptr(unsafe.Pointer(unsafe.SliceData(s)))%size == 0
}

// flat tells whether a type is made of numbers and bools alone, without gaps: two
// equal values then have the same bits, but for floats.
func flat(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return flat(t.Elem())
	case reflect.Struct:
		size := uintptr(0)
		for i := range t.NumField() {
			if !flat(t.Field(i).Type) {
				return false
			}
			size += t.Field(i).Type.Size()
		}
		return size == t.Size()
	}
	return t.Kind() >= reflect.Bool && t.Kind() <= reflect.Complex128 && t.Kind() != reflect.Uintptr
}

// bits32 and bits64 are those of a value of that size.
func bits32[T any](x *T) *uint32 { return (*uint32)(unsafe.Pointer(x)) }
func bits64[T any](x *T) *uint64 { return (*uint64)(unsafe.Pointer(x)) }

// Load reads *p atomically: a Word, or an element of a slice that is Swappable.
func Load[T any](p *T) T {
	var x T
	if unsafe.Sizeof(x) == 4 {
		bits := atomic.LoadUint32(bits32(p))
		return *(*T)(unsafe.Pointer(&bits))
	}
	bits := atomic.LoadUint64(bits64(p))
	return *(*T)(unsafe.Pointer(&bits))
}

// Swap stores x in *p, which is as for Load, atomically if *p still has the bits of
// old, and tells whether it did.
func Swap[T any](p *T, old, x T) bool {
	if unsafe.Sizeof(x) == 4 {
		return atomic.CompareAndSwapUint32(bits32(p), *bits32(&old), *bits32(&x))
	}
	return atomic.CompareAndSwapUint64(bits64(p), *bits64(&old), *bits64(&x))
}

// Same tells whether two of them have the same bits.
func Same[T any](x, y T) bool {
	if unsafe.Sizeof(x) == 4 {
		return *bits32(&x) == *bits32(&y)
	}
	return *bits64(&x) == *bits64(&y)
}
