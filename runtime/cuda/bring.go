package cuda

import (
	"encoding/binary"
	"errors"
	"slices"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/runtime/cuda/driver"
)

// This file has the device bring the values of a prepared graph into the order of the graph as
// it was (kernels/step_bring.cuh), before they are copied. The device's clock goes on until
// then. Where there is no room for it the host does that afterwards (pregel.Prepared).

// An ownOrder is what the device needs to know of the graph as it was.
type ownOrder struct {
	of           *uint32 // the first of the places, on the host
	place, order *driver.Buffer
}

// own returns the places of a graph's own vertices, and their order if that is asked for. They
// stay with the resident graph. nil: there is no room.
func (d *Graph) own(b *pregel.Bringing) (*ownOrder, error) {
	if len(b.Place) == 0 || d.without(OwnOrder) || d.engine.lacks(d.ownLack, d.before.buffers()...) {
		return nil, nil
	}
	if d.before != nil && d.before.of != &b.Place[0] {
		d.giveUpOwn()
	}
	if d.before == nil {
		d.before = &ownOrder{of: &b.Place[0]}
	}
	err := d.keepOwn(&d.before.place, b.Place)
	if err == nil && len(b.Vertices) > 0 {
		err = d.keepOwn(&d.before.order, b.Order)
	}
	if err != nil {
		return nil, d.noRoom(err)
	}
	return d.before, nil
}

// noRoom gives up the order where there is no room for it or for what it is for, and returns any other
// error.
func (d *Graph) noRoom(err error) error {
	var full *driver.OutOfMemory
	if !errors.As(err, &full) {
		return err
	}
	d.giveUpOwn()
	d.ownLack = d.engine.lacking()
	return nil
}

// giveUpOwn gives it up, until it is asked for again.
func (d *Graph) giveUpOwn() {
	if d.before != nil {
		delete(d.engine.forms, d.before.place)
		delete(d.engine.forms, d.before.order)
	}
	d.before.free(d.engine)
	d.before, d.ownLack = nil, lack{}
}

// keepOwn sends a list, if it is not there.
func (d *Graph) keepOwn(at **driver.Buffer, list []uint32) (err error) {
	if *at != nil {
		d.engine.uses(*at)
		return nil
	}
	begin := time.Now()
	if *at, err = d.send(mem.Bytes(list), OwnOrder); err == nil {
		d.engine.made(OwnOrder, *at, begin, *at)
	}
	return err
}

func (o *ownOrder) free(e *Engine) {
	for _, b := range o.buffers() {
		e.free(b)
	}
}

// buffers are those that there may be.
func (o *ownOrder) buffers() []*driver.Buffer {
	if o == nil {
		return nil
	}
	return []*driver.Buffer{o.place, o.order}
}

// valuesInOrder is what the part of the form is called that is a run's.
const valuesInOrder = "values in the graph's own order"

// A bringing is that of a run.
type bringing struct {
	to   *driver.Buffer // the values in the graph's own order; nil: they stay as they are
	done bool
}

// mostNamed is up to how many words a value may have of which some name vertices: Bring.named
// in kernels/step_bring.cuh.
const mostNamed = 64

// bringer makes what bringing the values takes, if it is asked for and there is room.
func (r *edgeRun) bringer() (*ownOrder, error) {
	r.bring = bringing{}
	b := r.form.Bring
	if b == nil || len(b.Vertices) > 0 && r.form.Value.Size > 4*mostNamed {
		return nil, nil
	}
	own, err := r.graph.own(b)
	if own == nil || err != nil {
		return nil, err
	}
	begin := time.Now()
	if r.bring.to, err = r.Buffer(r.values.Size(), valuesInOrder); err != nil {
		r.bring.to = nil
		return nil, r.graph.noRoom(err)
	}
	r.engine.made(OwnOrder, valuesInOrder, begin, r.bring.to)
	return own, nil
}

// bringArgs are the arguments of the kernel.
func (r *edgeRun) bringArgs(own *ownOrder, run, params []byte) arguments {
	named, w := uint64(0), &structure{}
	for _, at := range r.form.Bring.Vertices {
		named |= 1 << (at / 4)
	}
	order := own.order
	if named == 0 {
		order = nil
	}
	w.buffers(own.place, order, r.bring.to)
	w.u64(named)
	return arguments{driver.NewArgs().Bytes(run).Bytes(params).Bytes(w.b).Uint32(0)}
}

// A Column is numbers of a program of own kernels, of 4 bytes for each vertex, or of 8.
type Column struct {
	Numbers *driver.Buffer
	Wide    bool           // of 8, which name no vertices
	Names   bool           // they name vertices
	Own     bool           // by the graph's own numbers already, which the program has from Bringer.Order
	Classes bool           // they are labels of classes, vertices of these: each becomes the least of its class
	Alone   uint32         // of classes: vertices from there on are classes of their own, and Numbers are not read there; labels are below it
	Word    *driver.Buffer // of classes: what is launched does nothing unless its word At is Is; nil: it does
	At, Is  uint32
}

// A Bringer brings columns into the graph's own order.
type Bringer struct {
	To    []*driver.Buffer // the columns there, once launched
	Order *driver.Buffer   // each vertex's own number; nil: no column needs it
	least []*driver.Buffer // of each column of classes: what its labels have taken, and whose class has no name yet
	steps []bringStep
}

// A bringStep is a launch.
type bringStep struct {
	kernel *driver.Kernel
	blocks int
	args   *driver.Args
}

// Bringer makes what bringing columns takes; nil if that is not asked for, or there is no room. It is
// for Program.Begin.
func (s *Session) Bringer(b *pregel.Bringing, columns ...Column) (*Bringer, error) {
	if b == nil {
		return nil, nil
	}
	asked := *b
	if asked.Vertices = nil; slices.ContainsFunc(columns, func(c Column) bool { return c.Names }) {
		asked.Vertices = []int{0}
	}
	own, err := s.graph.own(&asked)
	if own == nil || err != nil {
		return nil, err
	}
	begin, before := time.Now(), len(s.buffers)
	x := &Bringer{}
	if len(asked.Vertices) > 0 {
		x.Order = own.order
	}
	for _, c := range columns {
		add := x.add
		if c.Classes {
			add = x.addClasses
		}
		if err := add(s, own, c); err != nil {
			s.giveBack(before)
			return nil, s.graph.noRoom(err)
		}
	}
	s.engine.made(OwnOrder, valuesInOrder, begin, append(slices.Clone(x.To), x.least...)...)
	return x, nil
}

// step adds a launch over so many vertices.
func (x *Bringer) step(s *Session, entry string, vertices uint32, args *driver.Args) error {
	kernel, err := s.Kernel("bring", entry)
	x.steps = append(x.steps, bringStep{kernel, blocks(int(vertices), bringNumbers*stepThreads), args})
	return err
}

// add makes what bringing a column takes.
func (x *Bringer) add(s *Session, own *ownOrder, c Column) error {
	entry, bytes := "bring_numbers", uint64(4)
	if c.Wide {
		entry, bytes = "bring_wide", 8
	}
	to, err := s.Buffer(bytes*uint64(s.graph.N), valuesInOrder)
	if err != nil {
		return err
	}
	args := driver.NewArgs().Buffer(c.Numbers).Buffer(own.place)
	if !c.Wide {
		order := x.Order
		if !c.Names || c.Own {
			order = nil
		}
		args.Buffer(order)
	}
	x.To = append(x.To, to)
	return x.step(s, entry, s.graph.N, args.Uint32(s.graph.N).Buffer(to))
}

// firstNamed is how many vertices offer themselves to their classes before the others.
const firstNamed = 8192

// addClasses is add for labels of classes.
func (x *Bringer) addClasses(s *Session, own *ownOrder, c Column) error {
	n := s.graph.N
	to, err := s.Buffer(4*uint64(n), valuesInOrder)
	if err != nil {
		return err
	}
	least, err := s.Buffer(4*uint64(n), valuesInOrder)
	if err != nil {
		return err
	}
	x.To, x.least = append(x.To, to), append(x.least, least)
	open, err := s.Buffer(openBytes(uint64(n)), valuesInOrder)
	if err != nil {
		return err
	}
	x.least = append(x.least, open)
	when := make([]byte, 16) // struct When in kernels/bring.cu
	if c.Word != nil {
		binary.LittleEndian.PutUint64(when, c.Word.Address()+4*uint64(c.At))
		binary.LittleEndian.PutUint32(when[8:], c.Is)
	}
	w := &structure{} // struct Classes
	w.buffers(c.Numbers, own.place)
	w.u32(n, c.Alone)
	w.buffers(least, to, open)
	classes := func(first, end uint32) *driver.Args {
		return driver.NewArgs().Bytes(w.b).Uint32(first).Uint32(end).Bytes(when)
	}
	if err := x.step(s, "bring_nothing", c.Alone, driver.NewArgs().Uint32(c.Alone).Buffer(least).Bytes(when)); err != nil {
		return err
	}
	if err := x.step(s, "bring_classes", firstNamed, classes(0, firstNamed)); err != nil {
		return err
	}
	if n > firstNamed {
		if err := x.step(s, "bring_classes", n-firstNamed, classes(firstNamed, n)); err != nil {
			return err
		}
	}
	return x.step(s, "bring_least", (n+3)/4, driver.NewArgs().Bytes(w.b).Bytes(when))
}

// openBytes are those of a bit for each vertex: whether its class has no name yet.
func openBytes(vertices uint64) uint64 { return (vertices + 31) / 32 * 4 }

// DropBringer gives back the columns of a Bringer that will not be launched again; nil: there is none.
func (s *Session) DropBringer(x *Bringer) {
	if x == nil {
		return
	}
	for _, b := range append(slices.Clone(x.To), x.least...) {
		s.GiveBack(b)
	}
	delete(s.engine.forms, valuesInOrder)
}

// LaunchBringer brings the columns of a Bringer; nil: there is none.
func (s *Session) LaunchBringer(x *Bringer) error {
	if x == nil {
		return nil
	}
	for _, l := range x.steps {
		if err := s.Launch(l.kernel, l.blocks, stepThreads, l.args); err != nil {
			return err
		}
	}
	return nil
}

// bringNumbers is BRING_NUMBERS in kernels/bring.cu.
const bringNumbers = 8

// brings adds the kernel to those of a program.
func (r *edgeRun) brings(list []string) []string {
	if r.form.Bring == nil {
		return list
	}
	return append(list, "step_bring")
}

// bringEarly launches it behind a loop, which may turn out to go on: then it does nothing.
func (r *edgeRun) bringEarly() error {
	if r.bring.to == nil {
		return nil
	}
	return r.launchBring(true)
}

// bringLast launches it if it has not been done.
func (r *edgeRun) bringLast() error {
	if r.bring.to == nil || r.bring.done {
		return nil
	}
	return r.launchBring(false)
}

func (r *edgeRun) launchBring(unless bool) error {
	run := r.runs.of(r, &flight{from: r.held, to: r.held})
	r.launch["step_bring"].run(run, paramsBytes(r.form)).with(3, uint32(bit(unless)))
	words := int(r.graph.N+31) / 32
	return r.start("step_bring", min(r.bringBlocks, blocks(words, bringVertices*stepThreads/32)))
}

// bringVertices is BRING_VERTICES in kernels/step_bring.cuh.
const bringVertices = 4
