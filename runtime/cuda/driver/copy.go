//go:build cuda && cgo

package driver

import (
	"unsafe"

	"gopregel/pregel/parallel"
	"gorgonia.org/cu"
)

// Pageable memory goes through two pinned halves: while the device copies one,
// the host fills or empties the other. Copies straight from and to pageable
// memory are up to 16 times slower (1 GiB from an H200: 800 ms).
const (
	half = 16 << 20
	// From this size on several goroutines copy within the host.
	copyGrain = 1 << 20
)

// staging is the pinned memory, made at first use.
type staging struct {
	memory *Pinned
	done   [2]*Event // the device has done with the half
}

// ready makes the halves unless they are there.
func (s *staging) ready(d *Device) error {
	if err := d.ready(); err != nil {
		return err
	}
	if s.memory != nil {
		return nil
	}
	for i := range s.done {
		event, err := d.Event()
		if err != nil {
			return err
		}
		s.done[i] = event
	}
	memory, err := d.Pin(2 * half)
	s.memory = memory
	return err
}

// part returns the first n bytes of a half.
func (s *staging) part(i int, n uint64) []byte { return s.memory.memory[i*half:][:n] }

// Write copies src to the device from the given byte on, and waits.
func (b *Buffer) Write(offset uint64, src []byte) error {
	if err := b.check("write", offset, uint64(len(src))); err != nil || len(src) == 0 {
		return err
	}
	s := &b.device.staging
	if err := s.ready(b.device); err != nil {
		return err
	}
	for i := 0; len(src) > 0; i++ {
		n := uint64(min(half, len(src)))
		if i >= 2 {
			if err := s.done[i&1].Wait(); err != nil {
				return err
			}
		}
		hostCopy(s.part(i&1, n), src)
		if err := b.write(b.pointer(offset), s.part(i&1, n)); err != nil {
			return err
		}
		if err := s.done[i&1].Record(); err != nil {
			return err
		}
		offset, src = offset+n, src[n:]
	}
	return b.device.Sync()
}

// Read copies from the device to dst, and waits.
func (b *Buffer) Read(offset uint64, dst []byte) error {
	if err := b.check("read", offset, uint64(len(dst))); err != nil || len(dst) == 0 {
		return err
	}
	s := &b.device.staging
	if err := s.ready(b.device); err != nil {
		return err
	}
	n := uint64(len(dst))
	parts := int((n + half - 1) / half)
	for i := range parts + 1 {
		if i < parts {
			at := uint64(i) * half
			if err := b.read(b.pointer(offset+at), s.part(i&1, min(half, n-at))); err != nil {
				return err
			}
			if err := s.done[i&1].Record(); err != nil {
				return err
			}
		}
		if i > 0 {
			at := uint64(i-1) * half
			if err := s.done[(i-1)&1].Wait(); err != nil {
				return err
			}
			size := min(half, n-at)
			hostCopy(dst[at:at+size], s.part((i-1)&1, size))
		}
	}
	return nil
}

// hostCopy fills dst from src.
func hostCopy(dst, src []byte) {
	if len(dst) <= copyGrain {
		copy(dst, src)
		return
	}
	parallel.Range(min(8, parallel.Workers(0)), len(dst), copyGrain, func(_, lo, hi int) {
		copy(dst[lo:hi], src[lo:hi])
	})
}

// write copies from pinned memory, without waiting.
func (b *Buffer) write(at cu.DevicePtr, src []byte) error {
	if err := cu.MemcpyHtoDAsync(at, unsafe.Pointer(unsafe.SliceData(src)), int64(len(src)), b.device.stream); err != nil {
		return b.device.note(failed(err, "cuMemcpyHtoDAsync(%s + %d, %d)", b.what, at-b.at, len(src)))
	}
	return nil
}

// read copies to pinned memory, without waiting.
func (b *Buffer) read(at cu.DevicePtr, dst []byte) error {
	if err := cu.MemcpyDtoHAsync(unsafe.Pointer(unsafe.SliceData(dst)), at, int64(len(dst)), b.device.stream); err != nil {
		return b.device.note(failed(err, "cuMemcpyDtoHAsync(%s + %d, %d)", b.what, at-b.at, len(dst)))
	}
	return nil
}
