//go:build cuda && cgo

package driver

// #include "native.h"
import "C"

import (
	"errors"
	"fmt"

	"gorgonia.org/cu"
)

// Codes that are looked for: CUresult.
const (
	codeOutOfMemory    = 2
	codeStub           = 34
	codeNoDevice       = 100
	codeInvalidContext = 201
	codeNotReady       = 600
)

// code takes the CUresult out of an error of package cu, whose type of it is
// not exported; of gives that type.
func code[T interface {
	~int
	error
}](of T, err error) int {
	if result, ok := err.(T); ok {
		return int(result)
	}
	return -1
}

// failed makes an Error of a call that failed. It formats only then, so that a
// call which succeeds allocates nothing.
func failed(err error, format string, a ...any) *Error {
	n := code(cu.Success, err)
	if n < 0 {
		return &Error{Call: fmt.Sprintf(format, a...), Code: n, Name: "unknown", Text: err.Error()}
	}
	return newError(n, fmt.Sprintf(format, a...))
}

func newError(code int, call string) *Error {
	e := &Error{Call: call, Code: code, Name: "unknown", Text: "the driver has no text for it"}
	var s *C.char
	if C.cuGetErrorName(C.CUresult(code), &s) == C.CUDA_SUCCESS {
		e.Name = C.GoString(s)
	}
	if C.cuGetErrorString(C.CUresult(code), &s) == C.CUDA_SUCCESS {
		e.Text = C.GoString(s)
	}
	if code == codeInvalidContext && C.pregel_owned() == 0 {
		e.Text += " (the call was made outside Device.Do)"
	}
	return e
}

// lost tells whether the context is gone, and with it all that it held.
func (d *Device) lost() bool { return d.fault.Load() != nil }

// opening explains an error that an earlier fault in this process has left.
func opening(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Fatal() {
		return fmt.Errorf("%w (%w)", ErrRestart, err)
	}
	return err
}

// noDevice says what to do when CUDA does not start or finds nothing.
func noDevice(err error) error {
	return fmt.Errorf("%w (%w); `nvidia-smi` should list one (a container needs it passed in: docker run --gpus all), and CUDA_VISIBLE_DEVICES must not hide it; without one, run with `engine: {device: cpu}`", ErrNoDevice, err)
}
