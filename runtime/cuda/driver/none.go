//go:build !cuda && !emulate

package driver

import "time"

// Devices lists the devices of this host.
func Devices() ([]Info, error) { return nil, ErrNotBuilt }

// Open makes a context on a device.
func Open(ordinal int) (*Device, error) { return nil, ErrNotBuilt }

// Device is one device with a context.
type Device struct{}

// Do runs f on the device's thread, and returns what it returns. Within f it
// runs f at once.
func (d *Device) Do(f func() error) error { return ErrNotBuilt }

// Close frees all that the device has made.
func (d *Device) Close() error { return nil }

// Info describes the device.
func (d *Device) Info() Info { return Info{} }

// Memory returns the bytes free and in all.
func (d *Device) Memory() (free, total uint64, err error) { return 0, 0, ErrNotBuilt }

// Work counts what has been asked of the device.
func (d *Device) Work() uint64 { return 0 }

// Sync waits for all work under way.
func (d *Device) Sync() error { return ErrNotBuilt }

// Alloc makes a buffer of device memory; what names it in errors.
func (d *Device) Alloc(bytes uint64, what string) (*Buffer, error) { return nil, ErrNotBuilt }

// Buffer is device memory.
type Buffer struct{}

// Size returns the bytes of the buffer.
func (b *Buffer) Size() uint64 { return 0 }

// Address returns where the buffer lies on the device.
func (b *Buffer) Address() uint64 { return 0 }

// Free gives the memory back; a second call does nothing.
func (b *Buffer) Free() error { return nil }

// Write copies src to the device from the given byte on, and waits.
func (b *Buffer) Write(offset uint64, src []byte) error { return ErrNotBuilt }

// Read copies from the device to dst, and waits.
func (b *Buffer) Read(offset uint64, dst []byte) error { return ErrNotBuilt }

// Each reads n bytes from the given byte on, and calls f with pieces of them.
func (b *Buffer) Each(offset, n uint64, f func(at uint64, piece []byte)) error { return ErrNotBuilt }

// Fill sets n bytes from offset on to a byte, without waiting.
func (b *Buffer) Fill(offset, n uint64, value byte) error { return ErrNotBuilt }

// CopyFrom copies n bytes of another buffer, without waiting.
func (b *Buffer) CopyFrom(offset uint64, src *Buffer, from, n uint64) error { return ErrNotBuilt }

// Pin makes page-locked host memory, which the device copies to and from at
// full speed.
func (d *Device) Pin(bytes uint64) (*Pinned, error) { return nil, ErrNotBuilt }

// Pinned is page-locked host memory.
type Pinned struct{}

// Address has no address to give.
func (p *Pinned) Address() uint64 { return 0 }

// Bytes shows the memory.
func (p *Pinned) Bytes() []byte { return nil }

// Free gives the memory back.
func (p *Pinned) Free() error { return nil }

// ReadAsync copies n bytes from a buffer into pinned memory, without waiting.
func (p *Pinned) ReadAsync(at uint64, src *Buffer, from, n uint64) error { return ErrNotBuilt }

// WriteAsync copies n bytes of pinned memory into a buffer, without waiting.
func (p *Pinned) WriteAsync(at uint64, dst *Buffer, to, n uint64) error { return ErrNotBuilt }

// Sequences gives the device's first work of a run in one call.
type Sequences struct{}

// NewSequences makes one, which lasts as long as the device.
func (d *Device) NewSequences() *Sequences { return &Sequences{} }

// Collect begins with a sequence: launches and events are collected until anything else
// is asked of the device.
func (d *Device) Collect(*Sequences) error { return ErrNotBuilt }

// Event makes an event.
func (d *Device) Event() (*Event, error) { return nil, ErrNotBuilt }

// Event is a point in the device's work.
type Event struct{}

// Record puts the event behind the work under way.
func (e *Event) Record() error { return ErrNotBuilt }

// Done tells whether the work before the event is done.
func (e *Event) Done() (bool, error) { return false, ErrNotBuilt }

// Wait waits for the event.
func (e *Event) Wait() error { return ErrNotBuilt }

// Since returns the device's time since an earlier event; both must be done.
func (e *Event) Since(earlier *Event) (time.Duration, error) { return 0, ErrNotBuilt }

// Free gives the event back.
func (e *Event) Free() error { return nil }

// Compile compiles a source with NVRTC. It needs no device. Name stands for the
// source in messages, as in #line.
func Compile(name, source string, o CompileOptions) (Compiled, error) { return Compiled{}, ErrNotBuilt }

// Compiler returns the version of NVRTC, such as "11.8".
func Compiler() (string, error) { return "", ErrNotBuilt }

// Load loads a compiled image.
func (d *Device) Load(image []byte) (*Module, error) { return nil, ErrNotBuilt }

// Module is a loaded image.
type Module struct{}

// Kernel finds an entry point, declared extern "C".
func (m *Module) Kernel(name string) (*Kernel, error) { return nil, ErrNotBuilt }

// Unload gives the module back.
func (m *Module) Unload() error { return nil }

// Kernel is an entry point of a module.
type Kernel struct{}

// Info returns the kernel's resources.
func (k *Kernel) Info() KernelInfo { return KernelInfo{} }

// Name returns the name of the entry point.
func (k *Kernel) Name() string { return "" }

// Resident returns how many blocks of so many threads run on one multiprocessor
// at the same time.
func (k *Kernel) Resident(threads, shared int) (int, error) { return 0, ErrNotBuilt }

// AllowShared raises the dynamic shared memory that a block may have.
func (k *Kernel) AllowShared(bytes int) error { return ErrNotBuilt }

// Launch starts the kernel, without waiting and without allocating. The
// arguments are copied.
func (k *Kernel) Launch(s Shape, a *Args) error { return ErrNotBuilt }

// Args are the arguments of a launch, kept from launch to launch.
type Args struct{}

// NewArgs returns an empty list of arguments.
func NewArgs() *Args { return &Args{} }

// Buffer appends the address of a buffer; nil is the null pointer.
func (a *Args) Buffer(b *Buffer) *Args { return a }

// Uint32 appends a number.
func (a *Args) Uint32(x uint32) *Args { return a }

// Uint64 appends a number.
func (a *Args) Uint64(x uint64) *Args { return a }

// Float32 appends a number.
func (a *Args) Float32(x float32) *Args { return a }

// Float64 appends a number.
func (a *Args) Float64(x float64) *Args { return a }

// Bytes appends a struct given by value, aligned to 8 bytes.
func (a *Args) Bytes(x []byte) *Args { return a }

// SetBuffer replaces argument i, as do the others.
func (a *Args) SetBuffer(i int, b *Buffer) {}

// SetUint32 replaces argument i.
func (a *Args) SetUint32(i int, x uint32) {}

// SetUint64 replaces argument i.
func (a *Args) SetUint64(i int, x uint64) {}

// SetBytes replaces argument i.
func (a *Args) SetBytes(i int, x []byte) {}

// SetFloat64 replaces argument i.
func (a *Args) SetFloat64(i int, x float64) {}
