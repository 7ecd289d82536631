package trace

import "gopregel/pregel"

// This file collects supersteps where a run is observed: numbers side by side, and
// apart from them what is the same for most. Nothing of an engine's is kept, so that
// it can use the room of a record again.

// steps are supersteps that follow each other.
type steps struct {
	first      int // the number of the first
	vertices   int // of the graph
	count      int
	columns    [numbers][]uint64 // 0 where a number is not known
	shapes     []shape
	runs       []run
	times      []int64   // nanoseconds of the phases, one behind the other
	metrics    []float64 // of the supersteps that have one
	aggregates []any
	widths     pregel.Widths // of the program that runs; all 0: not known
}

// frontierForms are the names of where a frontier is kept, by pregel.FrontierForm.
var frontierForms = [...]string{pregel.RecordedFrontier: "", pregel.NoFrontier: "none", pregel.ListedFrontier: "list"}

// A run is steps of one shape, up to the one before end.
type run struct{ shape, end int }

// The numbers of a superstep.
const (
	stepAwake = iota
	stepArcs
	stepSent
	stepCombined
	stepNext
	stepNanoseconds
	stepBarrier
	stepAtomics
	stepHave
	stepLimit
	numbers
)

// shape is what supersteps have in common.
type shape struct {
	program                 string
	direction               pregel.Direction
	edges, list, relaxed    bool
	sent, combined, atomics bool   // known
	rule                    string // that chose the direction
	phases                  []phaseShape
	metric                  string // its name; "": none
	tolerance               float64
	aggregates              int
	widths                  pregel.Widths
}

// phaseShape is a phase with times of so many workers. whole: it was one worker's and
// took all the time before the barrier.
type phaseShape struct {
	name    string
	workers int
	whole   bool
}

// room makes room for so many; what is there is lost.
func (b *steps) room(most int) {
	const apart = 8 // columns would otherwise share their places in a cache
	all := make([]uint64, numbers*(most+apart))
	for k := range b.columns {
		b.columns[k] = all[k*(most+apart):][:most:most]
	}
}

// full tells whether there is no room for another.
func (b *steps) full() bool { return b.count == len(b.columns[0]) }

// reset forgets all supersteps; the next is of the given number.
func (b *steps) reset(first int) {
	clear(b.aggregates)
	b.first, b.count = first, 0
	b.shapes, b.runs, b.times, b.metrics, b.aggregates = b.shapes[:0], b.runs[:0], b.times[:0], b.metrics[:0], b.aggregates[:0]
}

// add takes a superstep over, for which there is room.
func (b *steps) add(r *pregel.StepRecord, edges bool) {
	d := r.Detail
	if d == nil {
		d = &pregel.Detail{}
	}
	i, c := b.count, &b.columns
	b.count++
	c[stepAwake][i], c[stepArcs][i], c[stepNext][i], c[stepNanoseconds][i], c[stepBarrier][i] = r.Awake, r.Arcs, r.Next, uint64(max(r.Time, 0)), uint64(max(d.Barrier, 0))
	c[stepSent][i], c[stepCombined][i], c[stepAtomics][i] = known(d.Sent), known(d.Combined), known(d.Atomics)
	c[stepHave][i], c[stepLimit][i] = d.Why.Have, d.Why.Limit
	if d.Read > 0 {
		c[stepArcs][i] = d.Read
	}
	for _, p := range d.Phases {
		for _, t := range p.Workers {
			b.times = append(b.times, int64(t))
		}
	}
	if r.Metric.Name != "" {
		b.metrics = append(b.metrics, r.Metric.Value)
	}
	if len(d.Aggregates) > 0 {
		b.aggregates = append(b.aggregates, d.Aggregates...)
	}
	b.shape(r, d, edges)
}

func known(x *uint64) uint64 {
	if x == nil {
		return 0
	}
	return *x
}

// shape finds that of the last superstep: mostly that of the one before.
func (b *steps) shape(r *pregel.StepRecord, d *pregel.Detail, edges bool) {
	if k := len(b.runs); k > 0 && b.shapes[b.runs[k-1].shape].is(r, d, edges, &b.widths) {
		b.runs[k-1].end = b.count
		return
	}
	for i := range b.shapes {
		if b.shapes[i].is(r, d, edges, &b.widths) {
			b.runs = append(b.runs, run{i, b.count})
			return
		}
	}
	b.runs = append(b.runs, run{len(b.shapes), b.count})
	b.shapes = append(b.shapes, newShape(r, d, edges, b.widths))
}

func newShape(r *pregel.StepRecord, d *pregel.Detail, edges bool, w pregel.Widths) shape {
	s := shape{program: r.Program, direction: r.Direction, edges: edges, list: r.List, relaxed: r.Relaxed,
		sent: d.Sent != nil, combined: d.Combined != nil, atomics: d.Atomics != nil, rule: d.Why.Rule,
		metric: r.Metric.Name, aggregates: len(d.Aggregates), widths: w}
	if s.metric != "" {
		s.tolerance = r.Metric.Tolerance
	}
	if d.Whole != "" {
		s.phases = append(s.phases, phaseShape{name: d.Whole, whole: true})
	}
	for _, p := range d.Phases {
		s.phases = append(s.phases, phaseShape{name: p.Name, workers: len(p.Workers)})
	}
	return s
}

// is tells whether a superstep has the shape.
func (s *shape) is(r *pregel.StepRecord, d *pregel.Detail, edges bool, w *pregel.Widths) bool {
	return s.direction == r.Direction && s.list == r.List && s.edges == edges && s.relaxed == r.Relaxed &&
		s.sent == (d.Sent != nil) && s.combined == (d.Combined != nil) && s.atomics == (d.Atomics != nil) &&
		s.aggregates == len(d.Aggregates) && s.program == r.Program && s.rule == d.Why.Rule && s.widths == *w &&
		s.metric == r.Metric.Name && (s.metric == "" || s.tolerance == r.Metric.Tolerance) && s.phased(d)
}

// phased tells whether the phases are those of the shape.
func (s *shape) phased(d *pregel.Detail) bool {
	list := s.phases
	if len(d.Phases) == 0 && len(list) == 1 {
		return list[0].whole && list[0].name == d.Whole
	}
	if d.Whole != "" {
		if len(list) == 0 || !list[0].whole || list[0].name != d.Whole {
			return false
		}
		list = list[1:]
	}
	if len(list) != len(d.Phases) {
		return false
	}
	for i, p := range d.Phases {
		if list[i].whole || list[i].workers != len(p.Workers) || list[i].name != p.Name {
			return false
		}
	}
	return true
}
