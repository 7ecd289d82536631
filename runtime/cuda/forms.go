package cuda

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"gopregel/runtime/cuda/driver"
)

// A Form is what was made of a graph, or of a run, for speed alone: see Optional, whose names it has.
type Form struct {
	Name  string
	Bytes uint64
	Took  time.Duration // to make it, kernels and transfers included
}

// formRecord is what the engine notes of a form, or of a part of one.
type formRecord struct {
	Form
	used bool // by the last task
}

// formNames are those that LeaveOut takes.
var formNames = []string{arcsByWeight, inArcsByWeight, arcsByRank, arcsInColumns, arcsByTile, firstNeighbours, valuesAhead, OwnOrder, edgesInOrder}

// Forms returns what the last task on the device has used, by name, whether it was made in it or before.
func (e *Engine) Forms() (list []Form) {
	for _, f := range e.forms {
		if !f.used {
			continue
		}
		i := slices.IndexFunc(list, func(other Form) bool { return other.Name == f.Name })
		if i < 0 {
			i = len(list)
			list = append(list, Form{Name: f.Name})
		}
		list[i].Bytes += f.Bytes
		list[i].Took += f.Took
	}
	slices.SortFunc(list, func(a, b Form) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// LeaveOut has the tasks that follow make no forms of these names, but for what they cannot
// run without, and gives up those that were made of the resident graph. Answers stay as they
// are, but for the order of a sum of floats; what a form gains can be measured.
func (e *Engine) LeaveOut(names ...string) error {
	for _, name := range names {
		if !slices.Contains(formNames, name) {
			return fmt.Errorf("cuda: form to be left out: found %q, want one of %q", name, formNames)
		}
	}
	e.leftOut = slices.Clone(names)
	return e.device.Do(func() error {
		if e.graph != nil {
			e.graph.strip()
		}
		e.drain()
		return nil
	})
}

// strip gives up what was made of the arcs of the graph, and keeps these.
func (d *Graph) strip() {
	d.out.strip(d.engine)
	if d.Directed && d.in != nil {
		d.in.strip(d.engine)
	}
	d.giveUpOwn()
	d.edgesFull = false
	clear(d.engine.forms)
}

// without tells whether a form is not to be made.
func (d *Graph) without(form string) bool {
	return d.slim || slices.Contains(d.engine.leftOut, form)
}

// made notes a form, or a part of it, that was begun at a time and consists of these buffers: of
// is what it is known by.
func (e *Engine) made(form string, of any, begin time.Time, buffers ...*driver.Buffer) {
	f := &formRecord{Form: Form{Name: form, Took: time.Since(begin)}, used: true}
	for _, b := range buffers {
		if b != nil {
			f.Bytes += b.Size()
		}
	}
	e.forms[of] = f
}

// uses notes that the task uses what is there.
func (e *Engine) uses(of any) {
	if f := e.forms[of]; f != nil {
		f.used = true
	}
}

// beginForms forgets what the task before has used.
func (e *Engine) beginForms() {
	for _, f := range e.forms {
		f.used = false
	}
}
