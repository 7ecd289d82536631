package pregel

import (
	"fmt"
	"time"
)

// Reason says why a run ended.
type Reason uint8

// The reasons.
const (
	Halted        Reason = iota // no vertex awake, no message under way
	Converged                   // the program's metric reached its tolerance
	MaxSupersteps               // the limit came first
	Cancelled                   // the context ended; the barrier before it stands
	Failed                      // an error or panic of the program
	TimeLimit                   // the time of Bounds is over; the barrier after it stands
)

var reasonNames = [...]string{"halted", "converged", "max-supersteps", "cancelled", "failed", "time-limit"}

func (r Reason) String() string { return reasonNames[r] }

// MarshalText gives the name of the reason.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// A Stop is the record of how a run ended.
type Stop struct {
	Reason     Reason
	Supersteps int    // completed
	Metric     Metric // the last reported; no Name if none was
	Err        error  // when Failed
}

func (s Stop) String() string {
	text := fmt.Sprintf("%s after %d supersteps", s.Reason, s.Supersteps)
	if s.Metric.Name != "" {
		text += fmt.Sprintf(" (%s %.3g, tolerance %.3g)", s.Metric.Name, s.Metric.Value, s.Metric.Tolerance)
	}
	if s.Err != nil {
		text += ": " + s.Err.Error()
	}
	return text
}

// A VertexError is an error or panic of a program, with its place.
type VertexError struct {
	Program   string
	Superstep int
	Vertex    uint32 // dense
	ID        string // the user's own id of it
	Cause     any    // what was returned or panicked with
	Stack     string // of a panic
}

func (e *VertexError) Error() string {
	return fmt.Sprintf("program %s, %s, vertex %s: %v", e.Program, when(e.Superstep), e.ID, e.Cause)
}

// when names a superstep; that before the first is Init.
func when(superstep int) string {
	if superstep < 0 {
		return "Init"
	}
	return fmt.Sprintf("superstep %d", superstep)
}

// A ProgramError is an error or panic of a program that belongs to no vertex:
// in its Setup or Spec, at a barrier, or in an aggregator.
type ProgramError struct {
	Program   string
	Superstep int // -1: before the first
	Cause     any
	Stack     string // of a panic
}

func (e *ProgramError) Error() string {
	return fmt.Sprintf("program %s, %s: %v", e.Program, when(e.Superstep), e.Cause)
}

// Unwrap returns the cause if it is an error.
func (e *ProgramError) Unwrap() error {
	err, _ := e.Cause.(error)
	return err
}

// Unwrap returns the cause if it is an error.
func (e *VertexError) Unwrap() error {
	err, _ := e.Cause.(error)
	return err
}

// Direction is how the messages of a superstep travelled.
type Direction uint8

// The directions.
const (
	Auto Direction = iota // the engine chooses by the size of the frontier
	Push                  // sources write to their targets, atomically
	Pull                  // targets read from their sources
)

var directionNames = [...]string{"auto", "push", "pull"}

func (d Direction) String() string { return directionNames[d] }

// MarshalText gives the name of the direction.
func (d Direction) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// A StepRecord is what happened in one superstep.
type StepRecord struct {
	Program   string
	Superstep int
	Awake     uint64 // vertices that emitted or computed
	Arcs      uint64 // along which was sent, or which were read when pulled or by a plain phase
	Direction Direction
	List      bool   // the frontier was a list, not a bitmap
	Relaxed   bool   // it was a round in place (Relaxer); Awake counts a vertex as often as it sent
	Next      uint64 // vertices awake in the next superstep
	Time      time.Duration
	Metric    Metric
	Detail    *Detail // nil, unless the job asks for it
}
