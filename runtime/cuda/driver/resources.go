//go:build (cuda || emulate) && cgo

package driver

import (
	"errors"
	"fmt"
)

var (
	errClosed = errors.New("the CUDA device is closed")
	errFreed  = errors.New("has been freed")
)

// A resource is what a device made and Close frees.
type resource interface{ release() error }

// keep remembers what Close has to free.
func (d *Device) keep(r resource) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.alive[r] = struct{}{}
}

// drop frees a resource, unless that has been done.
func (d *Device) drop(r resource) error {
	d.mu.Lock()
	_, alive := d.alive[r]
	delete(d.alive, r)
	d.mu.Unlock()
	if !alive {
		return nil
	}
	d.settle()
	return r.release()
}

// Close frees all that the device has made; a second call does nothing.
func (d *Device) Close() error {
	err := d.Do(d.destroy)
	if errors.Is(err, errClosed) {
		return nil
	}
	return err
}

// note remembers the first error that has cost the context.
func (d *Device) note(e *Error) error {
	if e.Fatal() {
		d.fault.CompareAndSwap(nil, e)
	}
	return e
}

// usable says why nothing can be done with the device.
func (d *Device) usable() error {
	if d.closed.Load() {
		return errClosed
	}
	if e := d.fault.Load(); e != nil {
		return fmt.Errorf("%w (%w)", ErrLost, e)
	}
	return nil
}
