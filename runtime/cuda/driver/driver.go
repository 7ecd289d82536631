// Package driver is the one way to a CUDA device. It is the only package that
// may import gorgonia.org/cu, cgo and (beside pregel/mem) unsafe.
//
// Built without the tag cuda it has no device: Devices and Open return
// ErrNotBuilt. Everything here has the same signatures either way.
//
// A Device owns one context, current on one locked thread: Do runs a function
// there, and all methods of Device and of what it made are to be called from
// within Do. Buffers, modules and events belong to the device that made them;
// Close frees what is left.
package driver

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrNotBuilt says that this binary has no CUDA in it.
var ErrNotBuilt = errors.New("this pregel is built without CUDA: build it with `make gpu`, on a machine with a CUDA toolkit")

// ErrNoDevice says that the driver library found no device.
var ErrNoDevice = errors.New("no CUDA device")

// ErrLost says that a kernel has faulted, and that a call was not made for it:
// a context is lost with all that it held. After Close, Open may give a new one.
var ErrLost = errors.New("the CUDA device is lost with all that it held: close it and open it again")

// ErrRestart says that no context can be had any more in this process. CUDA
// guarantees none after a fault; it refuses one at least as long as others of
// the process are open.
var ErrRestart = errors.New("no CUDA device for this process any more, since one of its kernels has faulted: start the process again")

// Info describes a device.
type Info struct {
	Ordinal      int
	Name         string
	Major, Minor int    // compute capability
	Memory       uint64 // bytes
	Processors   int    // streaming multiprocessors
	L2           int    // bytes
	SharedBlock  int    // bytes of shared memory a block may ask for at the most
	ClockKHz     int
	Driver       int // version of the driver's CUDA, 13000 for 13.0
	Cooperative  bool
}

// An Error is a CUDA call that failed.
type Error struct {
	Call string // with its arguments: "cuMemAlloc(4096)"
	Code int    // CUresult
	Name string // CUDA_ERROR_OUT_OF_MEMORY
	Text string
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s: %s (%d): %s", e.Call, e.Name, e.Code, e.Text)
	if e.Fatal() {
		text += "; all that the device held is lost, and an earlier call may be the cause"
	}
	return text
}

// fatal are the results after which every call in the context fails: ECC,
// NVLink and contained errors, illegal address, timeout, destroyed context,
// assert, stack error, illegal instruction, misaligned address, wrong address
// space, wrong program counter, launch failure, tensor memory leak. Others of
// the range, such as 701 (too many resources asked for), leave it well.
var fatal = []int{214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721}

// Fatal tells whether the device's context is lost: a kernel has faulted, and
// every later call will fail too.
func (e *Error) Fatal() bool { return slices.Contains(fatal, e.Code) }

// OutOfMemory says that a buffer did not fit.
type OutOfMemory struct {
	What              string
	Want, Free, Total uint64 // bytes
}

func (e *OutOfMemory) Error() string {
	return fmt.Sprintf("device memory: %s needs %d bytes, %d of %d are free", e.What, e.Want, e.Free, e.Total)
}

// CompileError is what NVRTC has to say about a source that does not compile.
type CompileError struct {
	Name string // of the source
	Log  string // with file and line of each error
}

func (e *CompileError) Error() string { return fmt.Sprintf("%s does not compile:\n%s", e.Name, e.Log) }

// Shape is the shape of a launch.
type Shape struct {
	Blocks, Threads int
	Shared          int  // bytes of dynamic shared memory
	Cooperative     bool // all blocks run at the same time
}

// KernelInfo are the resources of a compiled kernel.
type KernelInfo struct {
	Registers, Shared, Local, MaxThreads int
}

// Compiled is a source that has been compiled.
type Compiled struct {
	Image  []byte // cubin
	Log    string // warnings
	Cached bool   // it came from the cache on disk
}

// CompileOptions say how a source is compiled.
type CompileOptions struct {
	Arch    string   // "sm_90"
	Defines []string // "NAME=VALUE"
	Flags   []string // further options of NVRTC
	Cache   string   // folder for compiled forms, "" for none
}

// Elapsed is how long the device took between two events.
type Elapsed = time.Duration
