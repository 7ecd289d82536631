package trace

import (
	"errors"
	"io"
	"slices"
	"sort"
	"strconv"
)

// A Run is a whole trace in memory.
type Run struct {
	Header   Header
	Graph    *Graph // nil: the trace has none
	Programs []Program
	Init     *Values // nil: none
	Steps    []Step
	Notes    []Note
	Stop     *Stop // nil: the trace is truncated

	changes map[uint32][]change // of each vertex, by superstep
	place   map[string]uint32   // of ids
}

// A Step is a superstep with what belongs to it.
type Step struct {
	Superstep
	Values   *Values
	Messages *Messages
}

// change is a value that a vertex has had from the end of a superstep on.
type change struct {
	superstep int
	value     Value
}

// Read reads a trace to its end. With an error that is truncated (Error) what was
// before it is returned, too.
func Read(name string, r io.Reader) (*Run, error) {
	in, run := NewReader(name, r), &Run{}
	for {
		rec, err := in.Next()
		switch cut := (*Error)(nil); {
		case err == io.EOF:
			return run, nil
		case errors.As(err, &cut) && cut.Truncated:
			return run, err
		case err != nil:
			return nil, err
		}
		run.Add(rec)
	}
}

// Write adds a record: a Run is made by what writes to it, too.
func (r *Run) Write(rec Record) error {
	r.Add(rec)
	return nil
}

// Add adds a record, which must fit those before.
func (r *Run) Add(rec Record) {
	switch x := rec.(type) {
	case *Header:
		r.Header = *x
	case *Graph:
		r.Graph = x
	case *Program:
		r.Programs = append(r.Programs, *x)
	case *Superstep:
		r.Steps = append(r.Steps, Step{Superstep: *x})
	case *Values:
		r.addValues(x)
	case *Messages:
		if k := len(r.Steps); k > 0 {
			r.Steps[k-1].Messages = x
		}
	case *Note:
		r.Notes = append(r.Notes, *x)
	case *Stop:
		r.Stop = x
	}
}

func (r *Run) addValues(x *Values) {
	if k := len(r.Steps); k > 0 {
		r.Steps[k-1].Values = x
	} else {
		r.Init = x
	}
	if r.changes == nil {
		r.changes = map[uint32][]change{}
	}
	for i, value := range x.Values {
		v := uint32(i)
		if x.Vertices != nil {
			v = x.Vertices[i]
		}
		if list := r.changes[v]; len(list) == 0 || x.Init != "" || string(list[len(list)-1].value) != string(value) {
			r.changes[v] = append(list, change{x.Superstep, value})
		}
	}
}

// HasValues tells whether the trace has values of a vertex.
func (r *Run) HasValues(v uint32) bool { return len(r.changes[v]) > 0 }

// At returns the value of a vertex at the end of a superstep (-1: after Init), and
// the superstep that has given it. ok is false where the trace has no value.
func (r *Run) At(superstep int, v uint32) (value Value, since int, ok bool) {
	list := r.changes[v]
	k := sort.Search(len(list), func(i int) bool { return list[i].superstep > superstep })
	if k == 0 {
		return nil, 0, false
	}
	return list[k-1].value, list[k-1].superstep, true
}

// ValuesAt returns the values record at the end of a superstep (-1: after Init),
// nil if there is none.
func (r *Run) ValuesAt(superstep int) *Values {
	switch {
	case superstep == -1:
		return r.Init
	case superstep >= 0 && superstep < len(r.Steps):
		return r.Steps[superstep].Values
	}
	return nil
}

// Changes lists the vertices whose value a superstep has changed, ascending.
func (r *Run) Changes(superstep int) []uint32 {
	x := r.ValuesAt(superstep)
	if x == nil {
		return nil
	}
	var list []uint32
	for i := range x.Values {
		v := uint32(i)
		if x.Vertices != nil {
			v = x.Vertices[i]
		}
		if _, since, ok := r.At(superstep, v); ok && since == superstep {
			list = append(list, v)
		}
	}
	return list
}

// ProgramAt returns what is declared of the program that runs in a superstep, nil
// if nothing is. After the last superstep it is the program that would run.
func (r *Run) ProgramAt(superstep int) *Program {
	p := r.declared(superstep)
	if p != nil && superstep >= 0 && superstep < len(r.Steps) && r.Steps[superstep].Program != p.Program {
		return nil
	}
	return p
}

// ProgramOf returns what is declared of the program whose values those are that
// vertices have since the end of a superstep, -1 being Init: it ran in that, or has
// begun after it.
func (r *Run) ProgramOf(since int) *Program {
	if since < 0 || r.initial(since) {
		return r.declared(max(since+1, 0))
	}
	return r.ProgramAt(since)
}

// initial tells whether the values at the end of a superstep are those of the Init of
// a later program.
func (r *Run) initial(superstep int) bool {
	if superstep < 0 || superstep >= len(r.Steps) {
		return false
	}
	x := r.Steps[superstep].Values
	return x != nil && x.Init != ""
}

// declared is the last program that has begun by a superstep.
func (r *Run) declared(superstep int) *Program {
	for i := len(r.Programs) - 1; i >= 0; i-- {
		if p := &r.Programs[i]; p.Superstep <= superstep {
			return p
		}
	}
	return nil
}

// ID returns the id of a vertex, its number where the trace does not have the
// graph.
func (r *Run) ID(v uint32) string {
	if r.Graph != nil && int(v) < len(r.Graph.IDs) {
		return r.Graph.IDs[v]
	}
	return strconv.FormatUint(uint64(v), 10)
}

// Find returns the vertex with an id.
func (r *Run) Find(id string) (uint32, bool) {
	if r.Graph == nil {
		v, err := strconv.ParseUint(id, 10, 32)
		return uint32(v), err == nil && v < uint64(r.Header.Graph.Vertices)
	}
	if r.place == nil {
		r.place = make(map[string]uint32, len(r.Graph.IDs))
		for v, name := range r.Graph.IDs {
			r.place[name] = uint32(v)
		}
	}
	v, ok := r.place[id]
	return v, ok
}

// Near lists up to five ids that are like one that is not there: next to it as
// numbers, or else in the order of strings.
func (r *Run) Near(id string) []string {
	if r.Graph == nil {
		return nil
	}
	list := slices.Clone(r.Graph.IDs)
	if x, err := strconv.ParseInt(id, 10, 64); err == nil {
		distance := func(text string) uint64 {
			y, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return 1<<64 - 1
			}
			return uint64(max(x, y)) - uint64(min(x, y))
		}
		slices.SortStableFunc(list, func(a, b string) int {
			if d, e := distance(a), distance(b); d != e {
				return map[bool]int{true: -1, false: 1}[d < e]
			}
			return 0
		})
		return list[:min(len(list), 5)]
	}
	slices.Sort(list)
	at, _ := slices.BinarySearch(list, id)
	lo := max(0, min(at-2, len(list)-5))
	return list[lo:min(len(list), lo+5)]
}
