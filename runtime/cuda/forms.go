package cuda

import (
	"cmp"
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

// formRecord is a Form of the resident graph.
type formRecord struct {
	Form
	used bool // by the last task
}

// Forms returns what the last task has used, by name, whether it was made in it or before.
func (e *Engine) Forms() (list []Form) {
	for _, f := range e.forms {
		if f.used {
			list = append(list, f.Form)
		}
	}
	slices.SortFunc(list, func(a, b Form) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// LeaveOut has the tasks that follow make no forms of these names, and gives up those that
// were made of the resident graph. Answers stay as they are, but for the order of a sum of
// floats; what a form gains can be measured.
func (e *Engine) LeaveOut(names ...string) error {
	e.leftOut = names
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
	clear(d.engine.forms)
}

// without tells whether a form is not to be made.
func (d *Graph) without(form string) bool {
	return d.slim || slices.Contains(d.engine.leftOut, form)
}

// made notes a form that was begun at a time and consists of these buffers.
func (e *Engine) made(form string, begin time.Time, buffers ...*driver.Buffer) {
	f := formRecord{Form: Form{Name: form, Took: time.Since(begin)}, used: true}
	if was := e.forms[form]; was != nil { // of arcs the other way, or messages of another width
		f.Took += was.Took
		f.Bytes = was.Bytes
	}
	for _, b := range buffers {
		if b != nil {
			f.Bytes += b.Size()
		}
	}
	e.forms[form] = &f
}

// uses notes that the task uses a form that is there.
func (e *Engine) uses(form string) {
	if f := e.forms[form]; f != nil {
		f.used = true
	}
}

// beginForms forgets what the task before has used.
func (e *Engine) beginForms() {
	for _, f := range e.forms {
		f.used = false
	}
}
