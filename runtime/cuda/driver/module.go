//go:build cuda && cgo

package driver

// #include "native.h"
import "C"

import (
	"fmt"
	"unsafe"

	"gorgonia.org/cu"
)

// Module is a loaded image.
type Module struct {
	device *Device
	module cu.Module
	freed  bool
}

// Load loads a compiled image.
func (d *Device) Load(image []byte) (*Module, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	module, err := cu.LoadData(string(image))
	if err != nil {
		return nil, d.note(failed(err, "cuModuleLoadData(%d bytes)", len(image)))
	}
	m := &Module{device: d, module: module}
	d.keep(m)
	return m, nil
}

// Unload gives the module back; a second call does nothing.
func (m *Module) Unload() error { return m.device.drop(m) }

func (m *Module) release() error {
	m.freed = true
	m.device.forget(func(i item) bool { return i.kernel != nil && i.kernel.module == m })
	if m.device.lost() {
		return nil
	}
	if err := m.module.Unload(); err != nil {
		return m.device.note(failed(err, "cuModuleUnload()"))
	}
	return nil
}

// Kernel is an entry point of a module.
type Kernel struct {
	module     *Module
	name       string
	function   cu.Function
	info       KernelInfo
	known      bool  // the driver tells about parameters
	parameters []int // their bytes
}

// Kernel finds an entry point, declared extern "C".
func (m *Module) Kernel(name string) (*Kernel, error) {
	if err := m.check(name); err != nil {
		return nil, err
	}
	function, err := m.module.Function(name)
	if err != nil {
		return nil, m.device.note(failed(err, "cuModuleGetFunction(%q)", name))
	}
	k := &Kernel{module: m, name: name, function: function}
	for _, a := range []struct {
		what cu.FunctionAttribute
		to   *int
	}{
		{cu.NumRegs, &k.info.Registers},
		{cu.SharedSizeBytes, &k.info.Shared},
		{cu.LocalSizeBytes, &k.info.Local},
		{cu.FnMaxThreadsPerBlock, &k.info.MaxThreads},
	} {
		if *a.to, err = function.Attribute(a.what); err != nil {
			return nil, m.device.note(failed(err, "cuFuncGetAttribute(%d, %s)", a.what, name))
		}
	}
	k.findParameters()
	return k, nil
}

// findParameters asks for the sizes of the parameters, so that Launch can
// refuse arguments that are too few: the driver would read past their end.
func (k *Kernel) findParameters() {
	for {
		size := int(C.pregel_parameter(k.raw(), C.size_t(len(k.parameters))))
		if size < 0 {
			k.known = size == -1
			return
		}
		k.parameters = append(k.parameters, size)
	}
}

// A cu.Function is its CUfunction, which cu does not hand out.
func (k *Kernel) raw() C.CUfunction { return *(*C.CUfunction)(unsafe.Pointer(&k.function)) }

var _ [unsafe.Sizeof(cu.Function{})]byte = [unsafe.Sizeof(C.CUfunction(nil))]byte{}

// Info returns the kernel's resources.
func (k *Kernel) Info() KernelInfo { return k.info }

// Name returns the name of the entry point.
func (k *Kernel) Name() string { return k.name }

// Resident returns how many blocks of so many threads run on one multiprocessor
// at the same time.
func (k *Kernel) Resident(threads, shared int) (int, error) {
	if err := k.module.check(k.name); err != nil {
		return 0, err
	}
	n, err := k.function.MaxActiveBlocksPerMultiProcessor(threads, int64(shared))
	if err != nil {
		return 0, k.module.device.note(failed(err, "cuOccupancyMaxActiveBlocksPerMultiprocessor(%s, %d, %d)", k.name, threads, shared))
	}
	return n, nil
}

// AllowShared raises the dynamic shared memory that a block may have.
func (k *Kernel) AllowShared(bytes int) error {
	if err := k.module.check(k.name); err != nil {
		return err
	}
	result := C.cuFuncSetAttribute(k.raw(), C.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, C.int(bytes))
	if result != C.CUDA_SUCCESS {
		return k.module.device.note(newError(int(result), fmt.Sprintf("cuFuncSetAttribute(%s, MAX_DYNAMIC_SHARED_SIZE_BYTES, %d)", k.name, bytes)))
	}
	return nil
}
