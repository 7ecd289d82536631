//go:build (cuda || emulate) && cgo

package driver

// #include "owner.h"
import "C"

import (
	"runtime"
	"runtime/debug"
	"unsafe"
)

// A call is a function on its way to the owner.
type call struct {
	f    func() error
	done chan outcome // holds one
}

// outcome is how f ended: by return, by panic, or by runtime.Goexit, as
// testing.T.FailNow does.
type outcome struct {
	err      error
	panicked any
	how      ending
}

type ending int

const (
	exited ending = iota
	returned
	panicked
)

// Do runs f on the device's thread, and returns what it returns. Within f it
// runs f at once. A panic of f is thrown again in the caller. What f starts in
// other goroutines is not within it, and f must not wait for their Do.
func (d *Device) Do(f func() error) error {
	if d.owned() {
		if d.closed.Load() {
			return errClosed
		}
		return f()
	}
	c := call{f: f, done: make(chan outcome, 1)}
	select {
	case d.calls <- c:
	case <-d.ended:
		return errClosed
	}
	o := <-c.done
	switch o.how {
	case panicked:
		panic(o.panicked)
	case exited:
		runtime.Goexit()
	}
	return o.err
}

// owned tells whether the caller is the owner: its goroutine is locked to a
// thread of its own, which is marked.
func (d *Device) owned() bool { return uintptr(C.pregel_owned()) == d.mark() }

func (d *Device) mark() uintptr { return uintptr(unsafe.Pointer(d)) }

// own makes the calling goroutine the owner until the device is closed; setup
// makes the context current. A function that ends the goroutine takes the
// thread with it; another goroutine becomes the owner then.
func (d *Device) own(setup func() error, started chan<- error) {
	debug.SetPanicOnFault(true) // see mem.Fault
	runtime.LockOSThread()      // never unlocked: the thread ends with the goroutine
	C.pregel_own(C.uintptr_t(d.mark()))
	if err := setup(); err != nil {
		d.closed.Store(true)
		close(d.ended)
		started <- err
		return
	}
	close(started)
	for !d.closed.Load() {
		d.run(<-d.calls)
	}
	close(d.ended)
}

// run runs one function and answers its caller, however it ends.
func (d *Device) run(c call) {
	var o outcome
	defer func() {
		switch {
		case o.how != exited:
		case d.closed.Load():
			close(d.ended)
		default:
			started := make(chan error, 1)
			go d.own(d.current, started)
			<-started
		}
		c.done <- o
	}()
	o = attempt(c.f)
	if err := d.flush(); o.how == returned && o.err == nil {
		o.err = err
	}
}

// attempt runs f and catches its panic.
func attempt(f func() error) (o outcome) {
	defer func() {
		if o.how == returned {
			return
		}
		if p := recover(); p != nil {
			o = outcome{panicked: p, how: panicked}
		}
	}()
	o.err = f()
	o.how = returned
	return o
}
