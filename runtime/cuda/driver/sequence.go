//go:build cuda && cgo

package driver

// #include <stdlib.h>
import "C"

import (
	"slices"
	"strings"
	"unsafe"
)

// Sequences gives the device's first work of a run in one call. Launches and events are
// collected from Collect on, until anything else is asked of the device; then they are
// given, in their order. What is asked for a second time, maybe with other arguments,
// becomes a CUDA graph: one call starts all of it, where after a pause each launch takes
// the host 10 to 20 µs, which the device would wait for.
//
// Copies are not collected: a graph's copy holds on to the memory as it was when the
// graph was made. Freed and allocated again at the same address, it made graphs fail,
// and worse (seen on an H200 with driver 580). A launch has addresses as mere numbers.
// Events and modules are no numbers: graphs are given up before what they name (forget).
type Sequences struct {
	device *Device
	items  []item // collected
	count  int    // of items
	known  [4]chain
	next   int // of them that gives way
}

// longest is how many items a sequence has; what follows is given at once.
const longest = 12

// An item is a launch or an event.
type item struct {
	event  *Event // nil: a launch
	kernel *Kernel
	shape  Shape
	args   *argBlock // the item's own, in C memory
	used   int       // bytes of args
}

// NewSequences makes one, which lasts as long as the device.
func (d *Device) NewSequences() *Sequences {
	s := &Sequences{device: d}
	d.sequences = append(d.sequences, s)
	return s
}

// Collect begins with a sequence.
func (d *Device) Collect(s *Sequences) error {
	if err := d.ready(); err != nil {
		return err
	}
	s.count, d.collecting = 0, s
	return nil
}

// settle gives what was collected before something is freed. Who frees seldom looks at
// the error: the next flush tells it.
func (d *Device) settle() { d.untold = d.flush() }

// flush gives what was collected.
func (d *Device) flush() error {
	if err := d.untold; err != nil {
		d.untold = nil
		return err
	}
	s := d.collecting
	if s == nil {
		return nil
	}
	d.collecting = nil
	if d.closed.Load() || d.lost() || s.count == 0 {
		return nil // whoever asks for more is told
	}
	return s.give()
}

// add returns the next item; nil: it is not collected.
func (s *Sequences) add() (*item, error) {
	if s == nil {
		return nil, nil
	}
	if s.count == longest {
		return nil, s.device.flush()
	}
	if s.count == len(s.items) {
		s.items = append(s.items, item{})
	}
	i := &s.items[s.count]
	*i = item{args: i.args}
	s.count++
	return i, nil
}

// launch collects one.
func (s *Sequences) launch(k *Kernel, shape Shape, a *Args) (bool, error) {
	i, err := s.add()
	if i == nil {
		return false, err
	}
	i.kernel, i.shape = k, shape
	if a != nil && a.block != nil {
		i.used = a.used
		i.args = a.copyTo(i.args)
	}
	return true, nil
}

// record collects an event.
func (s *Sequences) record(e *Event) (bool, error) {
	i, err := s.add()
	if i == nil {
		return false, err
	}
	i.event = e
	return true, nil
}

// give gives the device what was collected.
func (s *Sequences) give() error {
	items := s.items[:s.count]
	if !slices.ContainsFunc(items, func(i item) bool { return i.kernel != nil }) {
		return s.issue(items)
	}
	c := s.find(items)
	if c == nil {
		err := s.issue(items)
		s.remember()
		return err
	}
	if c.exec == nil && !c.plain {
		c.build(s.device.raw())
	}
	if !c.plain && c.change(items) {
		return c.launch(s.device)
	}
	c.drop(s.device)
	c.plain = true
	return s.issue(items)
}

// find returns the chain that differs in arguments alone.
func (s *Sequences) find(items []item) *chain {
	alike := func(a, b item) bool { return a.alike(&b) }
	for k := range s.known {
		if c := &s.known[k]; slices.EqualFunc(c.items, items, alike) {
			return c
		}
	}
	return nil
}

func (i *item) alike(j *item) bool {
	return i.event == j.event && i.kernel == j.kernel && i.shape == j.shape && i.used == j.used
}

// remember puts what was collected in the place of the oldest chain, whose items are
// filled next.
func (s *Sequences) remember() {
	c := &s.known[s.next]
	s.next = (s.next + 1) % len(s.known)
	c.drop(s.device)
	c.items, s.items = s.items[:s.count], c.items[:cap(c.items)]
}

// issue gives the items one after the other.
func (s *Sequences) issue(items []item) error {
	for k := range items {
		if err := items[k].issue(); err != nil {
			return err
		}
	}
	return nil
}

func (i *item) issue() error {
	if i.event != nil {
		return i.event.record()
	}
	return i.kernel.start(i.shape, i.args.list(i.used))
}

// names lists the items, for errors.
func names(items []item) string {
	list := make([]string, len(items))
	for k, i := range items {
		if list[k] = "event"; i.kernel != nil {
			list[k] = i.kernel.name
		}
	}
	return strings.Join(list, ", ")
}

// forget gives up the graphs that name what is about to be freed: a graph keeps neither
// events nor modules alive.
func (d *Device) forget(named func(item) bool) {
	for _, s := range d.sequences {
		for k := range s.known {
			c := &s.known[k]
			if !slices.ContainsFunc(c.items, named) {
				continue
			}
			if c.exec != nil && !d.lost() {
				d.stream.Synchronize() // who frees asks next, and is told
			}
			c.drop(d)
			c.items = c.items[:0]
		}
	}
}

// release frees the graphs and the copies of arguments.
func (s *Sequences) release() {
	free := func(items []item) {
		for _, i := range items[:cap(items)] {
			C.free(unsafe.Pointer(i.args))
		}
	}
	for k := range s.known {
		s.known[k].drop(s.device)
		free(s.known[k].items)
	}
	free(s.items)
	*s = Sequences{device: s.device}
}
