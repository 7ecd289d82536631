package trace

import (
	"slices"

	"gopregel/pregel"
)

// This file collects supersteps where a run is observed: the numbers that are others
// than in the superstep before, and apart from them what is the same for most. Nothing
// of an engine's is kept, so that it can use the room of a record again. Where
// supersteps take a quarter of a microsecond, each nanosecond here counts: memory that
// the writer has read lies in the cache of its processor, and costs more to write the
// more of it there is. Columns are made by who writes them.

// steps are supersteps that follow each other.
type steps struct {
	first      int // the number of the first
	vertices   int // of the graph
	count      int
	records    int             // of them that are no briefs: columns are of these
	most       int             // there is room for; 0: they are columns only
	last       [numbers]uint64 // of the last record; 0 where a number is not known
	changed    []uint16        // of each record a bit for each number that is another than in that before, at first than 0
	changes    []uint64        // those, one behind the other
	briefs     briefs
	desk       *desk             // where they were turned
	turned     int               // supersteps, with those that are briefs
	columns    [numbers][]uint64 // the same, where they are needed
	shapes     []shape
	runs       []run
	now        *shape    // of the last run, if the program is still as it was
	before     shape     // of the superstep before the first
	edges      bool      // an edge program runs
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
	whole                   string // the first of them, if it has no times (pregel.Detail.Whole); of those that are observed
	times                   int    // of them that have times, likewise
	metric                  string // its name; "": none
	tolerance               float64
	aggregates              int
	together                int // supersteps that were timed together; 0: each was timed itself
	kind                    int // those that have the same have all in common but whether they are brief; 0: that of before
	brief                   bool
	law                     pregel.Law // of those that are
	widths                  pregel.Widths
}

// phaseShape is a phase with times of so many workers. whole: it has no
// times, as it took all the time before the barrier.
type phaseShape struct {
	name    string
	workers int
	whole   bool
}

// room makes room for so many; what is there is lost.
func (b *steps) room(most int) {
	b.most, b.changed, b.changes, b.briefs = most, nil, nil, briefs{}
}

// full tells whether there is no room for n more.
func (b *steps) full(n int) bool { return b.records+n > b.most || b.count+n > mostPacked }

// fullOf tells whether there is no room for more briefs: as many are in a list as there
// may be records, 8 KiB, which with their text leave the run most of the nearest cache.
func (b *steps) fullOf(r *pregel.Briefs) bool {
	return len(b.briefs.list)+len(r.List) > b.most || b.count+r.Count > mostPacked
}

// reset forgets all supersteps; the next is of the given number.
func (b *steps) reset(first int) {
	clear(b.aggregates)
	b.first, b.count, b.records, b.now = first, 0, 0, nil
	b.last, b.changed, b.changes, b.turned = [numbers]uint64{}, b.changed[:0], b.changes[:0], 0
	b.columns = [numbers][]uint64{}
	b.briefs.reset()
	b.shapes, b.runs, b.times, b.metrics, b.aggregates = b.shapes[:0], b.runs[:0], b.times[:0], b.metrics[:0], b.aggregates[:0]
}

// program says what runs in the supersteps that follow.
func (b *steps) program(edges bool, w pregel.Widths) {
	if b.edges != edges || b.widths != w {
		b.edges, b.widths, b.now = edges, w, nil
	}
}

// add takes a superstep over, for which there is room.
func (b *steps) add(r *pregel.StepRecord) {
	d := r.Detail
	if d == nil {
		d = &pregel.Detail{}
	}
	if b.changed == nil {
		b.changed = make([]uint16, 0, b.most)
	}
	if cap(b.changes)-len(b.changes) < numbers {
		b.changes = slices.Grow(b.changes, max(2*b.most, len(b.changes))) // append alone would copy it five times
	}
	b.changed = append(b.changed, 0)
	b.count, b.records = b.count+1, b.records+1
	arcs := r.Arcs
	if d.Read > 0 {
		arcs = d.Read
	}
	b.put(stepAwake, r.Awake)
	b.put(stepArcs, arcs)
	b.put(stepSent, known(d.Sent))
	b.put(stepCombined, known(d.Combined))
	b.put(stepNext, r.Next)
	b.put(stepNanoseconds, uint64(max(r.Time, 0)))
	b.put(stepBarrier, uint64(max(d.Barrier, 0)))
	b.put(stepAtomics, known(d.Atomics))
	b.put(stepHave, d.Why.Have)
	b.put(stepLimit, d.Why.Limit)
	if len(d.Phases) > 0 || len(d.Aggregates) > 0 || r.Metric.Name != "" {
		b.lists(r, d)
	}
	if s := b.now; s == nil || s.brief || !(d.Again && s.together == d.Timed && s.measures(r) || s.is(r, d)) {
		b.shape(r, d)
	}
	b.runs[len(b.runs)-1].end = b.count
}

// put takes over a number of the last superstep, in the order of numbers.
func (b *steps) put(k int, x uint64) {
	if x != b.last[k] {
		b.change(k, x)
	}
}

func (b *steps) change(k int, x uint64) {
	b.last[k] = x
	b.changed[len(b.changed)-1] |= 1 << k
	b.changes = append(b.changes, x)
}

// lists takes over what has not one number a superstep.
func (b *steps) lists(r *pregel.StepRecord, d *pregel.Detail) {
	for _, p := range d.Phases {
		for _, t := range p.Workers {
			b.times = append(b.times, int64(t))
		}
	}
	if r.Metric.Name != "" {
		b.metrics = append(b.metrics, r.Metric.Value)
	}
	b.aggregates = append(b.aggregates, d.Aggregates...)
}

func known(x *uint64) uint64 {
	if x == nil {
		return 0
	}
	return *x
}

// shape begins a run of the last superstep, which is not of the shape of the one before.
func (b *steps) shape(r *pregel.StepRecord, d *pregel.Detail) {
	i := slices.IndexFunc(b.shapes, func(s shape) bool { return s.edges == b.edges && s.widths == b.widths && s.is(r, d) })
	if i < 0 {
		i = b.addShape(newShape(r, d, b.edges, b.widths))
		b.shapes[i].kind = i + 1
	}
	b.begin(i)
}

func (b *steps) addShape(s shape) int {
	b.shapes = append(b.shapes, s)
	return len(b.shapes) - 1
}

// begin begins a run of shape i.
func (b *steps) begin(i int) {
	b.now = &b.shapes[i]
	if k := len(b.runs); k == 0 || b.runs[k-1].shape != i {
		b.runs = append(b.runs, run{shape: i})
	}
}

func newShape(r *pregel.StepRecord, d *pregel.Detail, edges bool, w pregel.Widths) shape {
	s := shape{program: r.Program, direction: r.Direction, edges: edges, list: r.List, relaxed: r.Relaxed,
		sent: d.Sent != nil, combined: d.Combined != nil, atomics: d.Atomics != nil, rule: d.Why.Rule,
		metric: r.Metric.Name, aggregates: len(d.Aggregates), together: d.Timed, widths: w}
	if s.metric != "" {
		s.tolerance = r.Metric.Tolerance
	}
	s.whole, s.times = d.Whole, len(d.Phases)
	if d.Whole != "" {
		s.phases = append(s.phases, phaseShape{name: d.Whole, whole: true})
	}
	for _, p := range d.Phases {
		s.phases = append(s.phases, phaseShape{name: p.Name, workers: len(p.Workers)})
	}
	return s
}

// is tells whether a superstep has the shape, of the same program.
func (s *shape) is(r *pregel.StepRecord, d *pregel.Detail) bool {
	return !s.brief && s.direction == r.Direction && s.list == r.List && s.relaxed == r.Relaxed &&
		s.sent == (d.Sent != nil) && s.combined == (d.Combined != nil) && s.atomics == (d.Atomics != nil) &&
		s.aggregates == len(d.Aggregates) && s.together == d.Timed && s.program == r.Program && s.rule == d.Why.Rule &&
		s.measures(r) && s.whole == d.Whole && s.times == len(d.Phases) && (s.times == 0 || s.timed(d.Phases))
}

// measures tells whether a superstep has the metric of the shape.
func (s *shape) measures(r *pregel.StepRecord) bool {
	return s.metric == r.Metric.Name && (s.metric == "" || s.tolerance == r.Metric.Tolerance)
}

// timed tells whether the phases with times are those of the shape.
func (s *shape) timed(list []pregel.PhaseTime) bool {
	known := s.phases[len(s.phases)-s.times:]
	for i, p := range list {
		if known[i].workers != len(p.Workers) || known[i].name != p.Name {
			return false
		}
	}
	return true
}
