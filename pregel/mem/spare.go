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

// spareFrom is the least size in bytes that is worth keeping.
const spareFrom = 1 << 16

// spare is what Give has kept: by size in bytes, so that whatever was given, a slice
// made of it has room.
var spare struct {
	sync.Mutex
	young, old map[uintptr][]unsafe.Pointer // given since the last collection; before
	watched    bool                         // a sentinel waits for the next one
}

// Take returns a slice of n elements with whatever was in memory: the caller writes
// an element before it reads it. Built for the race detector it is filled with
// nonsense.
func Take[T any](n int) []T {
	if p := reuse[T](n); p != nil {
		s := unsafe.Slice((*T)(p), n)
		spoil(s)
		return s
	}
	s := Make[T](n)
	if keeps[T](n) {
		spoil(s)
	}
	return s
}

// Give keeps the memory of s for a Take or Make to come. Neither s nor any other
// slice of that memory may be used afterwards.
func Give[T any](s []T) {
	s = s[:cap(s)]
	if !keeps[T](len(s)) || uintptr(unsafe.Pointer(unsafe.SliceData(s)))%8 != 0 {
		return
	}
	spoil(s)
	size, p := sizeOf[T](len(s)), unsafe.Pointer(unsafe.SliceData(s))
	spare.Lock()
	defer spare.Unlock()
	if slices.Contains(spare.young[size], p) || slices.Contains(spare.old[size], p) {
		return // given by two of its names
	}
	if spare.young == nil {
		spare.young = map[uintptr][]unsafe.Pointer{}
	}
	spare.young[size] = append(spare.young[size], p)
	watch()
}

// Drop gives all that is kept back to the heap.
func Drop() {
	spare.Lock()
	defer spare.Unlock()
	spare.young, spare.old = nil, nil
}

// reuse finds room for n elements among what is kept; nil: there is none.
func reuse[T any](n int) unsafe.Pointer {
	if !keeps[T](n) {
		return nil
	}
	size := sizeOf[T](n)
	spare.Lock()
	defer spare.Unlock()
	for _, kept := range []map[uintptr][]unsafe.Pointer{spare.young, spare.old} {
		if list := kept[size]; len(list) > 0 {
			p := list[len(list)-1]
			if kept[size] = list[:len(list)-1]; len(list) == 1 {
				delete(kept, size)
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
