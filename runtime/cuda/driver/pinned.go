//go:build cuda && cgo

package driver

// #include "native.h"
import "C"

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// Pinned is page-locked host memory.
type Pinned struct {
	device *Device
	memory []byte
	freed  bool
}

// Pin makes page-locked host memory, which the device copies to and from at
// full speed.
func (d *Device) Pin(bytes uint64) (*Pinned, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	p := &Pinned{device: d}
	if bytes > 0 {
		var at unsafe.Pointer
		if result := C.cuMemHostAlloc(&at, C.size_t(bytes), 0); result != C.CUDA_SUCCESS {
			return nil, d.note(newError(int(result), fmt.Sprintf("cuMemHostAlloc(%d)", bytes)))
		}
		p.memory = unsafe.Slice((*byte)(at), bytes)
	}
	d.keep(p)
	return p, nil
}

// Bytes shows the memory, until it is freed or the device is closed.
func (p *Pinned) Bytes() []byte { return p.memory }

// Address is where the memory begins, for kernels: all devices may read and write it.
func (p *Pinned) Address() uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(p.memory)))) }

// Free gives the memory back; a second call does nothing.
func (p *Pinned) Free() error { return p.device.drop(p) }

func (p *Pinned) release() error {
	memory := p.memory
	p.memory, p.freed = nil, true
	if len(memory) == 0 || p.device.lost() {
		return nil
	}
	if err := cu.MemFreeHost(unsafe.Pointer(unsafe.SliceData(memory))); err != nil {
		return p.device.note(failed(err, "cuMemFreeHost() of %d bytes", len(memory)))
	}
	return nil
}

// ReadAsync copies n bytes from a buffer into pinned memory, without waiting.
func (p *Pinned) ReadAsync(at uint64, src *Buffer, from, n uint64) error {
	memory, err := p.part("read to", at, n)
	if err != nil {
		return err
	}
	if err := src.check("read", from, n); err != nil || n == 0 {
		return err
	}
	if err := src.device.flush(); err != nil {
		return err
	}
	return src.read(src.pointer(from), memory)
}

// WriteAsync copies n bytes of pinned memory into a buffer, without waiting.
func (p *Pinned) WriteAsync(at uint64, dst *Buffer, to, n uint64) error {
	memory, err := p.part("write from", at, n)
	if err != nil {
		return err
	}
	if err := dst.check("write", to, n); err != nil || n == 0 {
		return err
	}
	if err := dst.device.flush(); err != nil {
		return err
	}
	return dst.write(dst.pointer(to), memory)
}
