package pregel

import (
	"reflect"
	"time"

	"gopregel/pregel/graph"
)

// A Detail is what the record of a superstep has beside, where a job asks for it
// (Job.Detail): what measuring it costs is spared otherwise. It is good until Observe
// returns: an engine uses the room again, but for aggregates.
type Detail struct {
	Why        Choice // for this direction
	Sent       *uint64
	Combined   *uint64 // vertices that got a message; nil: not known
	Atomics    *uint64 // atomic operations: of a program one at most for each message pushed beside other workers, which are counted; nil: not known
	Phases     []PhaseTime
	Whole      string        // the one phase that a superstep was, of one worker or of several with a share each, in place of Phases: it took all the time before the barrier
	Barrier    time.Duration // a part of the record's Time
	Timed      int           // short supersteps that were timed together, of whose time the record has an equal part; 0: it was timed itself
	Read       uint64        // arcs, when pulled, where the record's Arcs are those of the frontier; 0: Arcs are those read
	Aggregates []any
	// Again says that the record has all in common with that before it, of the same
	// program, but numbers, times of phases and what the program says at the barrier:
	// who watches short supersteps need not look.
	Again bool
}

// Details make the details of records in the same room again and again: a short
// superstep takes less time than making room does.
type Details struct {
	room  []detailed
	used  int
	last  *detailed // of the last kind that was made
	kinds int       // New has made
}

type detailed struct {
	Detail
	sent, atomics, combined uint64
	kind                    int // which of New's it has all but numbers of
}

// Reset takes back all that were made.
func (s *Details) Reset() { s.used = 0 }

// New makes a detail in which Sent is known, and that there were no atomics.
func (s *Details) New(why Choice, sent uint64) *Detail {
	if s.used == len(s.room) {
		s.room, s.used = make([]detailed, max(2*len(s.room), 1)), 0
	}
	d := &s.room[s.used]
	s.used++
	s.kinds++
	s.last, d.kind = d, s.kinds
	d.sent, d.atomics = sent, 0
	d.Why, d.Sent, d.Atomics = why, &d.sent, &d.atomics
	d.Combined, d.Phases, d.Whole, d.Aggregates = nil, nil, "", nil // one by one: that is faster than all
	d.Barrier, d.Timed, d.Read, d.Again = 0, 0, 0, false
	return &d.Detail
}

// Again makes the detail that was made last once more, as Detail.Again, with other
// numbers, by the same rule: no atomics then and now, and no phases but the whole.
func (s *Details) Again(why Choice, sent uint64) *Detail {
	if s.used == len(s.room) || s.room[s.used].kind != s.last.kind {
		return s.copied(why, sent)
	}
	d := &s.room[s.used]
	s.used++
	d.Why.Have, d.Why.Limit, d.sent, d.Timed, d.Detail.Again = why.Have, why.Limit, sent, 0, true
	return &d.Detail
}

// Combined says of the detail that was made last how many vertices got a message.
func (s *Details) Combined(n uint64) {
	d := &s.room[s.used-1]
	d.combined = n
	d.Detail.Combined = &d.combined
}

// copied makes a detail such as the last in new room.
func (s *Details) copied(why Choice, sent uint64) *Detail {
	whole, kind := s.last.Whole, s.last.kind
	d := s.New(why, sent)
	d.Whole, d.Again, s.last.kind = whole, true, kind
	return d
}

// A PhaseTime is the time that each worker has spent in a part of a superstep.
type PhaseTime struct {
	Name    string
	Workers []time.Duration
}

// A Watch is a Pool that can tell how long what it runs takes. Phase names what
// follows; it costs nothing unless a run is observed in detail.
type Watch interface {
	Phase(name string)
}

// phase names what a pool runs next.
func phase(p Pool, name string) {
	if w, ok := p.(Watch); ok {
		w.Phase(name)
	}
}

// A Measured task tells what an estimate of its bytes is made of, and its
// aggregates.
type Measured interface {
	Task
	Widths() Widths
	Aggregates() []any
}

// A Retold task is measured anew for each record: what a phase or a program of own
// kernels touches is known when it is done.
type Retold interface {
	Measured
	Retold()
}

// Widths returns those of the program's types.
func (t *edgeTask[V, M]) Widths() Widths {
	w := Widths{Value: uint64(reflect.TypeFor[V]().Size()), Message: uint64(reflect.TypeFor[M]().Size())}
	if t.byArcs() && t.g.Weighted() != graph.Unweighted {
		w.Weight = 4
	}
	return w
}

// Aggregates returns the last values of the aggregators.
func (t *edgeTask[V, M]) Aggregates() []any { return t.setup.aggregates() }

// Widths returns those of the program's types: a message is written to its
// outbox and sorted, with its target.
func (t *vertexTask[V, M]) Widths() Widths {
	return Widths{Value: uint64(reflect.TypeFor[V]().Size()), Message: uint64(reflect.TypeFor[M]().Size())}
}

// Aggregates returns the last values of the aggregators.
func (t *vertexTask[V, M]) Aggregates() []any { return t.setup.aggregates() }

func (s *Setup) aggregates() []any {
	list, _ := s.state()
	return list
}
