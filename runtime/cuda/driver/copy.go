//go:build cuda && cgo

package driver

import (
	"unsafe"

	"gorgonia.org/cu"
)

// This file copies between the memory of the host and the device's, through rooms that both can reach (staging.go).

// Write copies src to the device from the given byte on, and waits.
func (b *Buffer) Write(offset uint64, src []byte) error {
	if err := b.check("write", offset, uint64(len(src))); err != nil || len(src) == 0 {
		return err
	}
	s := &b.device.staging
	if err := s.ready(b.device); err != nil {
		return err
	}
	n := uint64(len(src))
	count, m := pieces(n), startMovers(pieces(n))
	fill := func(i int) error {
		if i >= rooms {
			if err := s.done[i%rooms].Wait(); err != nil {
				return err
			}
		}
		m.move(i, func() { copy(s.part(i, n), src[i*room:]) })
		return nil
	}
	send := func(i int) error {
		m.moved(i)
		if err := b.write(b.pointer(offset+uint64(i)*room), s.part(i, n)); err != nil {
			return err
		}
		return s.done[i%rooms].Record()
	}
	if err := m.end(b.device, pipe(count, fill, send)); err != nil {
		return err
	}
	return b.device.Sync()
}

// Read copies from the device to dst, and waits.
func (b *Buffer) Read(offset uint64, dst []byte) error {
	return b.Each(offset, uint64(len(dst)), func(at uint64, piece []byte) { copy(dst[at:], piece) })
}

// Each reads n bytes from the given byte on, and waits until f has been called with all of them: in pieces, of a
// multiple of 64 bytes but for the last, several at a time and in any order. at is where a piece begins, from 0
// on; it is good until f returns.
func (b *Buffer) Each(offset, n uint64, f func(at uint64, piece []byte)) error {
	if err := b.check("read", offset, n); err != nil || n == 0 {
		return err
	}
	s := &b.device.staging
	if err := s.ready(b.device); err != nil {
		return err
	}
	count, m := pieces(n), startMovers(pieces(n))
	fetch := func(i int) error {
		if i >= rooms {
			m.moved(i)
		}
		if err := b.read(b.pointer(offset+uint64(i)*room), s.part(i, n)); err != nil {
			return err
		}
		return s.done[i%rooms].Record()
	}
	empty := func(i int) error {
		if err := s.done[i%rooms].Wait(); err != nil {
			return err
		}
		m.move(i, func() { f(uint64(i)*room, s.part(i, n)) })
		return nil
	}
	return m.end(b.device, pipe(count, fetch, empty))
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
