package mem

import (
	"reflect"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

// Fresh memory is dear: the kernel clears a page before it is first written, on a
// virtual machine the host may have to find it first, and the Go heap clears what it
// hands out again. A breadth-first search on a million vertices took half of its time
// for that (measured). Runs on one graph take arrays of the same sizes, so what one
// has done with is the next one's: Give keeps it, Take and Make hand it out. It is
// the heap's again when two garbage collections have passed without a Take.

// spareFrom is the least size in bytes that is worth keeping: on a graph of 7000 vertices
// searches took a third less from 4 KB on than from 64 (measured), as the heap clears what it
// hands out, and collects what it got.
const spareFrom = 1 << 12

// spare is what Give has kept: by size in bytes, so that whatever was given, a slice
// made of it has room.
var spare struct {
	sync.Mutex
	young, old map[kind][]unsafe.Pointer // given since the last collection; before
	watched    bool                      // a sentinel waits for the next one
}

// A kind is what memory is kept as: its size, and whether all of its bits are ones.
type kind struct {
	size  uintptr
	blank bool
}

// Take returns a slice of n elements with whatever was in memory: the caller writes
// an element before it reads it. Built for the race detector it is filled with
// nonsense: by Give, where that had it.
func Take[T any](n int) []T {
	if p := reuse[T](n, false); p != nil {
		return unsafe.Slice((*T)(p), n)
	}
	if !keeps[T](n) {
		return make([]T, n)
	}
	s := onPages(n, func(n int) []T {
		return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(unclear(int(sizeOf[T](n)))))), n)
	})
	spoil(s)
	return s
}

// Give keeps the memory of s for a Take or Make to come. Neither s nor any other
// slice of that memory may be used afterwards.
func Give[T any](s []T) {
	if s = s[:cap(s)]; keeps[T](len(s)) {
		spoil(s)
		give(unsafe.Pointer(unsafe.SliceData(s)), kind{sizeOf[T](len(s)), false})
	}
}

// Carve makes n elements of the start of b, and returns what is left of it, from the next cache
// line on: nil and b if b is too short, or not aligned, or T holds pointers.
func Carve[T any](b []byte, n int) (s []T, rest []byte) {
	const line = 64
	var t T
	size := int(sizeOf[T](n))
	if n == 0 || size > len(b) || !Pointerless(reflect.TypeFor[T]()) || uintptr(unsafe.Pointer(unsafe.SliceData(b)))%unsafe.Alignof(t) != 0 {
		return nil, b
	}
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), n), b[min(len(b), (size+line-1)&^(line-1)):]
}

// TakeBlank is Take, and tells whether all bits of the slice are ones. A search that reaches
// little need not write all of it then.
func TakeBlank[T any](n int) (s []T, blank bool) {
	if p := reuse[T](n, true); p != nil {
		return unsafe.Slice((*T)(p), n), true
	}
	return Take[T](n), false
}

// GiveBlank is Give for a slice all bits of which are ones, for a TakeBlank to come.
func GiveBlank[T any](s []T) {
	if len(s) == cap(s) && keeps[T](len(s)) {
		checkBlank(s)
		give(unsafe.Pointer(unsafe.SliceData(s)), kind{sizeOf[T](len(s)), true})
	}
}

// Blank tells whether all bits of x, of a type without pointers, are ones.
func Blank[T any](x T) bool {
	if !Pointerless(reflect.TypeFor[T]()) {
		return false
	}
	for _, b := range Raw([]T{x}) {
		if b != 0xff {
			return false
		}
	}
	return true
}

func give(p unsafe.Pointer, on kind) {
	if uintptr(p)%8 != 0 {
		return
	}
	spare.Lock()
	defer spare.Unlock()
	for _, blank := range []bool{false, true} {
		if of := (kind{on.size, blank}); slices.Contains(spare.young[of], p) || slices.Contains(spare.old[of], p) {
			return // given by two of its names
		}
	}
	if spare.young == nil {
		spare.young = map[kind][]unsafe.Pointer{}
	}
	spare.young[on] = append(spare.young[on], p)
	watch()
}

// Drop gives all that is kept back to the heap.
func Drop() {
	spare.Lock()
	defer spare.Unlock()
	spare.young, spare.old = nil, nil
}

// reuse finds room for n elements among what is kept; nil: there is none.
func reuse[T any](n int, blank bool) unsafe.Pointer {
	if !keeps[T](n) {
		return nil
	}
	on := kind{sizeOf[T](n), blank}
	spare.Lock()
	defer spare.Unlock()
	for _, kept := range []map[kind][]unsafe.Pointer{spare.young, spare.old} {
		if list := kept[on]; len(list) > 0 {
			p := list[len(list)-1]
			if kept[on] = list[:len(list)-1]; len(list) == 1 {
				delete(kept, on)
			}
			return p
		}
	}
	return nil
}

// watch has the next garbage collection call age. spare is locked.
func watch() {
	if !spare.watched {
		spare.watched = true
		runtime.SetFinalizer(new([16]byte), func(*[16]byte) { age() })
	}
}

// age drops what was kept before the last collection but one.
func age() {
	spare.Lock()
	defer spare.Unlock()
	spare.young, spare.old = nil, spare.young
	if spare.watched = false; len(spare.old) > 0 {
		watch()
	}
}

func sizeOf[T any](n int) uintptr {
	var t T
	return uintptr(n) * unsafe.Sizeof(t)
}

// keeps tells whether arrays of n elements are kept: large ones without pointers, which
// the collector would not see.
func keeps[T any](n int) bool { return sizeOf[T](n) >= spareFrom && Pointerless(reflect.TypeFor[T]()) }

// Pointerless tells whether values of a type hold no pointers.
func Pointerless(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return Pointerless(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !Pointerless(t.Field(i).Type) {
				return false
			}
		}
		return true
	default:
		return k >= reflect.Bool && k <= reflect.Complex128
	}
}
