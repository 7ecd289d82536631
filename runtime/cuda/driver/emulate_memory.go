//go:build emulate && !cuda && cgo

package driver

import (
	"fmt"
	"time"
	"unsafe"

	"gopregel/runtime/cuda/driver/emulator"
)

// Buffer is device memory.
type Buffer struct {
	device *Device
	memory *emulator.Memory // nil when the buffer is empty
	size   uint64
	what   string
	freed  bool
}

// Alloc makes a buffer of device memory; what names it in errors. Its content
// is undefined.
func (d *Device) Alloc(bytes uint64, what string) (*Buffer, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	if err := d.ask(fmt.Sprintf("cuMemAlloc(%d)", bytes), what); err != nil {
		return nil, err
	}
	b := &Buffer{device: d, size: bytes, what: what}
	if bytes > 0 {
		if bytes < d.info.Memory-d.used {
			b.memory = emulator.Alloc(bytes)
		}
		if b.memory == nil {
			return nil, &OutOfMemory{What: what, Want: bytes, Free: d.info.Memory - d.used, Total: d.info.Memory}
		}
	}
	d.used += bytes
	d.keep(b)
	return b, nil
}

// Size returns the bytes of the buffer.
func (b *Buffer) Size() uint64 { return b.size }

// Address returns where the buffer lies on the device.
func (b *Buffer) Address() uint64 {
	if b.memory == nil {
		return 0
	}
	return b.memory.Address()
}

// Free gives the memory back; a second call does nothing.
func (b *Buffer) Free() error { return b.device.drop(b) }

func (b *Buffer) release() error {
	b.freed = true
	b.device.used -= b.size
	if b.memory == nil {
		return nil
	}
	defer func() { b.memory = nil }()
	defer b.memory.Free()
	return b.intact("free")
}

// intact tells whether something has been written just outside of the buffer.
func (b *Buffer) intact(verb string) error {
	if b.memory == nil {
		return nil
	}
	if err := b.memory.Check(); err != nil {
		return b.device.note(&Error{Call: fmt.Sprintf("%s of buffer %q of %d bytes", verb, b.what, b.size), Code: codeLaunchFailed, Name: "EMULATED", Text: err.Error()})
	}
	return nil
}

// part shows n bytes from offset on.
func (b *Buffer) part(verb string, offset, n uint64) ([]byte, error) {
	if err := b.check(verb, offset, n); err != nil || n == 0 {
		return nil, err
	}
	if err := b.device.ask(fmt.Sprintf("%s at %d, %d bytes", verb, offset, n), b.what); err != nil {
		return nil, err
	}
	return b.memory.Bytes[offset : offset+n], b.intact(verb)
}

// Write copies src to the device from the given byte on, and waits.
func (b *Buffer) Write(offset uint64, src []byte) error {
	to, err := b.part("write", offset, uint64(len(src)))
	copy(to, src)
	return err
}

// Read copies from the device to dst, and waits.
func (b *Buffer) Read(offset uint64, dst []byte) error {
	from, err := b.part("read", offset, uint64(len(dst)))
	copy(dst, from)
	return err
}

// Each reads n bytes from the given byte on, and calls f with all of them.
func (b *Buffer) Each(offset, n uint64, f func(at uint64, piece []byte)) error {
	from, err := b.part("read", offset, n)
	if err == nil && n > 0 {
		f(0, from)
	}
	return err
}

// Fill sets n bytes from offset on to a byte, without waiting.
func (b *Buffer) Fill(offset, n uint64, value byte) error {
	to, err := b.part("fill", offset, n)
	for i := range to {
		to[i] = value
	}
	return err
}

// CopyFrom copies n bytes of another buffer, without waiting.
func (b *Buffer) CopyFrom(offset uint64, src *Buffer, from, n uint64) error {
	to, err := b.part("copy to", offset, n)
	if err != nil {
		return err
	}
	source, err := src.part("copy from", from, n)
	if src == b && n > 0 && offset < from+n && from < offset+n {
		return fmt.Errorf("copy within buffer %q: %d bytes from %d on to %d overlap", b.what, n, from, offset)
	}
	copy(to, source)
	return err
}

// Pinned is page-locked host memory.
type Pinned struct {
	device *Device
	memory []byte
	freed  bool
}

// Pin makes page-locked host memory.
func (d *Device) Pin(bytes uint64) (*Pinned, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	if err := d.ask(fmt.Sprintf("cuMemAllocHost(%d)", bytes), ""); err != nil {
		return nil, err
	}
	p := &Pinned{device: d, memory: make([]byte, bytes)}
	d.keep(p)
	return p, nil
}

// Address is where the memory begins, for kernels.
func (p *Pinned) Address() uint64 { return uint64(uintptr(unsafe.Pointer(unsafe.SliceData(p.memory)))) }

// Bytes shows the memory.
func (p *Pinned) Bytes() []byte { return p.memory }

// Free gives the memory back; a second call does nothing.
func (p *Pinned) Free() error { return p.device.drop(p) }

func (p *Pinned) release() error {
	p.memory, p.freed = nil, true
	return nil
}

// ReadAsync copies n bytes from a buffer into pinned memory, without waiting.
func (p *Pinned) ReadAsync(at uint64, src *Buffer, from, n uint64) error {
	memory, err := p.part("read to", at, n)
	if err != nil {
		return err
	}
	return src.Read(from, memory)
}

// WriteAsync copies n bytes of pinned memory into a buffer, without waiting.
func (p *Pinned) WriteAsync(at uint64, dst *Buffer, to, n uint64) error {
	memory, err := p.part("write from", at, n)
	if err != nil {
		return err
	}
	return dst.Write(to, memory)
}

// Event is a point in the device's work.
type Event struct {
	device *Device
	at     time.Time
	freed  bool
}

// Event makes an event.
func (d *Device) Event() (*Event, error) {
	if err := d.ask("cuEventCreate(DEFAULT)", ""); err != nil {
		return nil, err
	}
	e := &Event{device: d}
	d.keep(e)
	return e, d.usable()
}

// Record puts the event behind the work under way.
func (e *Event) Record() error {
	e.at = time.Now()
	if err := e.device.ask("cuEventRecord()", ""); err != nil {
		return err
	}
	return e.Wait()
}

// Done tells whether the work before the event is done.
func (e *Event) Done() (bool, error) { return true, e.Wait() }

// Wait waits for the event.
func (e *Event) Wait() error {
	if e.freed {
		return fmt.Errorf("event %w", errFreed)
	}
	return e.device.usable()
}

// Since returns the device's time since an earlier event; both must be done.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	if err := e.device.ask("cuEventElapsedTime()", ""); err != nil {
		return 0, err
	}
	return e.at.Sub(earlier.at), e.Wait()
}

// Free gives the event back.
func (e *Event) Free() error { return e.device.drop(e) }

func (e *Event) release() error {
	e.freed = true
	return nil
}
