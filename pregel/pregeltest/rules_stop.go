package pregeltest

import (
	"context"
	"fmt"

	"gopregel/pregel"
	"gopregel/pregel/graph"
)

// stopsAt wants a run to end for a reason, after a number of supersteps, with
// the values of so many supersteps of the reference.
func stopsAt(e *env, what string, r pregel.Result[uint64], err error, reason pregel.Reason, want Outcome[uint64]) {
	e.Helper()
	if err != nil || r.Stop.Err != nil {
		e.Errorf("%s: error %v", what, err)
	}
	if r.Stop.Reason != reason || r.Stop.Supersteps != want.Supersteps {
		e.Errorf("%s: %v, want %v after %d supersteps", what, r.Stop, reason, want.Supersteps)
	}
	if text := differs(r.Values, want.Values); text != "" {
		e.Errorf("%s: values are not those of %d supersteps: %s", what, want.Supersteps, text)
	}
}

// restless is a machine that goes on for ever, on a graph of some size.
func restless(s *suite) (*graph.Graph, machine[int64]) {
	r := newRand(s.seed)
	m := sumMachine(s.seed, 6, 0, true)
	m.steps = 1 << 30
	return randomArcs(r, 1200, 4000).random(form{directed: true}, r), m
}

// countdown halts by itself: values count down to nothing.
type countdown struct{}

func (countdown) Init(v pregel.Vertex[int]) (int, bool) { return int(v.ID % 7), true }
func (countdown) Compute(c *pregel.Context[int, int], _ []int) {
	if c.Value == 0 {
		c.VoteToHalt()
		return
	}
	c.Value--
}

func stopHalted(s *suite) {
	r := newRand(s.seed)
	g := randomArcs(r, 300, 700).random(form{}, r)
	m := sumMachine(s.seed, 6, 3, false)
	m.steps = 5
	want := Reference(g, m, nil, 0)
	empty := arcList{}.build(form{}, nil)
	s.each(func(e *env) {
		result, err := pregel.RunEdge(e.Context(), e.job(g), m)
		stopsAt(e, "edge program", result, err, pregel.Halted, want)
		result, err = pregel.RunEdge(e.Context(), e.job(empty), m)
		stopsAt(e, "empty graph", result, err, pregel.Halted, Outcome[uint64]{})
		counted := runVertex(e, g, countdown{})
		if counted.Stop.Reason != pregel.Halted || counted.Stop.Supersteps != 7 {
			e.Errorf("vertex program that counts down from 6: %v, want halted after 7 supersteps", counted.Stop)
		}
		stopped := runEdge(e, g, stopping{m, func(s *pregel.Step) {
			if s.Superstep == 1 {
				s.Halt()
			}
		}})
		stopsAt(e, "Halt in Barrier", stopped, nil, pregel.Halted, Reference(g, m, nil, 2))
		stopped = runEdge(e, g, stopping{m, func(s *pregel.Step) { s.Halt() }})
		stopsAt(e, "Halt after Init", stopped, nil, pregel.Halted, Outcome[uint64]{Values: initial(g, m)})
	})
}

// initial returns the values that Init gives.
func initial(g *graph.Graph, m machine[int64]) []uint64 {
	return Reference(g, stopping{m, func(s *pregel.Step) { s.Halt() }}, nil, 0).Values
}

// stopping is a machine with something to say at the barrier.
type stopping struct {
	machine[int64]
	barrier func(s *pregel.Step)
}

func (p stopping) Barrier(s *pregel.Step) { p.barrier(s) }

func stopConverged(s *suite) {
	g, m := restless(s)
	wants := []Outcome[uint64]{Reference(g, m, nil, 1), Reference(g, m, nil, 4), Reference(g, m, nil, 6)}
	falling := func(from, tolerance float64) func(*pregel.Step) {
		return func(s *pregel.Step) { s.Metric("change", from/float64(s.Superstep+2), tolerance) }
	}
	s.each(func(e *env) {
		j := e.job(g)
		var last pregel.StepRecord
		j.Observe = func(r pregel.StepRecord) { last = r }
		r, err := pregel.RunEdge(e.Context(), j, stopping{m, falling(10, 2)})
		stopsAt(e, "change 10, 5, 10/3, 2.5, 2", r, err, pregel.Converged, wants[1])
		if want := (pregel.Metric{Name: "change", Value: 2, Tolerance: 2}); r.Stop.Metric != want || last.Metric != want {
			e.Errorf("metric %v, in the last record %v, want %v", r.Stop.Metric, last.Metric, want)
		}
		r, err = pregel.RunEdge(e.Context(), e.job(g), stopping{m, falling(10, 0)}, pregel.WithMaxSupersteps(6))
		stopsAt(e, "tolerance 0", r, err, pregel.MaxSupersteps, wants[2])
		if want := (pregel.Metric{Name: "change", Value: 10. / 7}); r.Stop.Metric != want {
			e.Errorf("metric at the limit %v, want %v", r.Stop.Metric, want)
		}
		r, err = pregel.RunEdge(e.Context(), e.job(g), stopping{m, falling(1, 0.5)}, pregel.WithMaxSupersteps(1))
		stopsAt(e, "limit and tolerance together", r, err, pregel.Converged, wants[0])
	})
}

func stopAtLimit(s *suite) {
	g, m := restless(s)
	wants := map[int]Outcome[uint64]{0: {Values: initial(g, m)}}
	for _, k := range []int{1, 2, 3, 5} {
		wants[k] = Reference(g, m, nil, k)
	}
	s.each(func(e *env) {
		for _, k := range []int{1, 3} {
			r, err := pregel.RunEdge(e.Context(), e.job(g), m, pregel.WithMaxSupersteps(k))
			stopsAt(e, fmt.Sprintf("limit %d of the run", k), r, err, pregel.MaxSupersteps, wants[k])
		}
		j := e.job(g)
		j.MaxSupersteps = 8
		for _, phase := range []struct{ limit, want int }{{5, 5}, {2, 2}, {5, 1}, {5, 0}, {0, 0}} {
			r, err := pregel.RunEdge(e.Context(), j, m, pregel.WithMaxSupersteps(phase.limit))
			what := fmt.Sprintf("phase with a limit of %d, %d supersteps used up of 8", phase.limit, j.Supersteps())
			stopsAt(e, what, r, err, pregel.MaxSupersteps, wants[phase.want])
		}
		if j.Supersteps() != 8 {
			e.Errorf("the job counts %d supersteps, want 8", j.Supersteps())
		}
		v, err := pregel.RunVertex(e.Context(), j, countdown{})
		if err != nil || v.Stop.Reason != pregel.MaxSupersteps || len(v.Values) != g.N() || v.Values[6] != 6 {
			e.Errorf("vertex program with nothing left: %v, %v, %d values", v.Stop, err, len(v.Values))
		}
		stop, err := j.Phase(e.Context(), "late", func(uint32, uint32, *pregel.Worker) { e.Errorf("a phase ran past the limit") })
		if err != nil || stop.Reason != pregel.MaxSupersteps {
			e.Errorf("phase with nothing left: %v, %v", stop, err)
		}
	})
}

// stopCancelled cancels before the run, between supersteps and within one; a
// superstep under way is finished.
func stopCancelled(s *suite) {
	g, m := restless(s)
	wants := []Outcome[uint64]{{Values: initial(g, m)}}
	for k := range 4 {
		wants = append(wants, Reference(g, m, nil, k+1))
	}
	s.each(func(e *env) {
		ended, end := context.WithCancel(e.Context())
		end()
		r, err := pregel.RunEdge(ended, e.job(g), m)
		stopsAt(e, "cancelled before", r, err, pregel.Cancelled, wants[0])

		ctx, cancel := context.WithCancel(e.Context())
		j := e.job(g)
		j.Observe = func(r pregel.StepRecord) {
			if r.Superstep == 2 {
				cancel()
			}
		}
		r, err = pregel.RunEdge(ctx, j, m)
		stopsAt(e, "cancelled by the observer of superstep 2", r, err, pregel.Cancelled, wants[3])

		ctx, cancel = context.WithCancel(e.Context())
		r, err = pregel.RunEdge(ctx, e.job(g), within{m, cancel})
		stopsAt(e, "cancelled within superstep 3", r, err, pregel.Cancelled, wants[4])

		ctx, cancel = context.WithCancel(e.Context())
		v, err := pregel.RunVertex(ctx, e.job(g), forever{cancel})
		if err != nil || v.Stop.Reason != pregel.Cancelled || v.Stop.Supersteps != 6 || v.Values[0] != 6 {
			e.Errorf("vertex program cancelled within superstep 5: %v, %v", v.Stop, err)
		}
		stop, err := e.job(g).Phase(ctx, "late", func(uint32, uint32, *pregel.Worker) { e.Errorf("a cancelled phase ran") })
		if err != nil || stop.Reason != pregel.Cancelled {
			e.Errorf("phase: %v, %v", stop, err)
		}
	})
}

// within is a machine that cancels its own run in superstep 3.
type within struct {
	machine[int64]
	cancel func()
}

func (p within) Apply(v pregel.Vertex[uint64], message int64, got bool) (uint64, bool) {
	if v.Superstep == 3 {
		p.cancel()
	}
	return p.machine.Apply(v, message, got)
}

// forever counts its supersteps and never halts.
type forever struct{ cancel func() }

func (forever) Init(pregel.Vertex[int]) (int, bool) { return 0, true }
func (p forever) Compute(c *pregel.Context[int, int], _ []int) {
	if c.Superstep == 5 {
		p.cancel()
	}
	c.Value++
}

// records are consecutive, and say how many vertices were awake.
func records(s *suite) {
	r := newRand(s.seed)
	g := randomArcs(r, 4000, 9000).random(form{directed: true}, r)
	m := sumMachine(s.seed, 13, 5, false)
	m.steps = 7
	want := Reference(g, m, nil, 0)
	s.each(func(e *env) {
		var list []pregel.StepRecord
		j := e.job(g)
		j.Observe = func(r pregel.StepRecord) { list = append(list, r) }
		runs := []pregel.Stop{}
		for range 2 {
			r, err := pregel.RunEdge(e.Context(), j, m)
			if err != nil {
				e.Fatalf("%v", err)
			}
			runs = append(runs, r.Stop)
		}
		if len(list) != 2*want.Supersteps || j.Supersteps() != 2*want.Supersteps {
			e.Fatalf("%d records, %d supersteps counted, runs %v; want %d", len(list), j.Supersteps(), runs, 2*want.Supersteps)
		}
		for i, r := range list {
			k := i % want.Supersteps
			if r.Superstep != i || r.Program != "machine" || r.Awake != want.Emitted[k] {
				e.Errorf("record %d: %+v, want %d awake", i, r, want.Emitted[k])
			}
			if next := append(want.Emitted[1:], 0)[k]; r.Next != next {
				e.Errorf("record %d: %d awake in the next superstep, want %d", i, r.Next, next)
			}
			if e.Direction != pregel.Auto && r.Direction != e.Direction {
				e.Errorf("record %d: direction %v, %v was asked for", i, r.Direction, e.Direction)
			}
		}
		vertexRecords(e, g)
	})
}

// vertexRecords sees the countdown from 6: values are 0 to 6 in turn.
func vertexRecords(e *env, g *graph.Graph) {
	var list []pregel.StepRecord
	j := e.job(g)
	j.Observe = func(r pregel.StepRecord) { list = append(list, r) }
	if _, err := pregel.RunVertex(e.Context(), j, heraldedCountdown{}); err != nil {
		e.Fatalf("%v", err)
	}
	for i, r := range list {
		if i+1 < len(list) && r.Next != list[i+1].Awake {
			e.Errorf("vertex program, record %d: %d to compute next, and then %d did", i, r.Next, list[i+1].Awake)
		}
	}
	if len(list) != 8 || list[0].Awake != uint64(g.N()) || list[7].Next != 0 {
		e.Errorf("vertex program: records %+v", list)
	}
}

// heraldedCountdown is countdown with messages to awake and sleeping vertices.
type heraldedCountdown struct{ countdown }

func (p heraldedCountdown) Compute(c *pregel.Context[int, int], messages []int) {
	if c.Value > 0 || c.Superstep == 6 && c.ID == 0 {
		c.Send(0, 1)
		c.Send(c.ID, 1)
	}
	p.countdown.Compute(c, messages)
}
