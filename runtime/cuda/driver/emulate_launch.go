//go:build emulate && !cuda && cgo

package driver

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"gopregel/runtime/cuda/driver/emulator"
)

// codeLaunchFailed is the result of a kernel that has gone wrong: CUresult.
const codeLaunchFailed = 719

// Module is a loaded image.
type Module struct {
	device *Device
	module *emulator.Module
	freed  bool
}

// Load loads a compiled image.
func (d *Device) Load(image []byte) (*Module, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	if err := d.ask(fmt.Sprintf("cuModuleLoadData(%d bytes)", len(image)), ""); err != nil {
		return nil, err
	}
	module, err := emulator.Load(image)
	if err != nil {
		return nil, err
	}
	m := &Module{device: d, module: module}
	d.keep(m)
	return m, nil
}

// Unload gives the module back; a second call does nothing.
func (m *Module) Unload() error { return m.device.drop(m) }

func (m *Module) release() error {
	m.freed = true
	return m.module.Close()
}

// Kernel is an entry point of a module.
type Kernel struct {
	module     *Module
	name       string
	kernel     *emulator.Kernel
	known      bool // always
	parameters []int
}

// Kernel finds an entry point, declared extern "C".
func (m *Module) Kernel(name string) (*Kernel, error) {
	if err := m.check(name); err != nil {
		return nil, err
	}
	if err := m.device.ask("cuModuleGetFunction()", name); err != nil {
		return nil, err
	}
	k := m.module.Kernel(name)
	if k == nil {
		return nil, &Error{Call: fmt.Sprintf("cuModuleGetFunction(%q)", name), Code: 500, Name: "CUDA_ERROR_NOT_FOUND", Text: "the module has no such kernel"}
	}
	return &Kernel{module: m, name: name, kernel: k, known: true, parameters: k.Parameters}, nil
}

// Info returns the kernel's resources.
func (k *Kernel) Info() KernelInfo { return KernelInfo{MaxThreads: k.bound()} }

// bound is how many threads a block has at the most.
func (k *Kernel) bound() int {
	if k.kernel.Bound > 0 {
		return k.kernel.Bound
	}
	return 1024
}

// Name returns the name of the entry point.
func (k *Kernel) Name() string { return k.name }

// Resident returns how many blocks of so many threads run on one multiprocessor
// at the same time: one.
func (k *Kernel) Resident(threads, shared int) (int, error) {
	return 1, errors.Join(k.module.check(k.name), k.module.device.ask("cuOccupancyMaxActiveBlocksPerMultiprocessor()", k.name))
}

// AllowShared raises the dynamic shared memory that a block may have.
func (k *Kernel) AllowShared(bytes int) error { return k.module.check(k.name) }

// Launch runs the kernel.
func (k *Kernel) Launch(s Shape, a *Args) error {
	if err := k.module.check(k.name); err != nil {
		return err
	}
	d := k.module.device
	if s.Blocks < 1 || s.Threads < 1 || s.Shared < 0 || s.Threads > k.bound() || s.Cooperative && s.Blocks > d.info.Processors {
		return fmt.Errorf("kernel %s: cannot launch %d blocks of %d threads with %d bytes of shared memory", k.name, s.Blocks, s.Threads, s.Shared)
	}
	if err := k.fits(a); err != nil {
		return err
	}
	if err := k.reaches(a); err != nil {
		return err
	}
	if err := d.ask("cuLaunchKernel()", k.name); err != nil {
		return err
	}
	err := k.kernel.Launch(s.Blocks, s.Threads, s.Shared, s.Cooperative, unsafe.Pointer(a.pointers()), d.rand.Uint64())
	runtime.KeepAlive(a)
	call := fmt.Sprintf("launch of %s, %d blocks of %d threads", k.name, s.Blocks, s.Threads)
	if err != nil {
		return d.note(&Error{Call: call, Code: codeLaunchFailed, Name: "EMULATED", Text: err.Error()})
	}
	return d.intact(call)
}

// intact tells whether a launch has written just outside of buffers.
func (d *Device) intact(call string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for r := range d.alive {
		if b, ok := r.(*Buffer); ok {
			if err := b.intact(call); err != nil {
				return err
			}
		}
	}
	return nil
}
