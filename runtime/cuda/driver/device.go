//go:build cuda && cgo

package driver

// #include "native.h"
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"gorgonia.org/cu"
)

// Device is one device with a context.
//
// All work goes to one stream of the device, in order. Only Do, Close, Info and
// what merely tells sizes and names may be called outside of Do.
type Device struct {
	info    Info
	device  cu.Device
	context cu.CUContext
	stream  cu.Stream
	staging staging
	work    uint64

	sequences  []*Sequences
	collecting *Sequences // what is asked for now; nil: it is given at once
	untold     error      // of what was given

	calls  chan call
	ended  chan struct{} // closed when the owner is gone
	closed atomic.Bool
	fault  atomic.Pointer[Error] // what has cost the context

	mu    sync.Mutex
	alive map[resource]struct{}
}

// Devices lists the devices of this host.
func Devices() ([]Info, error) {
	list, err := devices()
	return list, opening(err)
}

func devices() ([]Info, error) {
	if err := start(); err != nil {
		return nil, err
	}
	n, err := cu.NumDevices()
	if err != nil {
		return nil, failed(err, "cuDeviceGetCount()")
	}
	if n == 0 {
		return nil, noDevice(errors.New("cuDeviceGetCount: 0"))
	}
	list := make([]Info, n)
	for i := range list {
		if _, list[i], err = describe(i); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// start initialises CUDA; again does nothing.
func start() error {
	result := int(C.gopregel_init())
	if result == 0 {
		return nil
	}
	err := newError(result, "cuInit(0)")
	switch result {
	case codeNoDevice, codeStub:
		return noDevice(err)
	}
	return fmt.Errorf("CUDA does not start: %w; see whether `nvidia-smi` works: the driver's library and kernel module must have the same version", err)
}

// Open makes a context on a device.
func Open(ordinal int) (*Device, error) {
	list, err := Devices()
	if err != nil {
		return nil, err
	}
	if ordinal < 0 || ordinal >= len(list) {
		return nil, fmt.Errorf("CUDA device %d: this host has %d, counted from 0", ordinal, len(list))
	}
	d := &Device{
		calls: make(chan call), ended: make(chan struct{}),
		alive: map[resource]struct{}{},
	}
	if d.device, d.info, err = describe(ordinal); err != nil {
		return nil, opening(err)
	}
	started := make(chan error, 1)
	go d.own(d.create, started)
	if err := <-started; err != nil {
		return nil, opening(err)
	}
	return d, nil
}

// create makes context and stream, on the owner's thread.
func (d *Device) create() (err error) {
	if d.context, err = d.device.MakeContext(cu.SchedAuto); err != nil {
		return failed(err, "cuCtxCreate(SCHED_AUTO, %d)", d.info.Ordinal)
	}
	if d.stream, err = cu.MakeStream(cu.NonBlocking); err != nil {
		err = failed(err, "cuStreamCreate(NON_BLOCKING)")
		return errors.Join(err, d.context.Destroy())
	}
	return nil
}

// current makes the context current on the calling thread.
func (d *Device) current() error {
	if err := cu.SetCurrentContext(d.context); err != nil {
		return d.note(failed(err, "cuCtxSetCurrent(%v)", d.context))
	}
	return nil
}

// destroy runs on the owner's thread, which ends after it. When a kernel has
// faulted every call fails, and what the device held goes with the context.
func (d *Device) destroy() error {
	d.closed.Store(true)
	var errs []error
	if err := d.stream.Synchronize(); err != nil {
		errs = append(errs, d.note(failed(err, "cuStreamSynchronize()")))
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, s := range d.sequences { // before the events and modules that their graphs name
		s.release()
	}
	for r := range d.alive {
		errs = append(errs, r.release())
	}
	clear(d.alive)
	if err := d.stream.Destroy(); err != nil {
		errs = append(errs, failed(err, "cuStreamDestroy()"))
	}
	if err := d.context.Destroy(); err != nil {
		errs = append(errs, failed(err, "cuCtxDestroy()"))
	}
	if d.lost() {
		return nil
	}
	return errors.Join(errs...)
}

// Info describes the device.
func (d *Device) Info() Info { return d.info }

// Memory returns the bytes free and in all.
func (d *Device) Memory() (free, total uint64, err error) {
	if err := d.usable(); err != nil {
		return 0, 0, err
	}
	f, t, err := cu.MemInfo()
	if err != nil {
		return 0, 0, d.note(failed(err, "cuMemGetInfo()"))
	}
	return uint64(f), uint64(t), nil
}

// ready gives what was collected, and says why nothing can be done with the device.
func (d *Device) ready() error {
	if err := d.usable(); err != nil {
		return err
	}
	return d.flush()
}

// Sync waits for all work under way.
func (d *Device) Sync() error {
	if err := d.ready(); err != nil {
		return err
	}
	if err := d.stream.Synchronize(); err != nil {
		return d.note(failed(err, "cuStreamSynchronize()"))
	}
	return nil
}
