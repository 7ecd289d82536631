//go:build cuda || emulate

package cuda

import (
	"testing"

	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
)

// What there was no room for beside a run's buffers is not tried again beside as many, even where there
// would be room by now, but is made once less is in use; spare buffers are not. The own order, once it is
// there, does not count as in use.
func TestLack(t *testing.T) {
	e := opened(t)
	p, err := pregel.Prepare(t.Context(), skewed(t, fresh(t), 1000, 3000, false), "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	b := &pregel.Bringing{Place: make([]uint32, 1000), Order: make([]uint32, 1000), Vertices: []int{0}}
	inDevice(t, e, func() error {
		d, err := e.resident(p.Graph)
		if err != nil {
			return err
		}
		own := func() bool {
			o, err := d.own(b)
			if err != nil {
				t.Error(err)
			}
			return o != nil
		}
		first := func() bool {
			f, err := d.First(d.out)
			if err != nil {
				t.Error(err)
			}
			return f != nil
		}
		runs, err := e.alloc(128, "a run's")
		if err != nil {
			return err
		}
		for _, c := range []struct {
			name   string
			made   func() bool
			memory uint64 // beside what is in use
			stays  bool   // also beside a run that it has no room beside
		}{{"own order", own, 7999, false}, {"first neighbours", first, firstBytes(1000) - 1, true}} {
			e.Memory = e.used + c.memory
			look := func(when string, want bool) {
				if got := c.made(); got != want {
					t.Errorf("%s %s: there %v, want %v", c.name, when, got, want)
				}
			}
			look("without room", false)
			before := e.used
			e.Memory = 0
			look("beside as much, with room", false)
			e.release(runs)
			look("beside a spare buffer", true)
			look("again", true)
			if runs, err = e.alloc(128, "a run's"); err != nil || e.used == before {
				t.Errorf("error %v, %d bytes are in use, as before", err, e.used)
			}
			look("where as much is in use", c.stays)
		}
		return nil
	})
}

// inDevice does f on the device's thread.
func inDevice(t *testing.T, e *Engine, f func() error) {
	t.Helper()
	if err := e.device.Do(f); err != nil {
		t.Fatal(err)
	}
}

// inUse leaves out what is spare, of buffers of several sizes.
func TestInUse(t *testing.T) {
	e := opened(t)
	inDevice(t, e, func() error {
		var list []*driver.Buffer
		before := e.inUse()
		for _, bytes := range []uint64{64, 128, 128, 4096} {
			b, err := e.alloc(bytes, "test")
			if err != nil {
				return err
			}
			list = append(list, b)
		}
		e.release(list[1])
		e.release(list[2])
		e.release(list[3])
		if got := e.inUse() - before; got != 64 {
			t.Errorf("%d bytes are in use, want 64", got)
		}
		e.free(list[0])
		return nil
	})
}
