// Package cuda is the GPU engine: it runs the CUDA forms of edge programs
// (pregel.Twin), and programs of own kernels, on one CUDA device.
//
// A graph stays resident on the device between runs (graph.go), with the
// schedules that pulling needs. An edge program's functions are placed into the
// superstep templates of package kernels (source.go) and compiled by NVRTC for
// the device at hand; the loop of supersteps then runs on the device itself,
// many supersteps for each round trip to the host, unless the program has to be
// asked at every barrier (edge.go, phases.go). A program of own kernels
// (session.go) launches what it likes in each superstep. Vertex programs,
// collectors and edge programs without a twin run on the host engine given in
// Options, if one is.
//
// The package needs neither cgo nor a device to compile: those are behind
// package driver.
package cuda

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda/driver"
	"gopregel/runtime/superstep"
)

// Options say how an engine runs.
type Options struct {
	Device    int              // ordinal
	Direction pregel.Direction // of edge programs
	// Strict makes float sums the same, bit for bit, from run to run: they are
	// pulled.
	Strict bool
	// Schedule is that of edge programs. Relaxed is an error for programs that do not
	// declare it (pregel.Relaxer), whose combiner is none of min, max and or, with
	// Strict, and with Direction Pull. Programs of own kernels run as they are, but
	// with BSP none of them tile by tile (InTiles).
	Schedule pregel.Schedule
	// Host runs programs without a CUDA form; nil: they are an error.
	Host   pregel.Engine
	Cache  string // folder for compiled kernels; "": none
	Memory uint64 // bytes of the device to use at the most; 0: all
	Wide   bool   // 64-bit offsets even where 32 bits do
	// Defines are macros for every kernel, NAME or NAME=VALUE: those of kernels/tuning.go,
	// or RACECHECK, for compute-sanitizer (kernels/tile_run.cuh).
	Defines []string
	// Singly gives the first launches of a run one by one; else they are one call, a CUDA
	// graph, where they come back (driver.Sequences).
	Singly bool
}

// An Engine runs tasks on one device, one at a time.
type Engine struct {
	Options
	device     *driver.Device
	pool       pregel.Pool
	kernels    map[string]*driver.Kernel
	graph      *Graph
	skew       skew
	sweepProbe sweepProbe
	sampled    *graph.Graph                // that InTiles has looked at,
	inTiles    bool                        // and what it found
	tile       int                         // vertices of a tile
	tileBlocks int                         // of a relaxed run, at most
	spare      map[uint64][]*driver.Buffer // by size
	forms      map[any]*formRecord         // of the resident graph
	leftOut    []string                    // see LeaveOut
	used       uint64                      // bytes allocated
	pinned     *driver.Pinned
	toldRoom   int // bytes behind what is copied through pinned, for told
	aheadMost  time.Duration
	start      *driver.Event
	ends       [2]*driver.Event  // of the work under way, and of what is begun ahead of the host
	ended      int               // which is of the work under way
	opening    *driver.Sequences // the first work of runs
	marked     uint64            // the device's Work when an end was recorded
	timing     Timing
	onDevice   int   // runs
	lost       error // the device faulted and could not be opened again
}

// Timing says where the time of the last run went.
type Timing struct {
	Upload   time.Duration // of the graph, with its schedules; 0 when it was resident
	Device   time.Duration // from the first launch of the run to the end of the last
	Download time.Duration // of the answer
}

// Open makes an engine.
func Open(o Options) (*Engine, error) {
	e := &Engine{Options: o, skew: usualSkew(), tile: tileSize, tileBlocks: math.MaxInt, toldRoom: toldBytes, aheadMost: aheadMost}
	if o.Host != nil {
		e.pool = o.Host.Pool()
	} else {
		e.pool = cpu.New(cpu.Options{}).Pool()
	}
	if err := e.open(); err != nil {
		return nil, fmt.Errorf("cuda: %w", err)
	}
	return e, nil
}

func (e *Engine) open() error {
	device, err := driver.Open(e.Device)
	if err != nil {
		return err
	}
	e.device, e.graph, e.used = device, nil, 0
	e.kernels, e.spare = map[string]*driver.Kernel{}, map[uint64][]*driver.Buffer{}
	e.forms = map[any]*formRecord{}
	err = device.Do(func() error {
		var errs [4]error
		e.pinned, errs[0] = device.Pin(pinnedBytes + toldBytes)
		e.start, errs[1] = device.Event()
		e.ends[0], errs[2] = device.Event()
		e.ends[1], errs[3] = device.Event()
		e.opening = device.NewSequences()
		return errors.Join(errs[:]...)
	})
	if err != nil {
		device.Close()
	}
	return err
}

const pinnedBytes = 1 << 20

// Close gives back all that the engine holds on the device.
func (e *Engine) Close() error { return e.device.Close() }

// Name returns "cuda".
func (e *Engine) Name() string { return "cuda" }

// Pool returns workers of the host, for phases that are not programs.
func (e *Engine) Pool() pregel.Pool { return e.pool }

// Info describes the device.
func (e *Engine) Info() driver.Info { return e.device.Info() }

// Timing returns the times of the last run on the device.
func (e *Engine) Timing() Timing { return e.timing }

// Runs returns how many tasks have run on the device, not on the host engine.
func (e *Engine) Runs() int { return e.onDevice }

// Run runs a task to its end.
func (e *Engine) Run(ctx context.Context, t pregel.Task, l pregel.Limits) pregel.Stop {
	switch t := t.(type) {
	case *kernelTask:
		return e.guarded(t, func() pregel.Stop { return t.run(ctx, e, l) })
	case pregel.Former:
		if err := superstep.Begin(t, 1); err != nil {
			return pregel.Stop{Reason: pregel.Failed, Err: err}
		}
		form, reason := t.Form()
		if reason == "" && e.Schedule == pregel.Relaxed {
			if err := e.checkRelaxed(t, form); err != nil {
				return pregel.Stop{Reason: pregel.Failed, Err: fmt.Errorf("program %s: %w", t.Name(), err)}
			}
			return e.guarded(t, func() pregel.Stop { return e.runRelaxed(ctx, t, form, l) })
		}
		if reason == "" {
			return e.guarded(t, func() pregel.Stop { return e.runEdge(ctx, t, form, l) })
		}
		if e.Host == nil {
			return pregel.Stop{Reason: pregel.Failed, Err: fmt.Errorf("program %s cannot run on the device: %s", t.Name(), reason)}
		}
	}
	if e.Host == nil {
		return pregel.Stop{Reason: pregel.Failed, Err: fmt.Errorf("program %s cannot run on the device: vertex programs and host phases run on the CPU", t.Name())}
	}
	return e.Host.Run(ctx, t, l)
}

// guarded runs f on the device's thread. A device whose context a fault has
// destroyed is opened anew, so that the next run finds one.
func (e *Engine) guarded(t pregel.Task, f func() pregel.Stop) (stop pregel.Stop) {
	if e.lost != nil {
		return pregel.Stop{Reason: pregel.Failed, Err: fmt.Errorf("program %s: %w", t.Name(), e.lost)}
	}
	e.onDevice++
	e.timing = Timing{}
	e.beginForms()
	err := e.device.Do(func() error {
		stop = f()
		return nil
	})
	if err != nil {
		stop.Reason, stop.Err = pregel.Failed, errors.Join(stop.Err, fmt.Errorf("program %s: %w", t.Name(), err))
	}
	var fault *driver.Error
	if errors.As(stop.Err, &fault) && fault.Fatal() {
		e.device.Close()
		if e.lost = e.open(); e.lost != nil {
			stop.Err = fmt.Errorf("%w (and the device could not be opened again: %w)", stop.Err, e.lost)
		}
	}
	return stop
}

// resident returns the graph on the device, which it uploads unless it is there.
func (e *Engine) resident(g *graph.Graph) (*Graph, error) {
	if e.graph != nil && e.graph.Host == g {
		return e.graph, nil
	}
	if e.graph != nil {
		e.graph.free()
		e.graph = nil
		e.drain()
	}
	begin := time.Now()
	made, err := newGraph(e, g)
	if err != nil {
		return nil, err
	}
	e.graph = made
	clear(e.forms)
	e.timing.Upload += time.Since(begin)
	return made, nil
}

// alloc makes a buffer, within the engine's bound; spare ones are given up
// before it fails.
func (e *Engine) alloc(bytes uint64, what string) (*driver.Buffer, error) {
	if list := e.spare[bytes]; len(list) > 0 {
		e.spare[bytes] = list[:len(list)-1]
		return list[len(list)-1], nil
	}
	if e.Memory > 0 && e.used+bytes > e.Memory {
		e.drain()
		if e.used+bytes > e.Memory {
			return nil, &driver.OutOfMemory{What: what, Want: bytes, Free: e.Memory - min(e.used, e.Memory), Total: e.Memory}
		}
	}
	b, err := e.device.Alloc(bytes, what)
	var full *driver.OutOfMemory
	if errors.As(err, &full) {
		e.drain()
		b, err = e.device.Alloc(bytes, what)
	}
	if err == nil {
		e.used += bytes
	}
	return b, err
}

// release keeps a buffer for the next who asks for its size.
func (e *Engine) release(b *driver.Buffer) { e.spare[b.Size()] = append(e.spare[b.Size()], b) }

// drain gives spare buffers back to the device.
func (e *Engine) drain() {
	for _, list := range e.spare {
		for _, b := range list {
			e.free(b)
		}
	}
	clear(e.spare)
}

func (e *Engine) free(b *driver.Buffer) {
	if b != nil {
		e.used -= b.Size()
		b.Free()
	}
}
