package grade

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/programs"
	"gopregel/runtime/cpu"
)

// A run is one execution of a program on a hidden graph.
type run struct {
	answer *pregel.Answer
	err    error
	steps  []pregel.StepRecord
	left   uint64        // vertices awake at its end
	pulled uint64        // arcs that a program has to read if every superstep pulls
	width  pregel.Widths // of the program's values and messages
}

// A trial is a hidden graph with the runs on it.
type trial struct {
	*Drawing
	g     *graph.Graph
	entry programs.Entry
	stuck func(error)
	time  time.Duration
	base  *run
	limit int
}

func (x *exam) trial(d *Drawing) (*trial, error) {
	i := slices.IndexFunc(x.Programs, func(e programs.Entry) bool { return e.Name == x.name })
	if i < 0 {
		return nil, fmt.Errorf("exercise %s: this command has no program %s: go run ./docs grade", x.name, x.name)
	}
	return &trial{Drawing: d, g: d.Build(), entry: x.Programs[i], stuck: x.Stuck, time: x.Time, limit: 2*min(d.N, 1000) + 20}, nil
}

// begin makes the first run, unless there is one.
func (t *trial) begin(ctx context.Context) {
	if t.base == nil {
		t.base = t.run(ctx, plain)
	}
}

// plain is how a program is run first.
var plain = cpu.Options{Workers: 2, Schedule: pregel.BSP}

// runMemory is what the process may hold: many times what a run on a hidden graph takes.
const runMemory = 1 << 30

// run runs the program. What panics outside its functions is an error, too.
func (t *trial) run(ctx context.Context, o cpu.Options) (r *run) {
	r = &run{}
	defer func() {
		if p := recover(); p != nil {
			r.err = fmt.Errorf("it panics: %v", p)
		}
	}()
	a, err := t.algorithm()
	if err != nil {
		r.err = err
		return r
	}
	var task pregel.Task
	j := &pregel.Job{Graph: t.g, Engine: cpu.New(o), MaxSupersteps: t.limit,
		Bounds: pregel.Bounds{Time: t.time, Stuck: t.stuck, Grace: t.time, Memory: runMemory},
		Begun:  func(begun pregel.Task) { task = begun },
		Observe: func(s pregel.StepRecord) {
			r.steps, r.left = append(r.steps, s), s.Next
		}}
	j.Barrier = func(state func() (pregel.State, error)) error {
		s, err := state()
		if err == nil {
			r.pulled += t.reads(task, s)
		}
		return nil // a phase has none
	}
	r.answer, r.err = a.Run(ctx, j)
	if m, ok := task.(pregel.Measured); ok && r.err == nil {
		r.width = m.Widths()
	}
	if r.err == nil && r.answer == nil {
		r.err = errors.New("it has no answer")
	}
	return r
}

// algorithm is a new one, with the parameters of the drawing.
func (t *trial) algorithm() (pregel.Algorithm, error) {
	a := t.entry.New()
	fields, err := job.Describe(a)
	if err != nil {
		return nil, err
	}
	values := map[string]string{"source": fmt.Sprint(t.Source), "hops": fmt.Sprint(t.Hops)}
	for i := range fields {
		if text, ok := values[fields[i].Name]; ok {
			if err := fields[i].Set(text); err != nil {
				return nil, err
			}
		}
	}
	return a, nil
}

// reads counts the arcs that the next superstep has to read if it pulls: those into
// vertices that have not said that they are settled, up to the first neighbour awake
// where a message is the id of its sender and the least, or any, counts.
func (t *trial) reads(task pregel.Task, s pregel.State) (sum uint64) {
	d, ok := task.(pregel.Dissected)
	if !ok || !slices.ContainsFunc(s.Awake, func(word uint64) bool { return word != 0 }) {
		return 0
	}
	parts := d.Parts()
	if parts.Edge == nil {
		return 0
	}
	first := parts.Edge.Sources && slices.Contains([]string{"min", "any"}, parts.Edge.Combine.Name)
	in := t.g.In()
	for v := range uint32(t.N) {
		if parts.Edge.Settled != nil && parts.Edge.Settled(parts.Get(v)) {
			continue
		}
		list := in.Neighbors(v)
		at := slices.IndexFunc(list, func(u uint32) bool { return s.Awake.Has(u) })
		if first && at >= 0 {
			sum += uint64(at) + 1
		} else {
			sum += uint64(len(list))
		}
	}
	return sum
}

// ended tells whether the first run has come to its end by itself.
func (t *trial) ended() bool {
	return t.base.err == nil && t.base.answer.Stop.Reason == pregel.Halted
}

// differ compares a table with what it should be: the first row that is not so.
func differ(found *pregel.Table, want []pregel.Column) *Miss {
	for _, w := range want {
		c, err := found.Column(w.Name)
		if err != nil {
			return &Miss{Found: err.Error(), Wanted: "a column " + w.Name}
		}
		if c.Len() != w.Len() {
			return &Miss{Found: fmt.Sprintf("%d rows of %s", c.Len(), w.Name), Wanted: fmt.Sprintf("%d", w.Len())}
		}
		for row := range w.Len() {
			if x, y := cell(c, row), cell(w, row); x != y {
				return &Miss{Found: fmt.Sprintf("vertex %d has %s %s", row, w.Name, x), Wanted: y}
			}
		}
	}
	return nil
}

// cell writes a number of a column, "-" for none.
func cell(c pregel.Column, row int) string {
	switch {
	case c.Empty(row):
		return "-"
	case c.Vertices != nil:
		return fmt.Sprint(c.Vertices[row])
	case c.Counts != nil:
		return fmt.Sprint(c.Counts[row])
	case c.Ints != nil:
		return fmt.Sprint(c.Ints[row])
	}
	if x := c.Floats[row]; x != 0 || !math.Signbit(x) {
		return fmt.Sprint(x)
	}
	return "0"
}
