//go:build emulate && !cuda && cgo

package driver

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"sync"
	"sync/atomic"

	"gopregel/runtime/cuda/driver/emulator"
)

// Device is an emulated device: see package emulator. Its work is done at once,
// and a launch waits.
type Device struct {
	// Fail, if set, is asked before each call of the driver: tests have calls fail by
	// it. What it returns is the result of the call, which then does nothing.
	Fail func(call string) error

	info Info
	rand *rand.Rand // the seeds of launches
	used uint64
	work uint64

	calls  chan call
	ended  chan struct{} // closed when the owner is gone
	closed atomic.Bool
	fault  atomic.Pointer[Error] // what has cost the context

	mu    sync.Mutex
	alive map[resource]struct{}
}

// seedEnv is the environment variable that repeats a run.
const seedEnv = "GOPREGEL_EMULATE_SEED"

// emulated is the one device, and the seed from which it draws who runs next.
var emulated = sync.OnceValues(func() (uint64, error) {
	if _, err := emulator.Version(); err != nil {
		return 0, fmt.Errorf("%w: %w", ErrNoDevice, err)
	}
	text := os.Getenv(seedEnv)
	if text == "" {
		return rand.Uint64() % 1e9, nil
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", seedEnv, err)
	}
	return seed, nil
})

// Devices lists the devices of this host: the emulated one, where there is a
// compiler. Its name has the seed.
func Devices() ([]Info, error) {
	seed, err := emulated()
	if err != nil {
		return nil, err
	}
	return []Info{{Name: fmt.Sprintf("emulated, %s=%d", seedEnv, seed), Major: 9, Memory: 4 << 30, Processors: 2 + int(seed%2),
		L2: 1 << 20, SharedBlock: 227 << 10, ClockKHz: 1000, Driver: 12000, Cooperative: true}}, nil
}

// Open makes a context on a device.
func Open(ordinal int) (*Device, error) {
	list, err := Devices()
	if err != nil {
		return nil, err
	}
	if ordinal != 0 {
		return nil, fmt.Errorf("CUDA device %d: this host has 1, counted from 0", ordinal)
	}
	seed, _ := emulated()
	d := &Device{info: list[0], rand: rand.New(rand.NewPCG(seed, 0)), calls: make(chan call), ended: make(chan struct{}), alive: map[resource]struct{}{}}
	started := make(chan error, 1)
	go d.own(d.current, started)
	return d, <-started
}

// ask tells whether a call is to fail.
func (d *Device) ask(call, what string) error {
	if d.Fail == nil {
		return nil
	}
	if what != "" {
		call += " of " + what
	}
	err := d.Fail(call)
	var e *Error
	if errors.As(err, &e) {
		return d.note(e)
	}
	return err
}

func (d *Device) current() error { return nil }

// destroy runs on the owner's thread, which ends after it.
func (d *Device) destroy() error {
	d.closed.Store(true)
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for r := range d.alive {
		errs = append(errs, r.release())
	}
	clear(d.alive)
	return errors.Join(errs...)
}

// Info describes the device.
func (d *Device) Info() Info { return d.info }

// Memory returns the bytes free and in all.
func (d *Device) Memory() (free, total uint64, err error) {
	if err := d.ask("cuMemGetInfo()", ""); err != nil {
		return 0, 0, err
	}
	return d.info.Memory - d.used, d.info.Memory, d.usable()
}

// Sync waits for all work under way.
func (d *Device) Sync() error { return errors.Join(d.usable(), d.ask("cuStreamSynchronize()", "")) }

// Compiler returns the version of the compiler.
func Compiler() (string, error) { return emulator.Version() }

// Compile compiles a source with the host's compiler. Name stands for the source
// in messages, as in #line.
func Compile(name, source string, o CompileOptions) (Compiled, error) {
	version, err := emulator.Version()
	if err != nil {
		return Compiled{}, err
	}
	e := entry{folder: o.Cache, key: key(name, source, o.Defines, version, emulator.Form)}
	if compiled, ok := e.load(); ok {
		return compiled, nil
	}
	image, err := emulator.Compile(name, source, o.Defines)
	var log *emulator.CompileError
	if errors.As(err, &log) {
		err = &CompileError{Name: name, Log: log.Log}
	}
	if err != nil {
		return Compiled{}, err
	}
	compiled := Compiled{Image: image}
	return compiled, e.store(compiled)
}
