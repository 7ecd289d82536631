package cuda

import (
	"fmt"
	"hash/fnv"
	"reflect"

	"gopregel/pregel"
)

// This file keeps the state of programs of own kernels: what lies in the buffers of the
// session, as it is, and what the program knows on the host. It is good on the same kind
// of device alone (pregel.State.Bound). Going on from one makes buffers and kernels as
// every run does, and then writes over them.

// A Keeper is a Program that goes on from a state between two of its supersteps. Kept
// points to all that it knows on the host then, variables of fixed size. With what the
// session's buffers hold that is all the rest depends on. Begin is called with the
// variables as they were kept, and may change them.
type Keeper interface {
	Program
	Kept() []any
}

// memory is what lies in the buffers of a session.
type memory struct {
	places  []place
	content []byte
}

// A place is that of one buffer in the content.
type place struct {
	Bytes uint64
	What  uint64 // a sum of its name
}

// layout lists the places.
func (s *Session) layout() (list []place, bytes uint64) {
	for i, b := range s.buffers {
		sum := fnv.New64a()
		sum.Write([]byte(s.names[i]))
		list = append(list, place{b.Size(), sum.Sum64()})
		bytes += b.Size()
	}
	return list, bytes
}

// download copies all buffers to the host.
func (m *memory) download(s *Session) error {
	places, bytes := s.layout()
	m.places, m.content = places, make([]byte, bytes)
	rest := m.content
	for _, b := range s.buffers {
		if err := b.Read(0, rest[:b.Size()]); err != nil {
			return err
		}
		rest = rest[b.Size():]
	}
	return nil
}

// upload copies them back, and forgets them.
func (m *memory) upload(s *Session) error {
	places, bytes := s.layout()
	if len(places) != len(m.places) || bytes != uint64(len(m.content)) {
		return fmt.Errorf("a state of %d buffers with %d bytes, here are %d with %d: the device had other room then", len(m.places), len(m.content), len(places), bytes)
	}
	rest := m.content
	for i, b := range s.buffers {
		if places[i] != m.places[i] {
			return fmt.Errorf("a state in which buffer %d has %d bytes and another name than %q with %d here: the device had other room then", i, m.places[i].Bytes, s.names[i], b.Size())
		}
		if err := b.Write(0, rest[:b.Size()]); err != nil {
			return err
		}
		rest = rest[b.Size():]
	}
	*m = memory{}
	return nil
}

// State shows what a Keeper has of a state; the rest is the device's.
func (t *kernelTask) State() pregel.State {
	s := pregel.State{Program: t.Name(), Exact: true, Bound: true}
	if k, ok := t.program.(Keeper); ok {
		s.Kept = append(k.Kept(), &t.memory.places, &t.memory.content)
	}
	return s
}

// Restore has nothing to take: what the state has is in place.
func (t *kernelTask) Restore(pregel.State) error { return nil }

// keptRun is a Keeper under way.
type keptRun struct {
	kernelRun
	keeper Keeper
}

// Save copies the state to the host.
func (r *keptRun) Save() (pregel.State, error) {
	err := r.task.memory.download(r.session)
	return r.task.State(), err
}

// Run forgets what was saved.
func (r *keptRun) Run(s, most int, records []pregel.StepRecord) ([]pregel.StepRecord, error) {
	r.task.memory = memory{}
	return r.kernelRun.Run(s, most, records)
}

// Resume goes on from a state.
func (r *keptRun) Resume(s pregel.State) error {
	put := saved(r.keeper.Kept())
	err := r.Init()
	put()
	if err == nil {
		err = r.task.memory.upload(r.session)
	}
	if err != nil {
		return r.failed(s.Supersteps-1, err)
	}
	return nil
}

// saved copies variables; the function it returns puts the copies back.
func saved(list []any) (put func()) {
	copies := make([]reflect.Value, len(list))
	for i, p := range list {
		at := reflect.ValueOf(p).Elem()
		copies[i] = reflect.New(at.Type()).Elem()
		copies[i].Set(at)
	}
	return func() {
		for i, p := range list {
			reflect.ValueOf(p).Elem().Set(copies[i])
		}
	}
}
