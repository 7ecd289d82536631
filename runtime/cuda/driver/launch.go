//go:build cuda && cgo

package driver

// #include "native.h"
import "C"

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Launch starts the kernel, without waiting and without allocating. The
// arguments are copied; nil means none.
func (k *Kernel) Launch(s Shape, a *Args) error {
	if err := k.module.check(k.name); err != nil {
		return err
	}
	if s.Blocks < 1 || s.Threads < 1 || s.Shared < 0 {
		return fmt.Errorf("kernel %s: cannot launch %d blocks of %d threads with %d bytes of shared memory", k.name, s.Blocks, s.Threads, s.Shared)
	}
	if err := k.fits(a); err != nil {
		return err
	}
	if err := k.reaches(a); err != nil {
		return err
	}
	cooperative := C.int(0)
	if s.Cooperative {
		cooperative = 1
	}
	d := k.module.device
	stream := C.CUstream(unsafe.Pointer(d.stream.C()))
	result := C.pregel_launch(k.raw(), C.uint(s.Blocks), C.uint(s.Threads), C.uint(s.Shared), stream, a.pointers(), cooperative)
	runtime.KeepAlive(a)
	if result != C.CUDA_SUCCESS {
		return d.note(newError(int(result), fmt.Sprintf("%s(%s, %d blocks, %d threads, %d bytes shared)", launchCall[cooperative], k.name, s.Blocks, s.Threads, s.Shared)))
	}
	return nil
}

var launchCall = [...]string{"cuLaunchKernel", "cuLaunchCooperativeKernel"}

// fits compares the arguments with the kernel's parameters.
func (k *Kernel) fits(a *Args) error {
	if a.failure() != nil {
		return fmt.Errorf("kernel %s: %w", k.name, a.failure())
	}
	if !k.known {
		return nil
	}
	sizes := a.sizes()
	if len(sizes) != len(k.parameters) {
		return fmt.Errorf("kernel %s: %d arguments given, it has %d parameters", k.name, len(sizes), len(k.parameters))
	}
	for i, n := range k.parameters {
		if sizes[i] != n {
			return fmt.Errorf("kernel %s: argument %d has %d bytes, the parameter has %d", k.name, i, sizes[i], n)
		}
	}
	return nil
}

// reaches holds the buffers among the arguments against those of the device. It
// cannot see the addresses within structs.
func (k *Kernel) reaches(a *Args) error {
	if a == nil {
		return nil
	}
	for i, b := range a.buffers {
		switch {
		case b == nil:
		case b.freed:
			return fmt.Errorf("kernel %s: argument %d: buffer %q %w", k.name, i, b.what, errFreed)
		case b.device != k.module.device:
			return fmt.Errorf("kernel %s: argument %d: buffer %q belongs to another device", k.name, i, b.what)
		}
	}
	return nil
}
