package trace

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// What is small enough for a trace to have all of it.
const (
	smallVertices = 10_000
	smallArcs     = 100_000
	// The arcs of a graph up to which contention is counted.
	countedArcs = 1 << 20
)

// MostMessages is how many a trace has of a whole run, at the most.
const MostMessages = 100_000

// Small tells whether a trace has the graph itself, its messages and the answer.
func Small(g *graph.Graph) bool { return Fits(uint64(g.N()), g.Arcs()) }

// Fits is Small of a graph of which only the size is known.
func Fits(vertices, arcs uint64) bool { return vertices <= smallVertices && arcs <= smallArcs }

// Options say what a Recorder records beside supersteps.
type Options struct {
	Values   string // All, Changed or None
	Sample   int    // vertices with values at most; 0: all
	Messages bool   // of small graphs, with values of all vertices
}

// A Sink takes records: a Writer, or a Run.
type Sink interface {
	Write(Record) error
}

// A Recorder makes the records of a run. An error of the sink does not end the
// run: Close returns it.
type Recorder struct {
	sink    Sink
	options Options
	graph   *graph.Graph
	sample  []uint32 // vertices with values; nil: all
	left    int      // messages that may still be recorded; negative: no more
	began   time.Time
	err     error

	writes  bool   // the sink is a Writer, which has done with a record when it is written
	scratch room   // for it
	queue   *queue // of supersteps without values; nil: they are written at once
	desk    desk   // of the steps that are written
	one     steps  // in its place

	job     *pregel.Job
	steps   int // observed
	task    pregel.Task
	retold  pregel.Retold // the task, if it is one
	edges   bool          // it is of an edge program
	first   bool          // the next barrier is that after Init
	before  snapshot
	next    *Messages // of the superstep that comes
	crowd   *crowd    // likewise
	counts  counts    // for it
	missing map[string]bool
}

// NewRecorder makes a recorder of a run on g, and writes the header, whose Graph,
// Values and Sample it fills in, and the graph, if it is small. Counting edges
// takes a pass over the arcs, unless the header has their number. Close must be
// called.
func NewRecorder(sink Sink, g *graph.Graph, h Header, o Options) *Recorder {
	r := &Recorder{sink: sink, options: o, graph: g, left: -1, began: time.Now(), missing: map[string]bool{}}
	h.Version, h.Values, h.Sample = Version, o.Values, o.Sample
	h.Started = r.began.UTC().Format(time.RFC3339)
	if h.Graph.Vertices, h.Graph.Arcs = g.N(), g.Arcs(); h.Graph.Edges == 0 {
		h.Graph.Edges = g.Edges()
	}
	h.Graph.Directed, h.Graph.Weights = g.Directed(), g.Weighted().String()
	if o.Sample > 0 && o.Sample < g.N() {
		for i := range o.Sample {
			r.sample = append(r.sample, uint32(i*g.N()/o.Sample))
		}
	}
	if o.Messages && r.sample == nil && Small(g) {
		r.left = MostMessages
	}
	_, r.writes = sink.(*Writer)
	r.write(&h)
	switch {
	case !Small(g):
	case r.writes:
		r.write(wholeGraph{g})
	default:
		r.write(graphOf(g))
	}
	if o.Values == None {
		r.queue = newQueue(r.writeSteps, g.N())
	}
	return r
}

func (r *Recorder) write(rec Record) {
	if r.err == nil {
		r.err = r.sink.Write(rec)
	}
}

// observe writes a superstep, and the messages that were found out before it.
func (r *Recorder) observe(s *pregel.StepRecord) {
	r.resumed(s.Superstep)
	if r.retold != nil {
		r.measured(pregel.WidthsOf(r.job.Engine, r.retold))
	}
	if r.queue != nil {
		r.queue.next(r.steps).add(s)
		r.steps++
		return
	}
	if r.one.reset(r.steps); r.one.full(1) {
		r.one.room(1)
	}
	r.one.add(s)
	rec := over(&r.one).superstep()
	if c := r.crowd; c != nil && !s.Relaxed {
		rec.Contention = c.contention()
		if rec.Combined == nil {
			rec.Combined = &c.targets
		}
	}
	r.write(rec)
	if r.next != nil && !s.Relaxed { // in place others are sent
		r.next.Superstep = r.steps
		r.write(r.next)
	}
	r.next, r.crowd = nil, nil
	r.steps++
}

// leastPacked is how many supersteps are worth a line of columns, which is harder to
// read than theirs.
const leastPacked = 64

// writeSteps writes supersteps that were queued.
func (r *Recorder) writeSteps(b *steps) {
	b.desk = &r.desk
	if r.writes && b.count >= leastPacked {
		r.write(b)
		return
	}
	w := over(b)
	if !r.writes {
		for s := w.superstep(); s != nil; s = w.superstep() {
			r.write(s)
		}
		return
	}
	for w.next(&r.scratch) {
		r.write(&r.scratch.Superstep)
	}
}

// phase adds a phase, and returns where its times go: where another's were.
func (s *Superstep) phase(name string) *[]int64 {
	k := len(s.Phases)
	if s.Phases = slices.Grow(s.Phases, 1)[:k+1]; s.Phases[k].Workers != nil {
		s.Phases[k].Workers = s.Phases[k].Workers[:0]
	}
	s.Phases[k].Name = name
	return &s.Phases[k].Workers
}

func metricOf(m pregel.Metric) *Metric {
	if m.Name == "" {
		return nil
	}
	return &Metric{m.Name, Float(m.Value), Float(m.Tolerance)}
}

// barrier writes the state after a superstep, or after Init.
func (r *Recorder) barrier(state func() (pregel.State, error)) {
	first := r.first
	r.first = false
	s, err := state()
	if err != nil {
		r.note("no values: %v", err)
		return
	}
	task, traced := r.task.(pregel.Traced)
	if first && traced {
		r.write(programOf(s.Program, r.steps, task.Declared()))
	}
	if traced && r.left >= 0 {
		r.sends(task, s)
	}
	if t, ok := r.task.(pregel.Sender); ok && r.graph.Arcs() <= countedArcs {
		r.crowd = r.counts.crowd(t, s)
	}
	r.values(s, first)
}

// note writes something once.
func (r *Recorder) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !r.missing[text] {
		r.missing[text] = true
		r.write(&Note{Superstep: r.steps, Text: text})
	}
}

// programOf describes a program.
func programOf(name string, superstep int, d pregel.Declaration) *Program {
	p := &Program{Program: name, Superstep: superstep, Columns: d.Columns, Vertices: d.Vertices, Combine: d.Combine, Edge: d.Edge, Silent: d.Silent,
		MessageVertices: d.MessageVertices, Aggregates: d.Aggregates}
	if p.Columns == nil {
		p.Columns = columnsOf(d.Values)
	}
	if d.Message {
		p.Message = "vertex"
	}
	if d.Edge != "" {
		p.Along = [...]string{"out", "in", "both"}[d.Along]
	}
	return p
}

// Close writes the stop record, of the answer, which may be nil, and the error that
// the run has ended with. ids are those of the graph that the answer is of. It
// returns the first error of the sink.
func (r *Recorder) Close(answer *pregel.Answer, ids graph.IDs, err error) error {
	if r.queue != nil {
		r.queue.close()
	}
	stop := &Stop{Supersteps: r.steps, Nanoseconds: time.Since(r.began).Nanoseconds()}
	switch {
	case err != nil && errors.Is(err, context.Canceled):
		stop.Reason = pregel.Cancelled.String()
	case err != nil:
		stop.Reason, stop.Error = pregel.Failed.String(), err.Error()
	case answer != nil:
		stop.Reason, stop.Metric = answer.Stop.Reason.String(), metricOf(answer.Stop.Metric)
	}
	switch {
	case answer == nil || !Small(r.graph):
		r.write(stop)
	case r.writes:
		stop.Columns = columnsOfTable(&answer.Table)
		r.write(answered{stop, &answer.Table, ids})
	default:
		stop.Columns, stop.Answer = columnsOfTable(&answer.Table), rowsOf(&answer.Table, ids)
		r.write(stop)
	}
	return r.err
}
