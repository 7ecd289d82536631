package pregel

import (
	"slices"

	"gopregel/pregel/bitmap"
)

// A State is a run between two supersteps: with the graph, the program and its
// parameters, all that the rest of the run depends on, on any engine. Its slices
// may be the run's own, and are then good until the next superstep begins.
type State struct {
	Program    string
	Supersteps int // completed; 0: only Init has run
	Values     any // []V, by vertex
	// Awake are the vertices that run in the next superstep though no message in
	// Messages wakes them. Those that wait for their priority are in Waiting alone.
	Awake    bitmap.Bitmap
	Waiting  bitmap.Bitmap // nil, unless the program is a Prioritizer
	Priority uint64        // the current one
	// Aggregates are the last values of the aggregators, in the order in which Setup
	// has made them.
	Aggregates []any
	// Messages are those under way, []M, and To their targets, ascending. A superstep
	// of an edge program ends with its messages applied: only vertex programs, and
	// runs in place, have any.
	To       []uint32
	Messages any
}

// A Stateful task can show what it has of a State: all but Supersteps, and, if an
// engine keeps the frontier, Awake. It is asked at barriers.
type Stateful interface {
	Task
	State() State
}

// state is what the program's part of a run has of a State.
func (s *Setup) state() []any {
	var list []any
	for _, a := range s.aggregators {
		list = append(list, a.value())
	}
	return list
}

// State shows values, priority and aggregators; the engine adds the frontier.
func (t *edgeTask[V, M]) State() State {
	return State{Program: t.name, Values: t.values, Waiting: t.waiting, Priority: t.current, Aggregates: t.setup.state()}
}

// State shows all but the number of supersteps.
func (t *vertexTask[V, M]) State() State {
	to := t.inbox.to()
	return State{Program: t.name, Values: t.values, Awake: t.awake, Aggregates: t.setup.state(),
		To: to, Messages: slices.Clip(t.inbox.messages[:len(to)])}
}

// to lists the target of each message.
func (b *inbox[M]) to() []uint32 {
	list := make([]uint32, 0, len(b.messages))
	if b.sparse {
		for i, v := range b.targets {
			for range b.starts[i+1] - b.starts[i] {
				list = append(list, v)
			}
		}
		return list
	}
	for v := 0; v+1 < len(b.offsets) && len(list) < len(b.messages); v++ {
		for range b.offsets[v+1] - b.offsets[v] {
			list = append(list, uint32(v))
		}
	}
	return list
}
