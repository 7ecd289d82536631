package mem

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"unsafe"
)

// A file can be cut, or its disk fail, while it is mapped: to read it is then a fault
// (SIGBUS), which ends the process. A goroutine that is guarded panics in place of
// that, and whoever recovers finds out by Fault which file it was. Nothing is asked
// where bytes are read. Goroutines that read graphs are guarded where they begin:
// those of package parallel, the workers of engines, and the command's own.

// A FaultError is that of a mapped file whose bytes could not be read.
type FaultError struct {
	Path string
	At   int64 // the byte
	Size int64 // of the file when it was mapped
	Now  int64 // of what has the name of the file now; -1: there is none
}

func (e *FaultError) Error() string {
	why := "its disk may have failed"
	switch {
	case e.Now < 0:
		why = "it is no longer there"
	case e.Now < e.Size:
		why = fmt.Sprintf("it was cut to %d bytes", e.Now)
	}
	return fmt.Sprintf("%s: byte %d of %d cannot be read any more: %s while it was in use", e.Path, e.At, e.Size, why)
}

// mapped are the files that are mapped: an address tells nothing else of where it
// comes from.
var mapped struct {
	sync.Mutex
	files []*File
}

func (f *File) note() {
	mapped.Lock()
	defer mapped.Unlock()
	mapped.files = append(mapped.files, f)
}

func (f *File) forget() {
	mapped.Lock()
	defer mapped.Unlock()
	mapped.files = slices.DeleteFunc(mapped.files, func(g *File) bool { return f == g })
}

// Fault returns the FaultError of what a guarded goroutine has panicked with, nil if
// that is anything else.
func Fault(thrown any) error {
	err, ok := thrown.(error)
	var at interface{ Addr() uintptr }
	if !ok || !errors.As(err, &at) {
		return nil
	}
	mapped.Lock()
	defer mapped.Unlock()
	for _, f := range mapped.files {
		offset := at.Addr() - uintptr(unsafe.Pointer(unsafe.SliceData(f.data)))
		if offset >= uintptr(len(f.data)) {
			continue
		}
		e := &FaultError{Path: f.path, At: int64(offset), Size: int64(len(f.data)), Now: -1}
		if info, err := os.Stat(f.path); err == nil {
			e.Now = info.Size()
		}
		return e
	}
	return nil
}

// Guarded calls f, and returns a fault in a mapped file as an error.
func Guarded(f func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		r := recover()
		if r == nil {
			return
		}
		if err = Fault(r); err == nil {
			panic(r)
		}
	}()
	return f()
}
