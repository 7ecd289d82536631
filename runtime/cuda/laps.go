package cuda

import (
	"time"

	"gopregel/pregel"
	"gopregel/runtime/cuda/driver"
)

// laps times the kernels of a superstep by events between them: each from the end
// of the one before it. A nil one times nothing.
type laps struct {
	device *driver.Device
	events []*driver.Event
	names  []string // of the laps; number i ends with event i+1
	under  bool     // a superstep is under way
}

// begin is called before a superstep.
func (l *laps) begin() error {
	if l == nil {
		return nil
	}
	l.names, l.under = l.names[:0], true
	return l.mark()
}

// lap ends one, behind the kernel that was launched last.
func (l *laps) lap(name string) error {
	if l == nil || !l.under {
		return nil
	}
	l.names = append(l.names, name)
	return l.mark()
}

func (l *laps) mark() error {
	i := len(l.names)
	if i == len(l.events) {
		e, err := l.device.Event()
		if err != nil {
			return err
		}
		l.events = append(l.events, e)
	}
	return l.events[i].Record()
}

// take waits for the last lap, and returns the time of each kernel.
func (l *laps) take() ([]pregel.PhaseTime, error) {
	if l == nil || !l.under {
		return nil, nil
	}
	l.under = false
	if err := l.events[len(l.names)].Wait(); err != nil {
		return nil, err
	}
	var list []pregel.PhaseTime
	for i, name := range l.names {
		took, err := l.events[i+1].Since(l.events[i])
		if err != nil {
			return nil, err
		}
		list = addTime(list, name, took)
	}
	return list, nil
}

// addTime adds to the phase of a name, which is put behind those there are.
func addTime(list []pregel.PhaseTime, name string, took time.Duration) []pregel.PhaseTime {
	for _, p := range list {
		if p.Name == name {
			p.Workers[0] += took
			return list
		}
	}
	return append(list, pregel.PhaseTime{Name: name, Workers: []time.Duration{took}})
}

func (l *laps) free() {
	if l == nil {
		return
	}
	for _, e := range l.events {
		e.Free()
	}
	l.events = nil
}
