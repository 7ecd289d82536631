//go:build cuda && cgo

package driver

// #include "native.h"
// #include "nvml_api.h"
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"unsafe"
)

const nvmlName = "libnvidia-ml.so.1"

// Energy is the counter of the energy that one device has used, read through
// NVML. It may be used outside of Do.
type Energy struct {
	mu  sync.Mutex
	api *C.pregel_nvml // in C memory; nil when closed
}

// Energy opens the device's counter. It fails where there is no NVML, and with
// devices that have no such counter.
func (d *Device) Energy() (*Energy, error) {
	var bus [32]C.char
	if result := C.cuDeviceGetPCIBusId(&bus[0], C.int(len(bus)), C.CUdevice(d.device)); result != C.CUDA_SUCCESS {
		return nil, fmt.Errorf("energy: cuDeviceGetPCIBusId(%d): CUDA error %d", d.info.Ordinal, int(result))
	}
	return openNVML(nvmlName, C.GoString(&bus[0]))
}

func openNVML(path, bus string) (*Energy, error) {
	e := &Energy{api: (*C.pregel_nvml)(C.calloc(1, C.sizeof_pregel_nvml))}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	if text := C.pregel_nvml_open(e.api, name); text != nil {
		err := fmt.Errorf("energy: no NVML here: %s", C.GoString(text))
		C.free(unsafe.Pointer(e.api))
		return nil, err
	}
	if err := e.failed("nvmlInit_v2()", C.pregel_nvml_init(e.api)); err != nil {
		C.free(unsafe.Pointer(e.api))
		return nil, err
	}
	id := C.CString(bus)
	defer C.free(unsafe.Pointer(id))
	err := e.failed("nvmlDeviceGetHandleByPciBusId_v2("+bus+")", C.pregel_nvml_find(e.api, id))
	if err == nil {
		_, err = e.Joules()
	}
	if err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

func (e *Energy) failed(call string, result C.int) error {
	if result == 0 {
		return nil
	}
	return fmt.Errorf("energy: %s: %s (%d)", call, C.GoString(C.pregel_nvml_error(e.api, result)), int(result))
}

// Joules returns what the device has used since its driver was loaded.
func (e *Energy) Joules() (float64, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.api == nil {
		return 0, errors.New("energy: the counter is closed")
	}
	var used C.ulonglong
	err := e.failed("nvmlDeviceGetTotalEnergyConsumption()", C.pregel_nvml_energy(e.api, &used))
	return float64(used) / 1000, err
}

// Close ends the use of NVML; a second call does nothing.
func (e *Energy) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.api != nil {
		C.pregel_nvml_close(e.api)
		C.free(unsafe.Pointer(e.api))
		e.api = nil
	}
	return nil
}
