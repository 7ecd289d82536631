// Package trace is the record of a run, superstep by superstep: a file of one
// JSON object a line, which FORMAT.md describes.
//
// A Writer writes records and a Reader reads them, strictly; a Recorder makes
// them of a run, by its job's Observe and Barrier. Read keeps a whole trace in
// memory (Run), where values are looked up by superstep, and Why follows the
// messages that led to one. What a trace is shown with is built on these.
package trace

import (
	"encoding/json"
	"fmt"

	"gopregel/pregel"
)

// Version is that of the format which is written. Those before it are read.
const Version = 4

// A Value is the JSON text of a value or a message: a number; "NaN", "+Inf" or
// "-Inf"; null where a number means nothing; or an object of a struct's fields.
type Value = json.RawMessage

// A Record is what a trace has of something: a *Header, *Graph, *Program, *Superstep,
// *Values, *Messages, *Note or *Stop. It is a line, but for short supersteps, many of
// which are one: who reads sees no difference.
type Record interface {
	// kind is the name that the line has, check finds what is wrong with it.
	kind() string
	check(s *state) error
}

// A Header is the first record.
type Header struct {
	Version int            `json:"version"`
	Pregel  string         `json:"pregel,omitempty"` // the version of the command
	Job     string         `json:"job,omitempty"`
	Program string         `json:"program"` // as the job names it
	Params  map[string]any `json:"params,omitempty"`
	Graph   GraphInfo      `json:"graph"`
	Engine  EngineInfo     `json:"engine"`
	Values  string         `json:"values"`           // all, changed or none
	Sample  int            `json:"sample,omitempty"` // vertices with values at most; 0: all
	Columns []string       `json:"columns,omitempty"`
	Started string         `json:"started,omitempty"` // RFC 3339
}

// What a trace has of the values of vertices.
const (
	All     = "all"     // those of all vertices, after each superstep
	Changed = "changed" // those that have changed in it
	None    = "none"
)

// GraphInfo describes the graph. The order of its vertices is that of the run,
// which may be another than that of the ids.
type GraphInfo struct {
	Name     string `json:"name"`
	Vertices int    `json:"vertices"`
	Edges    uint64 `json:"edges"`
	Arcs     uint64 `json:"arcs"`
	Directed bool   `json:"directed"`
	Weights  string `json:"weights"` // none, int32 or float32
}

// EngineInfo describes what ran the program.
type EngineInfo struct {
	Device      string `json:"device"`
	GPU         string `json:"gpu,omitempty"` // its name
	Workers     int    `json:"workers,omitempty"`
	Direction   string `json:"direction,omitempty"`
	Determinism string `json:"determinism,omitempty"`
	Schedule    string `json:"schedule,omitempty"`
}

// A Graph is a small graph itself. Of an undirected one each edge is there once,
// the lesser vertex as its source.
type Graph struct {
	IDs     []string  `json:"ids"`
	Sources []uint32  `json:"sources"`
	Targets []uint32  `json:"targets"`
	Weights []float64 `json:"weights"` // null: none
}

// A Program is what one program of the run, or the only one, declares: it comes
// before the first values or messages of it, and before its first superstep where that
// has aggregates.
type Program struct {
	Program   string   `json:"program"`
	Superstep int      `json:"superstep"`         // its first
	Columns   []string `json:"columns"`           // the fields of a value, or one name of what is no struct; null: none
	Vertices  []string `json:"vertices"`          // those of Columns that name vertices
	Message   string   `json:"message,omitempty"` // vertex: messages name vertices
	// MessageVertices are the fields of a message that name vertices.
	MessageVertices []string `json:"message_vertices,omitempty"`
	Aggregates      []string `json:"aggregates,omitempty"` // names of those of its supersteps
	Combine         string   `json:"combine"`              // min, max, sum, or, any, or a name of its own; "": messages come one by one
	Edge            string   `json:"edge,omitempty"`       // copy, plus_weight, times_weight, min_weight, source_id, or a name of its own
	Along           string   `json:"along,omitempty"`      // out, in or both
	Silent          bool     `json:"silent,omitempty"`     // vertices awake compute without messages, too
}

// A Superstep is what happened in one. Numbers that the engine does not know are
// nil, or zero where none can be.
type Superstep struct {
	Superstep   int         `json:"superstep"` // of the whole run, from 0
	Program     string      `json:"program"`
	Direction   string      `json:"direction,omitempty"`
	Frontier    string      `json:"frontier,omitempty"` // list or bits
	Why         string      `json:"why,omitempty"`      // this direction
	Awake       uint64      `json:"awake"`
	Arcs        uint64      `json:"arcs"` // sent along, or read when pulled
	Sent        *uint64     `json:"sent,omitempty"`
	Combined    *uint64     `json:"combined,omitempty"` // messages left by the combiner: vertices that got one
	Next        uint64      `json:"next"`
	Nanoseconds int64       `json:"nanoseconds"`
	Timed       int         `json:"timed,omitempty"` // supersteps that were timed together, of which it has an equal part; 0: it was timed itself
	Phases      []Phase     `json:"phases,omitempty"`
	Barrier     int64       `json:"barrier,omitempty"` // nanoseconds of it
	Bytes       uint64      `json:"bytes,omitempty"`   // estimated
	Atomics     *uint64     `json:"atomics,omitempty"` // messages pushed beside other workers, each by an atomic operation at most: none of a superstep that one worker did, which may depend on time
	Contention  *Contention `json:"contention,omitempty"`
	Aggregates  []Value     `json:"aggregates,omitempty"`
	Metric      *Metric     `json:"metric,omitempty"`
	Relaxed     bool        `json:"relaxed,omitempty"` // it was a round in place

	choice pregel.Choice // of the direction, where Why is yet to be made of it
}

// A Phase is a part of a superstep, with the nanoseconds of each worker.
type Phase struct {
	Name    string  `json:"name"`
	Workers []int64 `json:"workers"`
}

// Contention is how many messages go to one vertex.
type Contention struct {
	Most uint64  `json:"most"`
	Mean float64 `json:"mean"` // over the vertices that get any
}

// A Metric is a number that the run brings below a tolerance.
type Metric struct {
	Name      string `json:"name"`
	Value     Float  `json:"value"`
	Tolerance Float  `json:"tolerance"`
}

// Values are those at the end of a superstep, -1 being Init of the first program.
type Values struct {
	Superstep int      `json:"superstep"`
	Init      string   `json:"init,omitempty"` // the program, after whose Init they are, where it is not the first
	Vertices  []uint32 `json:"vertices"`       // ascending; null: all
	Values    []Value  `json:"values"`
	Awake     []uint32 `json:"awake"` // who runs in the next superstep, ascending; of a sample, those in it
}

// Messages are those of a superstep: they change values at its end, or, of
// vertex programs, in the next.
type Messages struct {
	Superstep int      `json:"superstep"`
	From      []uint32 `json:"from"`
	To        []uint32 `json:"to"`
	Message   []Value  `json:"message"`
	Next      bool     `json:"next,omitempty"` // they are read in the next superstep
}

// A Note says what a trace lacks, and why.
type Note struct {
	Superstep int    `json:"superstep"`
	Text      string `json:"text"`
}

// A Stop is the last record.
type Stop struct {
	Reason      string   `json:"reason"` // halted, converged, max-supersteps, cancelled, failed or time-limit
	Supersteps  int      `json:"supersteps"`
	Metric      *Metric  `json:"metric,omitempty"`
	Error       string   `json:"error,omitempty"`
	Nanoseconds int64    `json:"nanoseconds"`
	Columns     []string `json:"columns,omitempty"`
	Answer      [][]any  `json:"answer"` // of small graphs: rows of numbers, ids (as strings) and null; else null
}

func (*Header) kind() string    { return "trace" }
func (*Graph) kind() string     { return "graph" }
func (*Program) kind() string   { return "program" }
func (*Superstep) kind() string { return "superstep" }
func (*Values) kind() string    { return "values" }
func (*Messages) kind() string  { return "messages" }
func (*Note) kind() string      { return "note" }
func (*Stop) kind() string      { return "stop" }

// kinds makes an empty record of each kind.
var kinds = map[string]func() Record{
	"trace":      func() Record { return &Header{} },
	"graph":      func() Record { return &Graph{} },
	"program":    func() Record { return &Program{} },
	"superstep":  func() Record { return &Superstep{} },
	"supersteps": func() Record { return &packed{} },
	"values":     func() Record { return &Values{} },
	"messages":   func() Record { return &Messages{} },
	"note":       func() Record { return &Note{} },
	"stop":       func() Record { return &Stop{} },
}

// required are the keys that a line of a kind must have.
var required = map[string][]string{
	"trace":      {"version", "program", "graph", "engine", "values"},
	"graph":      {"ids", "sources", "targets"},
	"program":    {"program", "superstep"},
	"superstep":  {"superstep", "program", "awake", "next", "nanoseconds"},
	"supersteps": {"superstep", "count", "shapes"},
	"values":     {"superstep", "values", "awake"},
	"messages":   {"superstep", "from", "to", "message"},
	"note":       {"text"},
	"stop":       {"reason", "supersteps"},
}

// An Error is a line that is no record of a trace.
type Error struct {
	File      string // "": not known
	Line      int
	Problem   string
	Truncated bool // the trace ends before its stop record: what was before is good
}

func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d: %s", e.Line, e.Problem)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
}
