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
	if collected, err := k.module.device.collecting.launch(k, s, a); collected || err != nil {
		return err
	}
	err := k.start(s, a.pointers())
	runtime.KeepAlive(a)
	return err
}

func (k *Kernel) start(s Shape, arguments *unsafe.Pointer) error {
	cooperative := C.int(0)
	if s.Cooperative {
		cooperative = 1
	}
	d := k.module.device
	stream := C.CUstream(unsafe.Pointer(d.stream.C()))
	result := C.pregel_launch(k.raw(), C.uint(s.Blocks), C.uint(s.Threads), C.uint(s.Shared), stream, arguments, cooperative)
	if result != C.CUDA_SUCCESS {
		return d.note(newError(int(result), fmt.Sprintf("%s(%s, %d blocks, %d threads, %d bytes shared)", launchCall[cooperative], k.name, s.Blocks, s.Threads, s.Shared)))
	}
	return nil
}

var launchCall = [...]string{"cuLaunchKernel", "cuLaunchCooperativeKernel"}
