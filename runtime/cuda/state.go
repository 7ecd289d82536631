package cuda

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// This file copies the state of an edge program from the device at a barrier, and
// back, in the form that all engines share. Going on from one begins like every run,
// with init, which gives all arrays what they hold before superstep 0; then what the
// state has is written over that.

// stateful returns what the host knows of the state.
func stateful(t pregel.Task) (pregel.State, error) {
	s, ok := t.(pregel.Stateful)
	if !ok {
		return pregel.State{}, fmt.Errorf("program %s: a %T: %w", t.Name(), t, pregel.ErrNoState)
	}
	return s.State(), nil
}

// restore has the host take its part of a state.
func restore(t pregel.Task, s pregel.State) error {
	if t, ok := t.(pregel.Restorable); ok {
		return t.Restore(s)
	}
	return fmt.Errorf("program %s: a %T: %w", t.Name(), t, pregel.ErrNoState)
}

// Snapshot copies the state to the host.
func (r *edgeRun) Snapshot() (pregel.State, error) {
	s, err := stateful(r.task)
	if err == nil {
		err = r.complete()
	}
	if err == nil {
		err = r.download()
	}
	if err == nil {
		s.Awake, err = r.frontier()
	}
	if err == nil && r.form.Waits {
		s.Waiting, err = readBits(r.arrays.waiting, r.graph.N)
	}
	if err == nil && r.form.Settles {
		s.Settled, err = readBits(r.arrays.settled, r.graph.N)
	}
	s.Priority = r.state.current
	return s, err
}

// frontier copies the vertices awake. complete launches the loop for no superstep, and
// what that is about to push from it makes a list of: then the bits are gone, and put
// back.
func (r *edgeRun) frontier() (bitmap.Bitmap, error) {
	at := r.arrays.awake[r.state.side&3]
	b := bitmap.New(int(r.graph.N))
	if r.state.bits != 0 {
		var err error
		if b, err = readBits(at, r.graph.N); err != nil || uint64(b.Count()) == r.state.count {
			return b, err
		}
	}
	list := make([]uint32, r.state.count)
	if err := r.arrays.list[r.state.side>>2].Read(0, mem.Bytes(list)); err != nil {
		return b, err
	}
	for _, v := range list {
		b.Set(v)
	}
	if r.state.bits != 0 {
		return b, at.Write(0, wordsOf(b, r.graph.N))
	}
	return b, nil
}

// readBits copies a set of vertices to the host.
func readBits(from *driver.Buffer, n uint32) (bitmap.Bitmap, error) {
	b := bitmap.New(int(n))
	return b, from.Read(0, wordsOf(b, n))
}

// wordsOf are the bytes of a set of n vertices on the device.
func wordsOf(b bitmap.Bitmap, n uint32) []byte { return mem.Bytes(b)[:(n+31)/32*4] }

// Resume goes on from a state.
func (r *edgeRun) Resume(s pregel.State) error {
	if err := restore(r.task, s); err != nil {
		return err
	}
	if len(s.To) > 0 {
		return fmt.Errorf("program %s: a state with messages, which is of schedule relaxed", r.task.Name())
	}
	err := r.engine.begin()
	if err == nil {
		r.state = control{bits: 1}
		err = r.writeControl()
	}
	if err == nil {
		err = r.start("step_init", r.phaseBlocks())
	}
	if err == nil {
		err = r.upload(s)
	}
	r.state = control{bits: 1, count: uint64(s.Awake.Count()), arcs: r.arcsOf(s.Awake), waiting: uint64(s.Waiting.Count()), current: s.Priority}
	return r.failed(s.Supersteps-1, err)
}

// upload copies values and sets to the device. Where first values are written late,
// all that have not settled have theirs.
func (r *edgeRun) upload(s pregel.State) error {
	if err := r.values.Write(0, r.form.Values); err != nil {
		return err
	}
	var kept bitmap.Bitmap
	if r.arrays.kept != nil {
		kept = bitmap.New(int(r.graph.N))
		for i := range kept {
			kept[i] = ^s.Settled[i] & bitmap.Mask(i, r.graph.N)
		}
	}
	for _, set := range []struct {
		to   *driver.Buffer
		bits bitmap.Bitmap
	}{{r.arrays.awake[0], s.Awake}, {r.arrays.waiting, s.Waiting}, {r.arrays.settled, s.Settled}, {r.arrays.kept, kept}} {
		if set.to == nil {
			continue
		}
		if len(set.bits) != len(s.Awake) {
			return fmt.Errorf("a state with a set of %d words, want %d", len(set.bits), len(s.Awake))
		}
		if err := set.to.Write(0, wordsOf(set.bits, r.graph.N)); err != nil {
			return err
		}
	}
	return nil
}

// arcsOf counts the arcs along which a set of vertices sends.
func (r *edgeRun) arcsOf(awake bitmap.Bitmap) (arcs uint64) {
	for k := range r.layout.sides {
		c := r.graph.hostOf(r.layout.send[k])
		for _, v := range awake.AppendTo(nil) {
			arcs += c.Degree(v)
		}
	}
	return arcs
}

// Snapshot copies the state to the host. Which boxes have been read nobody knows:
// the messages are all that was ever sent, combined, which may be heard again.
func (r *relaxedRun) Snapshot() (pregel.State, error) {
	s, err := stateful(r.task)
	n := r.session.graph.N
	if err == nil {
		err = r.values.Read(0, r.form.Values)
	}
	if err != nil {
		return s, err
	}
	boxes := reflect.MakeSlice(reflect.TypeOf(s.Messages), 0, 0)
	if size := uint64(boxes.Type().Elem().Size()); n > 0 {
		boxes = reflect.MakeSlice(boxes.Type(), int(r.box.Size()/size), int(r.box.Size()/size))
	}
	if err := r.box.Read(0, mem.RawSlice(boxes)); err != nil {
		return s, err
	}
	s.Messages, s.To = boxes.Interface(), make([]uint32, n)
	for v := range s.To {
		s.To[v] = uint32(v)
	}
	awake, err := r.untold()
	if s.Awake = awake; r.form.Waits {
		s.Awake, s.Waiting = bitmap.New(int(n)), awake
	}
	return s, err
}

// untold are those who have something to say.
func (x *Relaxation) untold() (bitmap.Bitmap, error) { return readBits(x.waiting, x.session.graph.N) }

// untold are all who have ever said anything: the device knows of a round how many have changed, not who.
func (x *sweeping) untold() (bitmap.Bitmap, error) {
	n, size := int(x.session.graph.N), x.form.Message.Size
	offers, none, said := make([]byte, n*size), make([]byte, 8), bitmap.New(n)
	if err := errors.Join(x.offers.Read(0, offers), x.control.Read(sweepNone, none)); err != nil {
		return nil, err
	}
	for v := range n {
		if !bytes.Equal(offers[v*size:][:size], none[:size]) {
			said.Set(uint32(v))
		}
	}
	return said, nil
}

// Resume goes on from a state.
func (r *relaxedRun) Resume(s pregel.State) error {
	if err := restore(r.task, s); err != nil {
		return err
	}
	err := r.session.engine.begin()
	if err == nil {
		err = r.Start()
	}
	if err == nil {
		err = r.upload(s)
	}
	return r.failed(s.Supersteps-1, err)
}

func (r *relaxedRun) upload(s pregel.State) error {
	n, size := r.session.graph.N, r.form.Message.Size
	boxes := make([]byte, int(n)*size)
	if err := r.box.Read(0, boxes); err != nil { // the identity
		return err
	}
	messages := mem.RawSlice(reflect.ValueOf(s.Messages))
	if len(messages) != len(s.To)*size {
		return fmt.Errorf("a state with %d bytes of messages to %d vertices, want %d", len(messages), len(s.To), len(s.To)*size)
	}
	for i, v := range s.To {
		copy(boxes[int(v)*size:][:size], messages[i*size:])
	}
	awake := bitmap.New(int(n))
	for i := range awake {
		awake[i] = s.Awake[i]
		if s.Waiting != nil {
			awake[i] |= s.Waiting[i]
		}
	}
	if n > 0 {
		if err := errors.Join(r.values.Write(0, r.form.Values), r.box.Write(0, boxes)); err != nil {
			return err
		}
	}
	return r.resume(s.Supersteps, wordsOf(awake, n))
}

// resume goes on after so many rounds, from values and boxes that are there: in the next all tiles are taken.
func (x *Relaxation) resume(rounds int, awake []byte) error {
	if x.rounds = rounds; x.finished {
		return nil
	}
	return errors.Join(x.waiting.Write(0, awake), x.key.Write(0, make([]byte, x.tiles.count*8)))
}

// resume goes on after so many rounds, from values and boxes that are there: those are applied, and who is
// awake has changed.
func (x *sweeping) resume(rounds int, awake []byte) error {
	x.rounds = rounds
	if err := x.bits[0].Write(0, awake); err != nil {
		return err
	}
	return x.begin(true)
}
