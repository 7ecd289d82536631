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
	g := skewed(t, fresh(t), 1000, 3000, false).WithWeights(func(u, v uint32) int32 { return int32(u ^ v) })
	p, err := pregel.Prepare(t.Context(), g, "degree", 2)
	if err != nil {
		t.Fatal(err)
	}
	b := &pregel.Bringing{Place: make([]uint32, 1000), Order: make([]uint32, 1000), Vertices: []int{0}}
	inDevice(t, e, func() error {
		d, err := e.resident(p.Graph)
		if err != nil {
			return err
		}
		runs, err := e.alloc(128, "a run's")
		if err != nil {
			return err
		}
		for _, c := range lackables(t, d, b) {
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

// A lackable is a form that there may be no room for.
type lackable struct {
	name   string
	made   func() bool
	memory uint64 // beside what is in use: too little
	stays  bool   // also beside a run that it had no room beside
}

// lackables are those of a graph of 1000 vertices, in an order to be made in.
func lackables(t *testing.T, d *Graph, b *pregel.Bringing) []lackable {
	is := func(made bool, err error) bool {
		if err != nil {
			t.Error(err)
		}
		return made
	}
	own := func() bool { o, err := d.own(b); return is(o != nil, err) }
	first := func() bool { f, err := d.First(d.out); return is(f != nil, err) }
	byWeight := func() bool { c, err := d.ByWeight(d.out, LightestFirst); return is(c != nil, err) }
	lightest := func() bool { l, _, err := d.Lightest(d.out, LightestFirst); return is(l != nil, err) }
	return []lackable{{"own order", own, 7999, false}, {"first neighbours", first, firstBytes(1000) - 1, true},
		{"lists by weight", byWeight, 4000, true}, {"lightest arcs", lightest, 15_999, true}}
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
