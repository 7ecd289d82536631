//go:build cuda && cgo

package driver

import (
	"fmt"
	"math"

	"gorgonia.org/cu"
)

// Buffer is device memory.
type Buffer struct {
	device *Device
	at     cu.DevicePtr // 0 when the buffer is empty
	size   uint64
	what   string
	freed  bool
}

// Alloc makes a buffer of device memory; what names it in errors. Its content
// is undefined. A buffer of no bytes is one, at address 0.
func (d *Device) Alloc(bytes uint64, what string) (*Buffer, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	b := &Buffer{device: d, size: bytes, what: what}
	if bytes > math.MaxInt64 {
		return nil, d.outOfMemory(bytes, what)
	}
	if bytes > 0 {
		var err error
		if b.at, err = cu.MemAlloc(int64(bytes)); code(cu.Success, err) == codeOutOfMemory {
			return nil, d.outOfMemory(bytes, what)
		} else if err != nil {
			return nil, d.note(failed(err, "cuMemAlloc(%d) for %s", bytes, what))
		}
	}
	d.keep(b)
	return b, nil
}

func (d *Device) outOfMemory(bytes uint64, what string) error {
	free, total, err := d.Memory()
	if err != nil {
		return err
	}
	return &OutOfMemory{What: what, Want: bytes, Free: free, Total: total}
}

// Size returns the bytes of the buffer.
func (b *Buffer) Size() uint64 { return b.size }

// Address returns where the buffer lies on the device.
func (b *Buffer) Address() uint64 { return uint64(b.at) }

// Free gives the memory back; a second call does nothing.
func (b *Buffer) Free() error { return b.device.drop(b) }

func (b *Buffer) release() error {
	at := b.at
	b.freed, b.at = true, 0
	if at == 0 || b.device.lost() {
		return nil
	}
	if err := cu.MemFree(at); err != nil {
		return b.device.note(failed(err, "cuMemFree(%s) of %s", at, b.what))
	}
	return nil
}

func (b *Buffer) pointer(offset uint64) cu.DevicePtr { return b.at + cu.DevicePtr(offset) }

// Fill sets n bytes from offset on to a byte, without waiting.
func (b *Buffer) Fill(offset, n uint64, value byte) error {
	if err := b.check("fill", offset, n); err != nil || n == 0 {
		return err
	}
	if err := b.device.flush(); err != nil {
		return err
	}
	if err := cu.MemsetD8Async(b.pointer(offset), value, int64(n), b.device.stream); err != nil {
		return b.device.note(failed(err, "cuMemsetD8Async(%s + %d, %d, %d)", b.what, offset, value, n))
	}
	return nil
}

// CopyFrom copies n bytes of another buffer, without waiting.
func (b *Buffer) CopyFrom(offset uint64, src *Buffer, from, n uint64) error {
	if err := b.check("copy to", offset, n); err != nil {
		return err
	}
	if err := src.check("copy from", from, n); err != nil || n == 0 {
		return err
	}
	switch {
	case src.device != b.device:
		return fmt.Errorf("copy from buffer %q to %q: they belong to different devices", src.what, b.what)
	case src == b && offset < from+n && from < offset+n:
		return fmt.Errorf("copy within buffer %q: %d bytes from %d on to %d overlap", b.what, n, from, offset)
	}
	if err := b.device.flush(); err != nil {
		return err
	}
	if err := cu.MemcpyDtoDAsync(b.pointer(offset), src.pointer(from), int64(n), b.device.stream); err != nil {
		return b.device.note(failed(err, "cuMemcpyDtoDAsync(%s + %d, %s + %d, %d)", b.what, offset, src.what, from, n))
	}
	return nil
}
