package pregel

// Schedule says when the messages of edge programs are delivered.
type Schedule uint8

// The schedules.
const (
	// AutoSchedule is BSP, but for the built-in programs that relax in place where
	// nothing else is asked for (SSSP; on a CUDA device, tile by tile on graphs that
	// are prepared for it, BFS and SCC too).
	AutoSchedule Schedule = iota
	// BSP delivers what is sent in a superstep in the next, for all programs.
	BSP
	// Relaxed delivers at once, and is for programs that declare that they may be
	// run so (Relaxer).
	Relaxed
)

var scheduleNames = [...]string{"auto", "bsp", "relaxed"}

func (s Schedule) String() string { return scheduleNames[s] }

// MarshalText gives the name of the schedule.
func (s Schedule) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Relaxer declares that the messages of an edge program may be delivered and
// applied as soon as they are sent, in the same superstep: schedule Relaxed. It
// tells so by returning true; the method is asked once per run, after Setup.
//
// What is a superstep of BSP is then a round: every vertex that had a message or
// was awake when it began, and that does not wait, has been applied and has sent, in some order, and
// workers have gone on with what they woke themselves, for a while. Values are
// read while others change. How many rounds a run takes, and what values are
// between them, differs from run to run; the values at its end do not, if the
// program keeps this law:
//
//   - The combiner is idempotent: Min, Max, Or, Any, or one made by Combine whose
//     Idempotent is set, and which is.
//   - There is an order of values and one of messages, in which combining makes
//     messages greater, and Apply values, or leaves them: x ≤ Apply(x, m). Apply,
//     Emit and the edge operation are monotone: of greater values and messages
//     they never make lesser ones. (For shortest paths "greater" is nearer.)
//   - Messages may come late, early, again, in any portions, alone or combined with
//     those before: Apply(Apply(x, a), b) and Apply(Apply(x, a), a⊕b) have the value
//     of Apply(x, a⊕b). A message equal to the combiner's identity says nothing, and
//     may not come.
//   - A vertex is awake after Apply if and only if it has something new to say.
//     Whether Init leaves it awake is as in BSP.
//   - Init, Emit and Apply depend on ID, OutDegree, Value and message alone: not on
//     Superstep, not on an aggregator, not on got.
//
// Then the values at the end are the least fixed point of the program, the same
// for every order (Kleene). A program that breaks the law gets wrong values and no
// error; pregeltest.Relaxes looks for counter-examples. Depths counted by
// Superstep, "the first message wins" and anything that adds up break it.
//
// Which vertices go first is free. Where messages are lengths of paths (Min with PlusWeight)
// or widths (Max with MinWeight), and no weight is negative, a vertex waits, with its messages
// not yet applied, while others have better ones; a Prioritizer is then not asked, nor on a GPU
// where a graph is swept. Else a
// Prioritizer's vertices wait as in BSP, and rounds go on at one priority until
// none is left. A Settler's hint is not used. A Barrierer is called after each
// round.
type Relaxer interface {
	Relaxes() bool
}

// A RelaxedAlgorithm can say whether, with its parameters, it can be run with
// schedule Relaxed: on the engine of the host, or on a CUDA device.
type RelaxedAlgorithm interface {
	Relaxes(device bool) bool
}

// An InPlaceAlgorithm can say whether a CUDA device has no form of it, with its
// parameters, but a relaxed one.
type InPlaceAlgorithm interface {
	InPlace() bool
}
