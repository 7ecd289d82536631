package pregel

import (
	"errors"
	"fmt"
	"slices"

	"gopregel/pregel/bitmap"
)

// A State is a run between two supersteps: with the graph, the program and its
// parameters, all that the rest of the run depends on, on any engine. Its slices
// may be the run's own, and are then good until the next superstep begins.
type State struct {
	Program string
	// Run counts the programs and phases that the job began before this one, Before
	// the supersteps it had done by then.
	Run, Before int
	Supersteps  int    // completed; 0: only Init has run
	Metric      Metric // the last reported
	Values      any    // []V, by vertex
	// Awake are the vertices that run in the next superstep though no message in
	// Messages wakes them. Those that wait for their priority are in Waiting alone.
	Awake    bitmap.Bitmap
	Waiting  bitmap.Bitmap // nil, unless the program is a Prioritizer
	Settled  bitmap.Bitmap // nil, unless it is a Settler
	Priority uint64        // the current one
	// Aggregates are the last values of the aggregators, in the order in which Setup
	// has made them.
	Aggregates []any
	// Kept points to the variables that the program keeps (Keep), in their order.
	Kept []any
	// Messages are those under way, []M, and To their targets, ascending. A superstep
	// of an edge program ends with its messages applied: only vertex programs, and
	// runs in place, have any.
	To       []uint32
	Messages any
	// Parts points to what the job's last Commit has named, at PartsRun and PartsBefore,
	// which are as Run and Before.
	Parts                 []any
	PartsRun, PartsBefore int
	// Exact tells that the rest of the run has the same bits on every engine: nothing
	// is added up in floats.
	Exact bool
	// Bound tells that it is good on the kind of engine alone that has made it.
	Bound bool
}

// A Stateful task can show what it has of a State: all but Supersteps and Metric,
// and, if an engine keeps the frontier, Awake. It is asked at barriers. After
// Begin, before Init, it shows the types.
type Stateful interface {
	Task
	State() State
}

// A Restorable task goes on from a State, in place of Init. What Kept points to, and
// Values where they are the slice that State has shown, are in place already.
type Restorable interface {
	Stateful
	Restore(s State) error
}

// ErrNoState is the error of a task that has no state to show, such as a phase
// that is a plain loop.
var ErrNoState = errors.New("it has no state to show")

// Keep has a variable of the program kept with the state of its run: one that Barrier
// changes, beside the aggregators. It is of a type of fixed size, without pointers.
// Setup calls it.
func Keep[T any](s *Setup, variable *T) { s.kept = append(s.kept, variable) }

// state is what the program's part of a run has of a State.
func (s *Setup) state() (aggregates, kept []any) {
	for _, a := range s.aggregators {
		aggregates = append(aggregates, a.value())
	}
	return aggregates, s.kept
}

func (s *Setup) restore(aggregates []any) error {
	if len(aggregates) != len(s.aggregators) {
		return fmt.Errorf("a state with %d aggregators, want %d", len(aggregates), len(s.aggregators))
	}
	for i, a := range s.aggregators {
		if !a.restore(aggregates[i]) {
			return fmt.Errorf("a state whose aggregator %d is a %T, want a %T", i, aggregates[i], a.value())
		}
	}
	return nil
}

// State shows values, priority and aggregators; the engine adds the frontier.
func (t *edgeTask[V, M]) State() State {
	s := State{Program: t.name, Values: t.values, Waiting: t.waiting, Settled: t.Settled(), Priority: t.current, Messages: []M(nil),
		Exact: t.spec.Combine.Exact && !t.setup.ordered()}
	s.Aggregates, s.Kept = t.setup.state()
	return s
}

// Restore takes all but the frontier.
func (t *edgeTask[V, M]) Restore(s State) error {
	for _, b := range []struct {
		what      string
		has, want bitmap.Bitmap
	}{{"waiting", s.Waiting, t.waiting}, {"settled", s.Settled, t.settled}} {
		if len(b.has) != len(b.want) {
			return fmt.Errorf("program %s: a state with %d words of %s vertices, want %d", t.name, len(b.has), b.what, len(b.want))
		}
		copy(b.want, b.has)
	}
	t.current = s.Priority
	err := restoreCommon(t.name, &t.setup, t.values, s)
	t.begun = err == nil
	return err
}

// Recount notes the vertices from lo to hi as Init does, by what Restore has taken.
func (t *edgeTask[V, M]) Recount(lo, hi uint32, w *Worker, awake bitmap.Bitmap) {
	for v := lo; v < hi; v++ {
		if awake.Has(v) {
			w.Awake++
			w.AwakeArcs += t.degree(v)
		}
		if t.settled != nil && t.settled.Has(v) {
			w.DoneArcs += t.degree(v)
		}
		if t.waiting != nil && t.waiting.Has(v) {
			w.Waiting++
		}
	}
}

func restoreCommon[V any](name string, setup *Setup, values []V, s State) error {
	has, ok := s.Values.([]V)
	switch {
	case !ok:
		return fmt.Errorf("program %s: a state with values %T, want %T", name, s.Values, values)
	case len(has) != len(values):
		return fmt.Errorf("program %s: a state with %d values, want %d", name, len(has), len(values))
	case len(s.Awake) != (len(values)+63)/64:
		return fmt.Errorf("program %s: a state with %d words of awake vertices, want %d", name, len(s.Awake), (len(values)+63)/64)
	}
	copy(values, has)
	if err := setup.restore(s.Aggregates); err != nil {
		return fmt.Errorf("program %s: %w", name, err)
	}
	return nil
}

// State shows all but the number of supersteps.
func (t *vertexTask[V, M]) State() State {
	to := t.inbox.to()
	s := State{Program: t.name, Values: t.values, Awake: t.awake, To: to, Messages: slices.Clip(t.inbox.messages[:len(to)]), Exact: true}
	s.Aggregates, s.Kept = t.setup.state()
	return s
}

// Restore takes a state in place of Init.
func (t *vertexTask[V, M]) Restore(s State) error {
	if err := restoreCommon(t.name, &t.setup, t.values, s); err != nil {
		return err
	}
	messages, err := messagesOf[M](t.name, len(t.values), s)
	if err != nil {
		return err
	}
	copy(t.awake, s.Awake)
	t.inbox.restore(len(t.values), s.To, messages)
	t.count = uint64(t.awake.Count())
	t.pending = t.count
	for i, v := range s.To {
		if !t.awake.Has(v) && (i == 0 || s.To[i-1] != v) {
			t.pending++
		}
	}
	return nil
}

// messagesOf checks the messages of a state for n vertices.
func messagesOf[M any](name string, n int, s State) ([]M, error) {
	messages, ok := s.Messages.([]M)
	switch {
	case !ok:
		return nil, fmt.Errorf("program %s: a state with messages %T, want %T", name, s.Messages, messages)
	case len(messages) != len(s.To):
		return nil, fmt.Errorf("program %s: a state with %d messages to %d vertices", name, len(messages), len(s.To))
	case !slices.IsSorted(s.To), len(s.To) > 0 && int(s.To[len(s.To)-1]) >= n:
		return nil, fmt.Errorf("program %s: a state whose messages are not to ascending vertices below %d", name, n)
	}
	return messages, nil
}

// restore replaces the content by messages to ascending vertices.
func (b *inbox[M]) restore(n int, to []uint32, messages []M) {
	b.messages, b.sparse = messages, true
	b.targets, b.starts = b.targets[:0], b.starts[:0]
	for i, v := range to {
		if i == 0 || to[i-1] != v {
			b.targets = append(b.targets, v)
			b.starts = append(b.starts, i)
		}
	}
	b.starts = append(b.starts, len(to))
	if len(to) > n/sparseFactor {
		b.spread(n)
	}
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
