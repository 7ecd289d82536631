//go:build cuda && cgo

package driver

import (
	"runtime/debug"
	"sync"
	"sync/atomic"

	"gopregel/pregel/parallel"
)

// Pageable memory goes through pinned rooms, which take turns: while the device copies into or out of
// some, goroutines fill or empty others. Copies straight from and to pageable memory are up to 16 times
// slower (1 GiB from an H200: 800 ms).
//
// Invariant: a room belongs to the device from a copy's start until its event, and to a mover from move until
// moved; the owner of the device hands it from one to the other, piece i in room i % rooms.
const (
	room       = 1 << 20 // bytes
	rooms      = 16
	mostMovers = 8 // goroutines; with 4 a copy took a fifth to a half longer, with more no less
)

// staging is the pinned memory, made at first use.
type staging struct {
	memory *Pinned
	done   [rooms]*Event // the device has done with the room
}

// ready makes the rooms unless they are there.
func (s *staging) ready(d *Device) error {
	if err := d.ready(); err != nil {
		return err
	}
	if s.memory != nil {
		return nil
	}
	for i := range s.done {
		if s.done[i] != nil { // of a call that found no memory
			continue
		}
		event, err := d.Event()
		if err != nil {
			return err
		}
		s.done[i] = event
	}
	memory, err := d.Pin(rooms * room)
	s.memory = memory
	return err
}

// pieces is how many rooms n bytes fill.
func pieces(n uint64) int { return int((n + room - 1) / room) }

// part is the room of piece i of n bytes, as far as it is filled.
func (s *staging) part(i int, n uint64) []byte {
	return s.memory.memory[i%rooms*room:][:min(room, n-uint64(i)*room)]
}

// movers are goroutines that copy within the host, for one copy. What is one piece needs none.
type movers struct {
	jobs   chan job // nil: none
	ended  [rooms]chan struct{}
	all    sync.WaitGroup
	thrown atomic.Pointer[parallel.Panic] // by one of them: a mapped file may have been cut short
}

type job struct {
	i    int
	move func()
}

func startMovers(pieces int) *movers {
	m := &movers{}
	if pieces == 1 {
		return m
	}
	m.jobs = make(chan job, rooms)
	for i := range m.ended {
		m.ended[i] = make(chan struct{}, 1)
	}
	for range min(pieces, mostMovers, parallel.Workers(0)) {
		m.all.Go(m.work)
	}
	return m
}

func (m *movers) work() {
	debug.SetPanicOnFault(true) // see mem.Fault
	for j := range m.jobs {
		m.do(j)
	}
}

func (m *movers) do(j job) {
	defer func() {
		if r := recover(); r != nil {
			m.thrown.CompareAndSwap(nil, &parallel.Panic{Value: r, Stack: string(debug.Stack())})
		}
		m.ended[j.i%rooms] <- struct{}{}
	}()
	if m.thrown.Load() == nil {
		j.move()
	}
}

// move has piece i moved by f.
func (m *movers) move(i int, f func()) {
	if m.jobs == nil {
		f()
		return
	}
	m.jobs <- job{i, f}
}

// moved waits until the last piece that was to be moved in the room of piece i is.
func (m *movers) moved(i int) {
	if m.jobs != nil {
		<-m.ended[i%rooms]
	}
}

// end waits for all, and, where one of them has thrown or the copy has failed, for what the device
// still does with rooms; then it throws again, or returns the error.
func (m *movers) end(d *Device, err error) error {
	if m.jobs != nil {
		close(m.jobs)
		m.all.Wait()
	}
	p := m.thrown.Load()
	if err == nil && p == nil {
		return nil
	}
	d.Sync() // what it says the device has noted
	if p != nil {
		panic(*p)
	}
	return err
}

// pipe calls first for each of n pieces, and second for each when first has been called for half as
// many as there are rooms behind it: so all of these are under way in one of two ways.
func pipe(n int, first, second func(i int) error) error {
	const lag = rooms / 2
	for i := range n + lag {
		if i < n {
			if err := first(i); err != nil {
				return err
			}
		}
		if i < lag {
			continue
		}
		if err := second(i - lag); err != nil {
			return err
		}
	}
	return nil
}
