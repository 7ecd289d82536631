//go:build emulate && cgo

package emulator

// #cgo CFLAGS: -O2 -Wall -Wno-parentheses
// #cgo LDFLAGS: -ldl
// #include "launch.h"
// #include <dlfcn.h>
// #include <stdlib.h>
import "C"

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"unsafe"
)

// launching is held by the launch under way: there is one place for fibres.
var launching sync.Mutex

// Module is a shared object that has been loaded.
type Module struct{ handle unsafe.Pointer }

// Load loads what Compile has made.
func Load(image []byte) (*Module, error) {
	file, err := os.CreateTemp("", "gopregel-emulator-*.so")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(image)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	path := C.CString(file.Name())
	defer C.free(unsafe.Pointer(path))
	handle := C.dlopen(path, C.RTLD_NOW|C.RTLD_LOCAL)
	if handle == nil {
		return nil, errors.New(C.GoString(C.dlerror()))
	}
	m := &Module{handle}
	state := (*unsafe.Pointer)(m.symbol("emu"))
	if state == nil {
		m.Close()
		return nil, errors.New("the image is no module of the emulator")
	}
	*state = unsafe.Pointer(C.emu_runtime())
	return m, nil
}

func (m *Module) symbol(name string) unsafe.Pointer {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	return C.dlsym(m.handle, text)
}

// Close unloads the module.
func (m *Module) Close() error {
	if C.dlclose(m.handle) != 0 {
		return errors.New(C.GoString(C.dlerror()))
	}
	return nil
}

// Kernel is an entry point.
type Kernel struct {
	name       string
	entry      *C.emu_entry
	Bound      int   // threads of a block at the most; 0: not said
	Parameters []int // their bytes
}

// Kernel finds an entry point; nil if there is none of that name.
func (m *Module) Kernel(name string) *Kernel {
	entry := (*C.emu_entry)(m.symbol("emu_entry_" + name))
	if entry == nil {
		return nil
	}
	k := &Kernel{name: name, entry: entry, Bound: int(entry.bound)}
	for _, n := range entry.bytes[:entry.count] {
		k.Parameters = append(k.Parameters, int(n))
	}
	return k
}

// Launch runs a kernel to its end. Arguments points to a pointer to each.
func (k *Kernel) Launch(blocks, threads, shared int, cooperative bool, arguments unsafe.Pointer, seed uint64) error {
	launching.Lock()
	defer launching.Unlock()
	const size = 1024
	text := (*C.char)(C.malloc(size))
	name := C.CString(k.name)
	defer C.free(unsafe.Pointer(text))
	defer C.free(unsafe.Pointer(name))
	shape := C.emu_shape{blocks: C.uint(blocks), threads: C.uint(threads), shared: C.uint(shared)}
	if cooperative {
		shape.cooperative = 1
	}
	if C.emu_launch(k.entry, name, shape, (*unsafe.Pointer)(arguments), C.ulonglong(seed), text, size) != C.EMU_FINE {
		return fmt.Errorf("%s (seed %d)", C.GoString(text), seed)
	}
	return nil
}
