// Package bench times programs on one graph, as `pregel bench`
// prints them: the graph resident, its in-arcs made, one warm-up run, then one
// run for each of several sources, a brief one straight after others from the
// source before. What is timed on the CPU is the algorithm's whole Run, the
// answer's columns included, without loading and writing; on a GPU the time
// between the first launch and the end of the last, with the whole Run (copies
// and columns included) beside it. Beside the times stand edges per second, an
// estimate of the bytes moved (traffic.go) with its share of the measured
// bandwidth (bandwidth.go), the peak of memory (peak.go) and, where it can be
// measured, energy. Graphs may be timed prepared as well, and without what an
// engine makes of them (forms.go), which gives rows of their own.
//
// Timed and the statistics (stats.go) serve package graph500 too.
package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"gopregel/cmd/pregel/energy"
	"gopregel/cmd/pregel/job"
	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/programs"
	"gopregel/programs/pagerank"
)

// Options say what is timed.
type Options struct {
	Programs []string // names; none: all
	Runs     int      // timed runs of each, from different sources where there is one
	Seed     uint64   // of the choice of sources
	// Sources are those of the timed runs, as many, in place of random ones; a run from
	// the first warms up.
	Sources []pregel.ID
	Certify int // how many of the timed runs of each, the last ones, have their answers certified
	// Precision is that of PageRank; "" is its default.
	Precision string
	// Orders are those of prepared graphs (pregel.Orders) that are timed after the
	// graph as it is.
	Orders       []string
	Prepared     *pregel.Prepared // the graph in the one order that there is; nil: it is made
	OnlyPrepared bool             // the graph as it is is left out
	Workers      int              // that prepare graphs; 0: all processors
	Clock        Clock            // of the engine's device; nil: the CPU
	// Maker is the engine, of which programs are also timed without each form that they use;
	// nil: they are not.
	Maker FormMaker
	// Meter counts energy under the name MeterName; nil: nothing does. The runs of
	// a program are then repeated, back to back.
	Meter     energy.Meter
	MeterName string
	EnergyFor time.Duration // at least so long
}

// A Clock is an engine that measures its own time of a run.
type Clock interface {
	// Elapsed returns the device's time of the last task.
	Elapsed() time.Duration
	// Runs returns how many tasks have run on the device.
	Runs() int
	// Used returns the bytes of the device's memory that the engine holds.
	Used() uint64
}

// iterations is what PageRank is timed over; times are per iteration.
const iterations = 20

// deviceBatch supersteps are done on a device without asking the host.
const deviceBatch = 1 << 12

// Run times the programs in order of their names, on the graph as it is and
// then in other orders. Every source has an out-arc.
func Run(ctx context.Context, g *graph.Graph, e pregel.Engine, list []programs.Entry, o Options) ([]Row, error) {
	if len(o.Programs) > 0 {
		list = slices.DeleteFunc(slices.Clone(list), func(p programs.Entry) bool { return !slices.Contains(o.Programs, p.Name) })
	}
	s := &series{graph: g, engine: e, o: o, brief: brief, others: others}
	if !o.OnlyPrepared {
		g.In()
		if err := s.all(ctx, list); err != nil {
			return s.rows, err
		}
	}
	for _, order := range o.Orders {
		var err error
		if s.prepared = o.Prepared; s.prepared == nil {
			s.prepared, err = pregel.Prepare(ctx, g, order, o.Workers)
		}
		if err != nil {
			return s.rows, fmt.Errorf("bench: %w", err)
		}
		s.prepared.Graph.In()
		s.order = order
		can := slices.DeleteFunc(slices.Clone(list), func(p programs.Entry) bool { return !pregel.Renumberable(p.New()) })
		if err := s.all(ctx, can); err != nil {
			return s.rows, err
		}
	}
	return s.rows, nil
}

// A series times programs on one graph.
type series struct {
	graph    *graph.Graph
	engine   pregel.Engine
	o        Options
	prepared *pregel.Prepared // nil: the graph as it is
	order    string
	brief    float64 // seconds
	others   float64 // seconds of runs before a brief one, of which there is one at least
	peak     int64   // of a program's runs, once an answer is certified, which takes memory too
	rows     []Row
}

func (s *series) all(ctx context.Context, list []programs.Entry) error {
	for _, p := range list {
		row, err := s.program(ctx, p)
		if err != nil {
			return fmt.Errorf("bench: %s: %w", p.Name, err)
		}
		s.rows = append(s.rows, row)
		if s.o.Maker == nil {
			continue
		}
		if err := s.leaveOut(ctx, p); err != nil {
			return fmt.Errorf("bench: %s: %w", p.Name, err)
		}
	}
	return nil
}

// sources picks vertices with out-arcs, the same for a seed.
func sources(g *graph.Graph, n int, seed uint64) []pregel.ID {
	var list []pregel.ID
	for i := uint64(0); len(list) < n && i < 1000*uint64(n); i++ {
		v := uint32(graph.SplitMix64(seed<<32+i) % uint64(max(g.N(), 1)))
		if int(v) < g.N() && g.Out().Degree(v) > 0 {
			list = append(list, pregel.ID(g.IDs().Text(v)))
		}
	}
	return list
}

// starts are the sources of a program's runs, that of the warm-up first.
func (s *series) starts() []pregel.ID {
	if len(s.o.Sources) > 0 {
		return slices.Concat(s.o.Sources[:1], s.o.Sources)
	}
	return sources(s.graph, s.o.Runs+1, s.o.Seed)
}

func (s *series) program(ctx context.Context, p programs.Entry) (Row, error) {
	row := Row{Program: p.Name, Unit: "run", Runs: s.o.Runs, Certified: min(s.o.Certify, s.o.Runs), Prepare: "none"}
	if s.prepared != nil {
		took := s.prepared.Took.Seconds()
		row.Prepare, row.PrepareSeconds = s.order, &took
	}
	starts := s.starts()
	if len(starts) < s.o.Runs+1 {
		return row, fmt.Errorf("the graph has no vertices with out-arcs")
	}
	beginPeak()
	s.peak = 0
	var m measured
	var run single
	for i, source := range starts {
		var err error
		before := starts[max(i-1, 0)]
		if run, err = s.next(ctx, p, before, source, run.all < s.brief && i > 0, i > max(0, s.o.Runs-s.o.Certify)); err != nil {
			return row, err
		}
		row.Unit, row.Supersteps, row.Ordered = run.unit, run.supersteps, run.ordered
		if i > 0 { // the first has warmed up
			m.add(run)
		}
	}
	row.Peak = cmp.Or(s.peak, mem.PeakResident())
	m.into(&row)
	if s.o.Clock != nil {
		wall, used := Summarise(m.walls).Median, s.o.Clock.Used()
		row.Wall, row.Device = &wall, &used
	}
	return row, s.measureEnergy(ctx, p, starts[1:], &row)
}

// brief is the time, in seconds, of the runs that collecting garbage and certifying an answer
// before them would slow down: caches and threads are cold after these. They follow
// other runs, untimed, of so many seconds together: after a single one a search of a small graph
// takes a quarter longer than after twenty.
const (
	brief  = 0.01
	others = 0.001
)

// A single is what one run has taken.
type single struct {
	Taken      // for each of the unit
	unit       string
	supersteps int
	edges      uint64
	bytes      float64
	all        float64 // seconds, of all units
	ordered    bool    // nothing was left for the host to bring into the graph's own order
}

// next runs a program once, if it is brief after others. Whether it is may show only
// then.
func (s *series) next(ctx context.Context, p programs.Entry, before, source pregel.ID, isBrief, certify bool) (r single, err error) {
	runtime.GC() // what the run before has used can be used again
	if isBrief {
		if err := s.again(ctx, p, before); err != nil {
			return r, err
		}
	}
	if r, err = s.run(ctx, p, source, certify); err != nil || isBrief || r.all >= s.brief {
		return r, err
	}
	return s.next(ctx, p, before, source, true, certify)
}

// brought tells whether nothing was left for the host to bring into the graph's own order. Rows that
// do not stand by vertex, such as the edges of a forest, are put in order behind its clock on any graph.
func (s *series) brought(a pregel.Algorithm, answer *pregel.Answer) bool {
	return s.prepared == nil || answer.Ordered && answer.Table.PerVertex || s.prepared.For(a, s.engine) == s.graph
}

// again runs a program from a source, untimed, as often as it takes.
func (s *series) again(ctx context.Context, p programs.Entry, source pregel.ID) error {
	for begin := time.Now(); ; {
		_, answer, _, err := s.once(ctx, p, source, &traffic{vertices: s.graph.N(), engine: s.engine})
		if err != nil {
			return err
		}
		if answer.Table.Release(); time.Since(begin).Seconds() >= s.others {
			return nil
		}
	}
}

// run runs a program once.
func (s *series) run(ctx context.Context, p programs.Entry, source pregel.ID, certify bool) (r single, err error) {
	moved := traffic{vertices: s.graph.N(), engine: s.engine}
	a, answer, t, err := s.once(ctx, p, source, &moved)
	if err != nil {
		return r, err
	}
	if certify {
		s.peak = cmp.Or(s.peak, mem.PeakResident())
		if err := s.certify(ctx, a, &answer.Table); err != nil {
			return r, err
		}
	}
	per, unit := 1.0, "run"
	if pr, ok := a.(*pagerank.PageRank); ok {
		unit, per = "iteration", float64(pr.Iterations)
	}
	start, err := source.Vertex(s.graph)
	if err != nil {
		return r, err
	}
	r = single{Taken{t.Seconds / per, t.Wall / per}, unit, answer.Stop.Supersteps, edgesReached(s.graph, start, answer),
		float64(moved.bytes(&answer.Table)) / per, t.Wall, s.brought(a, answer)}
	answer.Table.Release()
	return r, nil
}

// once runs a new algorithm from a source; moved, unless nil, is told of its supersteps.
func (s *series) once(ctx context.Context, p programs.Entry, source pregel.ID, moved *traffic) (pregel.Algorithm, *pregel.Answer, Taken, error) {
	a := p.New()
	if err := setSource(a, source, s.o.Precision); err != nil {
		return nil, nil, Taken{}, err
	}
	j := &pregel.Job{Graph: s.graph, Engine: s.engine}
	if moved != nil {
		j.Begun, j.Observe, j.Unmeasured = moved.begun, moved.step, true
	}
	answer, t, err := Timed(ctx, j, a, s.prepared, s.o.Clock)
	return a, answer, t, err
}

// measureEnergy repeats the timed runs, if there is a meter.
func (s *series) measureEnergy(ctx context.Context, p programs.Entry, starts []pregel.ID, row *Row) (err error) {
	if s.o.Meter == nil {
		return nil
	}
	per := uint64(1)
	if row.Unit == "iteration" {
		per = iterations
	}
	row.Energy, err = energy.Measure(ctx, s.o.MeterName, s.o.Meter, s.o.EnergyFor, len(starts), func(i int) (uint64, error) {
		_, _, _, err := s.once(ctx, p, starts[i], nil)
		return row.edges[i] * per, err
	})
	return err
}

// Taken is what one run has taken.
type Taken struct {
	Seconds float64 // on the device if there is a clock, else all
	Wall    float64
}

// Timed runs an algorithm on the job's graph, or on a prepared one, by the
// clock of the device if there is one.
func Timed(ctx context.Context, j *pregel.Job, a pregel.Algorithm, p *pregel.Prepared, c Clock) (answer *pregel.Answer, t Taken, err error) {
	before := 0
	if c != nil {
		before, j.Batch = c.Runs(), deviceBatch
	}
	start := time.Now()
	if p != nil {
		answer, err = p.Run(ctx, a, j)
	} else {
		answer, err = a.Run(ctx, j)
	}
	t.Wall = time.Since(start).Seconds()
	t.Seconds = t.Wall
	switch {
	case err != nil:
		return nil, t, err
	case answer.Stop.Reason == pregel.Cancelled:
		return nil, t, context.Cause(ctx)
	case c == nil:
		return answer, t, nil
	case c.Runs() != before+1:
		return nil, t, fmt.Errorf("%d tasks have run on the device, and only one can be timed", c.Runs()-before)
	}
	t.Seconds = c.Elapsed().Seconds()
	return answer, t, nil
}

// setSource gives the algorithm its start, the vertices that it must be given, or
// its number of iterations.
func setSource(a pregel.Algorithm, source pregel.ID, precision string) error {
	if a, ok := a.(Own); ok {
		a.From(source)
		return nil
	}
	if a, ok := a.(*pagerank.PageRank); ok {
		a.Iterations = iterations
		a.Precision = cmp.Or(precision, a.Precision)
	}
	fields, err := job.Describe(a)
	if err != nil {
		return err
	}
	for _, f := range fields {
		if f.Type == job.Vertex && f.Required {
			err = errors.Join(err, f.Set(string(source)))
		}
	}
	return err
}

// edgesReached counts the edges at vertices that the answer reached, as
// Graph500 does: undirected edges once. Answers without a notion of reaching
// count all; a search of parents alone has reached its source, which has none.
func edgesReached(g *graph.Graph, source uint32, answer *pregel.Answer) uint64 {
	if !answer.Table.PerVertex || len(answer.Table.Columns) == 0 {
		return g.Edges()
	}
	c := answer.Table.Columns[0]
	var arcs uint64
	for v := range c.Len() {
		if !c.Empty(v) || c.Vertices != nil && uint32(v) == source {
			arcs += g.Out().Degree(uint32(v))
		}
	}
	if !g.Directed() {
		arcs /= 2
	}
	return arcs
}
