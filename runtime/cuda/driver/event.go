//go:build cuda && cgo

package driver

// #include "native.h"
import "C"

import (
	"errors"
	"fmt"
	"time"
	"unsafe"

	"gorgonia.org/cu"
)

// Event is a point in the device's work.
type Event struct {
	device *Device
	event  cu.Event
	freed  bool
}

// Event makes an event.
func (d *Device) Event() (*Event, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	event, err := cu.MakeEvent(cu.DefaultEvent)
	if err != nil {
		return nil, d.note(failed(err, "cuEventCreate(DEFAULT)"))
	}
	e := &Event{device: d, event: event}
	d.keep(e)
	return e, nil
}

func (e *Event) check(verb string) error {
	if e.freed {
		return fmt.Errorf("%s: event %w", verb, errFreed)
	}
	if err := e.device.usable(); err != nil {
		return fmt.Errorf("%s: event: %w", verb, err)
	}
	return nil
}

// Record puts the event behind the work under way.
func (e *Event) Record() error {
	if err := e.check("record"); err != nil {
		return err
	}
	if collected, err := e.device.collecting.record(e); collected || err != nil {
		return err
	}
	return e.record()
}

// raw is the CUevent of a cu.Event, which cu does not hand out.
func (e *Event) raw() C.CUevent { return *(*C.CUevent)(unsafe.Pointer(&e.event)) }

var _ [unsafe.Sizeof(cu.Event{})]byte = [unsafe.Sizeof(C.CUevent(nil))]byte{}

func (e *Event) record() error {
	if err := e.event.Record(e.device.stream); err != nil {
		return e.device.note(failed(err, "cuEventRecord()"))
	}
	return nil
}

// Done tells whether the work before the event is done.
func (e *Event) Done() (bool, error) {
	if err := errors.Join(e.check("query"), e.device.flush()); err != nil {
		return false, err
	}
	err := e.event.Query()
	switch {
	case err == nil:
		return true, nil
	case code(cu.Success, err) == codeNotReady:
		return false, nil
	}
	return false, e.device.note(failed(err, "cuEventQuery()"))
}

// Wait waits for the event.
func (e *Event) Wait() error {
	if err := errors.Join(e.check("wait"), e.device.flush()); err != nil {
		return err
	}
	if err := e.event.Synchronize(); err != nil {
		return e.device.note(failed(err, "cuEventSynchronize()"))
	}
	return nil
}

// Since returns the device's time since an earlier event; both must be done.
func (e *Event) Since(earlier *Event) (time.Duration, error) {
	for _, x := range []*Event{e, earlier} {
		if err := x.check("elapsed"); err != nil {
			return 0, err
		}
	}
	if err := e.device.flush(); err != nil {
		return 0, err
	}
	ms, err := earlier.event.Elapsed(e.event)
	if err != nil {
		return 0, e.device.note(failed(err, "cuEventElapsedTime()"))
	}
	return time.Duration(ms * float64(time.Millisecond)), nil
}

// Free gives the event back; a second call does nothing.
func (e *Event) Free() error { return e.device.drop(e) }

func (e *Event) release() error {
	e.freed = true
	e.device.forget(func(i item) bool { return i.event == e })
	if e.device.lost() {
		return nil
	}
	if err := cu.DestroyEvent(&e.event); err != nil {
		return e.device.note(failed(err, "cuEventDestroy()"))
	}
	return nil
}
