//go:build emulate && cgo

package emulator

// #include <string.h>
// #include <sys/mman.h>
// #include <unistd.h>
import "C"

import (
	"bytes"
	"fmt"
	"unsafe"
)

// Memory is device memory. It ends where a page ends that nobody may touch, as
// closely as its alignment allows; the bytes before it, and those few behind it,
// hold a pattern.
type Memory struct {
	Bytes  []byte
	pages  []byte // all but those that nobody may touch
	mapped uintptr
	at     unsafe.Pointer
}

const (
	alignment = 16
	pattern   = 0xc3 // of what nobody writes
	garbage   = 0xb5 // of what nobody has written yet
)

// Alloc makes memory of at least one byte, or returns nil when there is none.
func Alloc(size uint64) *Memory {
	page := uint64(C.sysconf(C._SC_PAGESIZE))
	room := (size + page - 1) / page * page
	all := C.size_t(room + 2*page)
	at := C.mmap(nil, all, C.PROT_NONE, C.MAP_PRIVATE|C.MAP_ANONYMOUS|C.MAP_NORESERVE, -1, 0)
	if uintptr(at) == ^uintptr(0) {
		return nil
	}
	inner := unsafe.Add(at, page)
	C.mprotect(inner, C.size_t(room), C.PROT_READ|C.PROT_WRITE)
	m := &Memory{at: at, mapped: uintptr(all), pages: unsafe.Slice((*byte)(inner), room)}
	start := room - (size+alignment-1)&^uint64(alignment-1)
	m.Bytes = m.pages[start : start+size : start+size]
	C.memset(inner, pattern, C.size_t(room))
	C.memset(unsafe.Add(inner, start), garbage, C.size_t(size))
	return m
}

// Address is where the memory lies.
func (m *Memory) Address() uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(m.Bytes)))) }

// Check tells whether something has written close to the memory.
func (m *Memory) Check() error {
	start := len(m.pages) - (len(m.Bytes)+alignment-1)&^(alignment-1)
	before, after := m.pages[max(0, start-64):start], m.pages[start+len(m.Bytes):]
	for _, b := range [][]byte{before, after} {
		if bytes.Count(b, []byte{pattern}) != len(b) {
			return fmt.Errorf("something was written outside of it, close by")
		}
	}
	return nil
}

// Free gives the memory back.
func (m *Memory) Free() {
	C.munmap(m.at, C.size_t(m.mapped))
	m.Bytes, m.pages = nil, nil
}
