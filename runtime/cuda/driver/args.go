//go:build (cuda || emulate) && cgo

package driver

// #include <stdlib.h>
import "C"

import (
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"unsafe"
)

// CUDA takes 4096 bytes of arguments everywhere.
const (
	argBytes = 4096
	argSlots = argBytes / 8
)

// An argBlock lies in C memory, as what CUDA reads: a pointer to each value.
// Values start at multiples of eight bytes.
type argBlock struct {
	pointers [argSlots]uintptr
	values   [argBytes]byte
}

// Args are the arguments of a launch, kept from launch to launch.
type Args struct {
	block *argBlock
	at    []int // where each value starts
	size  []int // its bytes
	used  int
	err   error

	buffers []*Buffer // whose address the value is, if any
}

// NewArgs returns an empty list of arguments.
func NewArgs() *Args { return &Args{} }

// allocate makes the block, which is freed with the list.
func (a *Args) allocate() {
	a.block = (*argBlock)(C.malloc(C.size_t(unsafe.Sizeof(argBlock{}))))
	*a.block = argBlock{}
	runtime.AddCleanup(a, func(p *argBlock) { C.free(unsafe.Pointer(p)) }, a.block)
}

// slot makes room for a value of n bytes and returns it.
func (a *Args) slot(n int) []byte {
	if a.err != nil {
		return nil
	}
	room := (max(n, 1) + 7) &^ 7
	if a.used+room > argBytes {
		a.err = fmt.Errorf("argument %d: more than %d bytes of arguments", len(a.at), argBytes)
		return nil
	}
	if a.block == nil {
		a.allocate()
	}
	value := a.block.values[a.used:][:n:n]
	a.block.pointers[len(a.at)] = uintptr(unsafe.Pointer(&a.block.values[a.used]))
	a.at, a.size, a.buffers = append(a.at, a.used), append(a.size, n), append(a.buffers, nil)
	a.used += room
	return value
}

// old returns the value i, of n bytes.
func (a *Args) old(i, n int) []byte {
	switch {
	case a.err != nil:
	case i < 0 || i >= len(a.at):
		a.err = fmt.Errorf("argument %d is replaced, there are %d", i, len(a.at))
	case a.size[i] != n:
		a.err = fmt.Errorf("argument %d has %d bytes, its replacement %d", i, a.size[i], n)
	default:
		a.buffers[i] = nil
		return a.block.values[a.at[i]:][:n]
	}
	return nil
}

func put32(to []byte, x uint32) {
	if to != nil {
		binary.NativeEndian.PutUint32(to, x)
	}
}

func put64(to []byte, x uint64) {
	if to != nil {
		binary.NativeEndian.PutUint64(to, x)
	}
}

func address(b *Buffer) uint64 {
	if b == nil {
		return 0
	}
	return b.Address()
}

// Buffer appends the address of a buffer; nil is the null pointer.
func (a *Args) Buffer(b *Buffer) *Args {
	put64(a.slot(8), address(b))
	a.belongs(len(a.at)-1, b)
	return a
}

// belongs remembers that argument i is the address of a buffer.
func (a *Args) belongs(i int, b *Buffer) {
	if a.err == nil {
		a.buffers[i] = b
	}
}

// Uint32 appends a number.
func (a *Args) Uint32(x uint32) *Args { put32(a.slot(4), x); return a }

// Uint64 appends a number.
func (a *Args) Uint64(x uint64) *Args { put64(a.slot(8), x); return a }

// Float32 appends a number.
func (a *Args) Float32(x float32) *Args { return a.Uint32(math.Float32bits(x)) }

// Float64 appends a number.
func (a *Args) Float64(x float64) *Args { return a.Uint64(math.Float64bits(x)) }

// Bytes appends a struct given by value, aligned to 8 bytes.
func (a *Args) Bytes(x []byte) *Args { copy(a.slot(len(x)), x); return a }

// SetBuffer replaces argument i, as do the others.
func (a *Args) SetBuffer(i int, b *Buffer) {
	a.SetUint64(i, address(b))
	a.belongs(i, b)
}

// SetUint32 replaces argument i.
func (a *Args) SetUint32(i int, x uint32) { put32(a.old(i, 4), x) }

// SetUint64 replaces argument i.
func (a *Args) SetUint64(i int, x uint64) { put64(a.old(i, 8), x) }

// SetBytes replaces argument i.
func (a *Args) SetBytes(i int, x []byte) { copy(a.old(i, len(x)), x) }

// SetFloat64 replaces argument i.
func (a *Args) SetFloat64(i int, x float64) { a.SetUint64(i, math.Float64bits(x)) }

// failure is what went wrong while the list was made.
func (a *Args) failure() error {
	if a == nil {
		return nil
	}
	return a.err
}

func (a *Args) sizes() []int {
	if a == nil {
		return nil
	}
	return a.size
}

// copyTo copies the values to a block, which is made if it is nil.
func (a *Args) copyTo(block *argBlock) *argBlock {
	if block == nil {
		block = (*argBlock)(C.malloc(C.size_t(unsafe.Sizeof(argBlock{}))))
	}
	copy(block.values[:a.used], a.block.values[:a.used])
	for i, at := range a.at {
		block.pointers[i] = uintptr(unsafe.Pointer(&block.values[at]))
	}
	return block
}

// list is what CUDA reads of the first bytes of a block.
func (b *argBlock) list(used int) *unsafe.Pointer {
	if used == 0 {
		return nil
	}
	return (*unsafe.Pointer)(unsafe.Pointer(&b.pointers))
}

func (a *Args) pointers() *unsafe.Pointer {
	if a == nil || a.block == nil {
		return nil
	}
	return (*unsafe.Pointer)(unsafe.Pointer(&a.block.pointers))
}
