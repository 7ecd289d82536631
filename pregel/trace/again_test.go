package trace_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/pregel/trace"
	"gopregel/programs/bfs"
	"gopregel/runtime/cpu"
)

// alike is what a superstep must have in common with the one before to be that again.
type alike struct {
	program        string
	direction      pregel.Direction
	list, relaxed  bool
	rule, whole    string
	sent, combined bool
	atomics        bool
	aggregates     int
}

func alikeOf(t *testing.T, r *pregel.StepRecord) alike {
	d := r.Detail
	if d.Again && (len(d.Phases) > 0 || d.Read > 0 || *d.Atomics > 0) {
		t.Errorf("superstep %d is said to be as the one before, and has phases %v, %d arcs read, %d atomics", r.Superstep, d.Phases, d.Read, *d.Atomics)
	}
	return alike{r.Program, r.Direction, r.List, r.Relaxed, d.Why.Rule, d.Whole, d.Sent != nil, d.Combined != nil, d.Atomics != nil, len(d.Aggregates)}
}

// twice traces a run in the records that the engine gives, and again in records that
// say nothing of those before. It counts those that are said to be as the one before,
// and those of one worker that are not.
func twice(t *testing.T, g *graph.Graph, o cpu.Options, batch int) (traces [2]*trace.Run, again, other int) {
	var texts [2]bytes.Buffer
	var jobs [2]pregel.Job
	var recorders [2]*trace.Recorder
	for i := range jobs {
		recorders[i] = trace.NewRecorder(trace.NewWriter(&texts[i]), g, trace.Header{}, trace.Options{Values: trace.None})
		recorders[i].Watch(&jobs[i])
	}
	last := alike{}
	j := &pregel.Job{Graph: g, Engine: cpu.New(o), Batch: batch, Begun: func(task pregel.Task) { jobs[0].Begun(task); jobs[1].Begun(task) }}
	j.Detail = func(r *pregel.StepRecord) {
		now, plain, detail := alikeOf(t, r), *r, *r.Detail
		switch {
		case detail.Again && now != last:
			t.Errorf("superstep %d is %+v and said to be as the one before, %+v", r.Superstep, now, last)
		case detail.Again:
			again++
		case now.whole != "":
			other++
		}
		last, detail.Again, plain.Detail = now, false, &detail
		jobs[0].Detail(r)
		jobs[1].Detail(&plain)
	}
	answer, err := (&bfs.BFS{Source: "0"}).Run(t.Context(), j)
	for i, r := range recorders {
		if err := r.Close(answer, g.IDs(), err); err != nil {
			t.Fatal(err)
		}
		if traces[i], err = trace.Read("", &texts[i]); err != nil {
			t.Fatal(err)
		}
	}
	return traces, again, other
}

type againCase struct {
	kind         string
	params       map[string]string
	again, other int // at least
	pushes       bool
}

// A record that is said to be as the one before is that, and a trace is the same
// whether or not records say so.
func TestAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []againCase{
		{"path", map[string]string{"n": "5000"}, 4990, 1, false},
		{"grid", map[string]string{"rows": "4", "cols": "3000"}, 2990, 1, false},
		{"grid", map[string]string{"rows": "200", "cols": "200"}, 20, 1, false},
		{"uniform", map[string]string{"n": "5000", "edge_factor": "1", "seed": "2"}, 6, 3, false}, // by one worker before it is pulled, and after
		// Several push between, by the same rule.
		{"uniform", map[string]string{"n": "250000", "edge_factor": "3", "seed": "2"}, 2, 2, true},
	} {
		if race.On && c.kind == "path" {
			continue // the first grid is as long
		}
		spec, err := graphgen.Parse(c.kind, c.params)
		if err != nil {
			t.Fatal(err)
		}
		g, err := graphgen.Generate(t.Context(), spec, graphgen.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o := cpu.Options{Workers: 2}
		if c.pushes {
			o.Direction = pregel.Push
		}
		for _, batch := range race.Some(0, 64) {
			c.holds(t, g, o, batch)
		}
	}
}

// holds checks both traces of a run that may do so many supersteps at once.
func (c againCase) holds(t *testing.T, g *graph.Graph, o cpu.Options, batch int) {
	traces, again, other := twice(t, g, o, batch)
	if !reflect.DeepEqual(traces[0].Steps, traces[1].Steps) {
		t.Errorf("%s: supersteps %v\nwant %v", c.kind, traces[0].Steps, traces[1].Steps)
	}
	if c.pushes && !slices.ContainsFunc(traces[0].Steps, func(s trace.Step) bool { return len(s.Phases) > 1 }) {
		t.Errorf("%s: no superstep was pushed by several workers", c.kind)
	}
	if t.Logf("%s: %d again, %d not", c.kind, again, other); again < c.again || other < c.other {
		t.Errorf("%s: %d supersteps are as the one before and %d not, want %d and %d at least", c.kind, again, other, c.again, c.other)
	}
}
