package superstep

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
)

// A Locator is a Runner that can tell, while Run or Init is under way on another
// goroutine, which vertices are being computed.
type Locator interface {
	Computing() []uint32
}

// A Fetcher is a Runner whose values lie elsewhere: Fetch brings them to the host.
type Fetcher interface {
	Fetch() error
}

// watch tells Bounds.Stuck of a superstep that goes on after the deadline and its
// grace, until the function it returns is called.
func (d *driver) watch() (stop func()) {
	l := d.limits
	if l.Deadline.IsZero() || l.Bounds.Stuck == nil {
		return func() {}
	}
	var mu sync.Mutex // who has ended is not stuck, and who is told ends after that
	ended := false
	timer := time.AfterFunc(max(time.Until(l.Deadline), 0)+l.Bounds.Grace, func() {
		mu.Lock()
		defer mu.Unlock()
		if !ended {
			l.Bounds.Stuck(d.stuck())
		}
	})
	return func() {
		timer.Stop()
		mu.Lock()
		defer mu.Unlock()
		ended = true
	}
}

func (d *driver) stuck() error {
	e := &pregel.StuckError{Program: d.task.Name(), Superstep: int(d.under.Load()), After: time.Duration(time.Now().UnixNano() - d.since.Load())}
	if run, ok := d.run.(Locator); ok {
		for _, v := range run.Computing() {
			e.Vertices = append(e.Vertices, d.task.Graph().IDs().Text(v))
		}
	}
	stack := make([]byte, 1<<16)
	e.Stack = string(stack[:runtime.Stack(stack, true)])
	return e
}

// enter notes that a superstep begins, if watch may ask: supersteps may be shorter
// than a look at the clock.
func (d *driver) enter() {
	if d.limits.Deadline.IsZero() {
		return
	}
	d.under.Store(int64(d.superstep))
	d.since.Store(time.Now().UnixNano())
}

// memoryEvery is how long the size of the process is taken to stay as it is:
// supersteps may be shorter than a look at it.
const memoryEvery = 5 * time.Millisecond

// bounded finds what the bounds do not allow at a barrier after the given
// superstep.
func (d *driver) bounded(superstep int) error {
	if err := d.memory(superstep); err != nil {
		return err
	}
	if !d.limits.Bounds.NaN {
		return nil
	}
	t, ok := d.task.(interface {
		FirstNaN() (uint32, string, bool)
	})
	if !ok {
		return nil
	}
	if run, ok := d.run.(Fetcher); ok {
		if err := run.Fetch(); err != nil {
			return err
		}
	}
	v, field, found := t.FirstNaN()
	if !found {
		return nil
	}
	cause := pregel.ErrNaN
	if field != "" {
		cause = fmt.Errorf("%w: its field %s", pregel.ErrNaN, field)
	}
	return &pregel.VertexError{Superstep: superstep, Vertex: v, Cause: cause}
}

// memory gives back what is garbage before it refuses.
func (d *driver) memory(superstep int) error {
	limit := d.limits.Bounds.Memory
	if limit == 0 || time.Since(d.looked) < memoryEvery {
		return nil
	}
	d.looked = time.Now()
	if mem.Resident() <= limit {
		return nil
	}
	mem.Drop()
	debug.FreeOSMemory()
	held := mem.Resident()
	if held <= limit {
		return nil
	}
	return &pregel.ProgramError{Program: d.task.Name(), Superstep: superstep, Cause: &pregel.MemoryError{Held: held, Limit: limit}}
}
