package trace

import (
	"encoding/json"
	"fmt"
	"slices"

	"gopregel/pregel"
)

// packed is a line of many supersteps as it is read.
type packed struct {
	Superstep   int             `json:"superstep"`
	Count       int             `json:"count"`
	Shapes      []packedShape   `json:"shapes"`
	Runs        [][2]int        `json:"runs"` // number of a shape, and of the supersteps; null: all are of the first
	Awake       json.RawMessage `json:"awake"`
	Arcs        json.RawMessage `json:"arcs"`
	Sent        json.RawMessage `json:"sent"`
	Combined    json.RawMessage `json:"combined"`
	Next        json.RawMessage `json:"next"`
	Nanoseconds json.RawMessage `json:"nanoseconds"`
	Barrier     json.RawMessage `json:"barrier"`
	Atomics     json.RawMessage `json:"atomics"`
	Have        json.RawMessage `json:"have"`
	Limit       json.RawMessage `json:"limit"`
	Times       []int64         `json:"times"`
	Metrics     []Float         `json:"metrics"`
	Aggregates  []Value         `json:"aggregates"`
	Briefs      []byte          `json:"briefs"`
	Groups      []uint64        `json:"groups"`
	Starts      []uint64        `json:"starts"`

	steps *steps // what it says
}

type packedShape struct {
	Program    string        `json:"program"`
	Direction  string        `json:"direction"`
	Frontier   string        `json:"frontier"`
	Why        string        `json:"why"`
	Sent       bool          `json:"sent"`
	Combined   bool          `json:"combined"`
	Atomics    bool          `json:"atomics"`
	Relaxed    bool          `json:"relaxed"`
	Phases     []packedPhase `json:"phases"`
	Metric     string        `json:"metric"`
	Tolerance  Float         `json:"tolerance"`
	Aggregates int           `json:"aggregates"`
	Timed      int           `json:"timed"`
	Value      uint64        `json:"value"`
	Message    uint64        `json:"message"`
	Weight     uint64        `json:"weight"`
	Kept       string        `json:"kept"`
	Beside     uint64        `json:"beside"`
	Offset     *uint64       `json:"offset"` // null: usualOffset
	Brief      *packedLaw    `json:"brief"`  // null: they are none
}

type packedPhase struct {
	Name    string `json:"name"`
	Workers *int   `json:"workers"` // null: one, all the time before the barrier
}

// mostPacked is how many supersteps a line has at most, and workers a phase.
const mostPacked = 1 << 16

func (*packed) kind() string { return "supersteps" }

func (p *packed) check(s *state) error {
	if s.header.Version < 2 {
		return fmt.Errorf("a record of kind supersteps in a trace of version %d", s.header.Version)
	}
	if s.header.Version < 4 && slices.ContainsFunc(p.Shapes, func(s packedShape) bool { return s.Brief != nil }) {
		return fmt.Errorf("brief supersteps in a trace of version %d", s.header.Version)
	}
	b := &steps{first: p.Superstep, vertices: s.header.Graph.Vertices, aggregates: anys(p.Aggregates), times: p.Times}
	for _, x := range p.Metrics {
		b.metrics = append(b.metrics, float64(x))
	}
	if err := p.unpack(b); err != nil {
		return err
	}
	p.steps = b
	return b.check(s)
}

func anys(list []Value) (to []any) {
	for _, x := range list {
		to = append(to, x)
	}
	return to
}

func (p *packed) unpack(b *steps) error {
	if p.Count < 1 || p.Count > mostPacked {
		return fmt.Errorf("count: found %d, want 1 to %d", p.Count, mostPacked)
	}
	for i, s := range p.Shapes {
		known, err := s.shape()
		if err != nil {
			return fmt.Errorf("shapes: number %d: %w", i, err)
		}
		b.shapes = append(b.shapes, known)
	}
	if err := p.shaped(b); err != nil {
		return err
	}
	u := &unpacking{steps: b}
	if err := p.brief(b); err != nil {
		return err
	}
	for k, text := range p.columns() {
		if err := u.column(k, text); err != nil {
			return fmt.Errorf("%s%s", names[k], because(err))
		}
	}
	return u.counted()
}

func (p *packed) columns() [numbers]json.RawMessage {
	return [numbers]json.RawMessage{stepAwake: p.Awake, stepArcs: p.Arcs, stepSent: p.Sent, stepCombined: p.Combined, stepNext: p.Next,
		stepNanoseconds: p.Nanoseconds, stepBarrier: p.Barrier, stepAtomics: p.Atomics, stepHave: p.Have, stepLimit: p.Limit}
}

// shaped gives steps their shapes.
func (p *packed) shaped(b *steps) error {
	b.count = p.Count
	if p.Runs == nil {
		p.Runs = [][2]int{{0, p.Count}}
	}
	end := 0
	for _, r := range p.Runs {
		if r[0] < 0 || r[0] >= len(b.shapes) || r[1] < 1 || r[1] > p.Count-end {
			return fmt.Errorf("runs: found %d supersteps of shape %d, there are %d and %d shapes", r[1], r[0], p.Count, len(b.shapes))
		}
		end += r[1]
		b.runs = append(b.runs, run{r[0], end})
		if !b.shapes[r[0]].brief {
			b.records += r[1]
		}
	}
	if end != p.Count {
		return fmt.Errorf("runs: found %d supersteps, want %d", end, p.Count)
	}
	b.columns = makeColumns(b.records)
	return nil
}

func (s *packedShape) shape() (shape, error) {
	to := shape{program: s.Program, edges: s.Frontier != "", list: s.Frontier == "list", relaxed: s.Relaxed, sent: s.Sent, combined: s.Combined,
		atomics: s.Atomics, rule: s.Why, metric: s.Metric, tolerance: float64(s.Tolerance), aggregates: s.Aggregates, together: s.Timed,
		widths: pregel.Widths{Value: s.Value, Message: s.Message, Weight: s.Weight, Beside: s.Beside}}
	if s.Brief != nil {
		to.brief, to.law = true, pregel.Law(*s.Brief)
	}
	form := slices.Index(frontierForms[:], s.Kept)
	if form < 0 {
		return to, fmt.Errorf("kept: found %q, want none or list", s.Kept)
	}
	to.widths.Frontier = pregel.FrontierForm(form)
	switch {
	case to.widths == (pregel.Widths{}):
	case s.Offset == nil:
		to.widths.Offset = usualOffset
	default:
		to.widths.Offset = *s.Offset
	}
	switch {
	case s.Direction == pregel.Push.String():
		to.direction = pregel.Push
	case s.Direction == pregel.Pull.String():
		to.direction = pregel.Pull
	case s.Direction != "":
		return to, fmt.Errorf("direction: found %q, want push or pull", s.Direction)
	}
	if s.Frontier != to.frontier() {
		return to, fmt.Errorf("frontier: found %q, want list or bits", s.Frontier)
	}
	if s.Aggregates < 0 || s.Aggregates > mostPacked {
		return to, fmt.Errorf("aggregates: found %d, want 0 to %d", s.Aggregates, mostPacked)
	}
	if s.Timed < 0 || s.Timed > mostPacked {
		return to, fmt.Errorf("timed: found %d, want 0 to %d", s.Timed, mostPacked)
	}
	for _, p := range s.Phases {
		if p.Workers != nil && (*p.Workers < 0 || *p.Workers > mostPacked) {
			return to, fmt.Errorf("phases: %q: workers: found %d, want 0 to %d", p.Name, *p.Workers, mostPacked)
		}
		known := phaseShape{name: p.Name, whole: p.Workers == nil}
		if !known.whole {
			known.workers = *p.Workers
		}
		to.phases = append(to.phases, known)
	}
	return to, nil
}

// An unpacking gives steps the numbers of a line.
type unpacking struct {
	*steps
	last *uint64 // awake after the last step; nil: not said
}

// column reads one: numbers, one number for all, or the name of what it is like.
func (u *unpacking) column(k int, text json.RawMessage) error {
	var name string
	switch {
	case len(text) == 0:
		return nil
	case text[0] == '[':
		return u.numbers(k, text)
	case text[0] == '{':
		return u.short(k, text)
	case json.Unmarshal(text, &name) == nil:
		return u.like(k, name)
	}
	var x uint64
	if err := json.Unmarshal(text, &x); err != nil {
		return err
	}
	for i := range u.columns[k] {
		u.columns[k][i] = x
	}
	return nil
}

// short reads a column that is said in another way than number by number.
func (u *unpacking) short(k int, text json.RawMessage) error {
	var list shortColumn
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	switch {
	case list.Runs != nil:
		return u.ramps(k, list.Runs)
	case list.Sums != nil && k == stepNanoseconds:
		return u.sums(list.Sums)
	}
	return u.changes(k, &list)
}

// changes reads a list by its first number and differences.
func (u *unpacking) changes(k int, list *shortColumn) error {
	if len(list.By) != u.records-1 {
		return fmt.Errorf("found %d differences, want %d, one less than supersteps", len(list.By), u.records-1)
	}
	x := list.From
	u.columns[k][0] = x
	for i, d := range list.By {
		x += uint64(d)
		u.columns[k][i+1] = x
	}
	return nil
}

// numbers reads a list. That of those awake may have one more, awake after the last.
func (u *unpacking) numbers(k int, text json.RawMessage) error {
	var list []uint64
	if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	n := u.records
	if k == stepAwake && n > 0 && len(list) == n+1 {
		u.last, list = &list[n], list[:n]
	}
	if len(list) != n {
		return fmt.Errorf("found %d numbers, want %d, one a superstep", len(list), n)
	}
	u.columns[k] = list
	return nil
}

// like has a column follow from others.
func (u *unpacking) like(k int, name string) error {
	j := slices.Index(names[:k], name)
	switch {
	case k == stepNext && name == following && u.last != nil:
		u.columns[k] = append(slices.Clone(u.columns[stepAwake][1:]), *u.last)
	case j >= 0:
		u.columns[k] = u.columns[j]
	default:
		return fmt.Errorf("found %q, want numbers or the name of a column before", name)
	}
	return nil
}

// counted checks that the lists have what the shapes need.
func (u *unpacking) counted() error {
	times, metrics, aggregates := 0, 0, 0
	from := 0
	for _, r := range u.runs {
		s, n := &u.shapes[r.shape], r.end-from
		for _, p := range s.phases {
			times += n * p.workers
		}
		if aggregates += n * s.aggregates; s.metric != "" {
			metrics += n
		}
		from = r.end
	}
	switch {
	case times != len(u.times):
		return fmt.Errorf("times: found %d, want %d, those of all phases", len(u.times), times)
	case metrics != len(u.metrics):
		return fmt.Errorf("metrics: found %d, want %d, one a superstep with a metric", len(u.metrics), metrics)
	case aggregates != len(u.aggregates):
		return fmt.Errorf("aggregates: found %d, want %d, those of all supersteps", len(u.aggregates), aggregates)
	}
	return nil
}
