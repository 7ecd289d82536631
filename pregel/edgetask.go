package pregel

import (
	"cmp"
	"fmt"
	"slices"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// edgeTask binds an edge program to a graph.
type edgeTask[V, M any] struct {
	name    string
	program sender[V, M]
	combine EdgeProgram[V, M]  // the program, if it combines
	collect Collector[V, M]    // the program, if it collects
	settler Settler[V]         // the program, if it is one
	orderer Prioritizer[V]     // likewise
	blocks  BlockProgram[V, M] // likewise
	sets    SetProgram[V, M]   // likewise
	inits   BlockIniter[V]     // likewise
	sweeps  SweepProgram[V, M] // likewise
	gathers Gatherer[M]        // likewise
	spec    Spec[M]
	mode    gatherMode
	relaxes bool // the program says that it may be relaxed
	own     []M  // the values, of an Absorber; nil: it is none
	setup   Setup

	g       *graph.Graph
	sending []graph.CSR
	// receiving is nil until they are first asked for, before any range is pulled.
	receiving []graph.CSR
	offsets   graph.Offsets // of sending[0]
	values    []V
	memory    []byte // for values and offers, in place of new
	bring     *Bringing
	given     bool // values came with the run
	begun     bool // Init has set them
	bitwise   bool // those with the same bits are the same
	seeded    seeded[V]

	// Offers of awake vertices, made by Emit for Pull; the identity at others, and at
	// the end, where there is no vertex.
	offers []M
	later  []M   // those of the next superstep, if they are made ahead (edgeahead.go)
	lent   [][]M // those of the two that are in memory
	// Pushed messages; the identity where touched has no bit.
	boxes   []M
	parted  []M // offers pushed in parts, in this superstep
	touched bitmap.Bitmap
	settled bitmap.Bitmap
	// Loops that note nothing in touched; nil: there are none. flood: they are used.
	flooding flooding[M]
	flood    bool

	current uint64        // priority: awake vertices above it wait
	waiting bitmap.Bitmap // vertices awake that do

	hubs       map[uint32]int // index into partial of the hub's first part
	isHub      bitmap.Bitmap  // nil: there are none
	hubArcs    uint64
	hubList    []uint32
	partial    []gathered[M]
	level      level[M]
	atOnce     bool       // offers are made as they are sent (edgefirst.go)
	arrivals   *arrivable // nil: the program is no Arriver, or none that can be done so
	shares     []share
	callShares []callShare[M]
	bins       *binned[V, M]  // nil before the first superstep of bins
	overruled  bitmap.Bitmap  // empty but in ApplyShare
	lists      [][]M          // of collected messages, by worker
	corners    []corner[V, M] // by worker
	rooms      []rooms        // likewise

	inPlace[M]
}

type gathered[M any] struct {
	message M
	got     bool
}

// gatherMode is how the messages of one vertex are pulled.
type gatherMode uint8

const (
	byLoops gatherMode = iota // the combiner's own loops over offers
	byFirst                   // the first awake neighbour's
	byCalls                   // a function call an edge
	byList                    // into a list
)

// sender is what edge programs and collectors have in common.
type sender[V, M any] interface {
	Spec() Spec[M]
	Init(v Vertex[V]) (value V, awake bool)
	Emit(v Vertex[V]) M
}

func bindEdge[V, M any](g *graph.Graph, p sender[V, M], values []V) *edgeTask[V, M] {
	t := &edgeTask[V, M]{name: nameOf(p), program: p, g: g, values: values, given: values != nil}
	t.combine, _ = p.(EdgeProgram[V, M])
	t.collect, _ = p.(Collector[V, M])
	t.settler, _ = p.(Settler[V])
	t.orderer, _ = p.(Prioritizer[V])
	t.blocks, _ = p.(BlockProgram[V, M])
	t.sets, _ = p.(SetProgram[V, M])
	t.inits, _ = p.(BlockIniter[V])
	t.sweeps, _ = p.(SweepProgram[V, M])
	t.gathers, _ = p.(Gatherer[M])
	return t
}

func (t *edgeTask[V, M]) Name() string           { return t.name }
func (t *edgeTask[V, M]) Graph() *graph.Graph    { return t.g }
func (t *edgeTask[V, M]) Touched() bitmap.Bitmap { return t.touched }
func (t *edgeTask[V, M]) Waiting() bitmap.Bitmap { return t.waiting }

// Settled brings the set up to date.
func (t *edgeTask[V, M]) Settled() bitmap.Bitmap {
	t.markSettled()
	return t.settled
}

func (t *edgeTask[V, M]) Begin(workers int) error {
	n := t.g.N()
	if t.given && len(t.values) != n {
		return fmt.Errorf("program %s: a column of %d values for %d vertices", t.name, len(t.values), n)
	}
	t.makeValues()
	if err := t.setup.begin(t.g, workers, t.program); err != nil {
		return fmt.Errorf("program %s: %w", t.name, err)
	}
	if err := t.askSeeds(); err != nil {
		return fmt.Errorf("program %s: %w", t.name, err)
	}
	t.spec = t.program.Spec()
	if err := t.choose(); err != nil {
		return fmt.Errorf("program %s: %w", t.name, err)
	}
	if r, ok := t.program.(Relaxer); ok {
		t.relaxes = r.Relaxes()
	}
	if err := t.askAbsorber(); err != nil {
		return fmt.Errorf("program %s: %w", t.name, err)
	}
	t.sending = t.arcs(t.spec.Along)
	t.offsets = t.sending[0].Offsets
	if len(t.sending) == 1 {
		t.flooding = t.floods()
	}
	t.prepareLevel(workers)
	t.lists = make([][]M, workers)
	t.makeCorners(workers)
	if t.settler != nil {
		t.settled, t.bitwise = bitmap.New(n), mem.Swappable(t.values)
	}
	if t.orderer != nil {
		t.waiting = bitmap.New(n)
	}
	t.prepareArrivals(workers)
	return nil
}

// end ends the use of all arrays but the values.
func (t *edgeTask[V, M]) end(stop Stop) {
	if stop.Reason == Failed { // workers may be left behind
		if !t.begun && !t.given {
			clear(t.values)
		}
		return
	}
	for _, offers := range [][]M{t.offers, t.later} {
		if !slices.ContainsFunc(t.lent, func(lent []M) bool { return sameStart(lent, offers) }) {
			mem.Give(offers)
		}
	}
	mem.Give(t.boxes)
	mem.Give(t.rooms)
	for _, b := range []bitmap.Bitmap{t.touched, t.settled, t.waiting, t.overruled} {
		mem.Give(b)
	}
	t.memory, t.lent, t.offers, t.later, t.boxes, t.touched, t.settled, t.waiting, t.overruled, t.rooms, t.corners, t.callShares = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
}

// sameStart tells whether two slices begin with the same element.
func sameStart[T any](a, b []T) bool { return len(a) > 0 && len(b) > 0 && &a[0] == &b[0] }

// choose finds the way to gather from combiner and edge operation.
func (t *edgeTask[V, M]) choose() error {
	c, e := t.spec.Combine, t.spec.Edge
	switch {
	case e.kind == opFunc && e.along == nil:
		return fmt.Errorf("its edge operation %s has no function", e.Name)
	case e.Weightless && e.kind != opFunc:
		return fmt.Errorf("its edge operation %s says Weightless, which is for functions of one's own (EdgeFunc)", cmp.Or(e.Name, "copy"))
	}
	switch {
	case t.collect != nil:
		t.mode = byList
	case c.first == anySource, c.first == leastSource && e.kind == opSource:
		t.mode = byFirst
	case c.loops == nil && c.Func == nil:
		return fmt.Errorf("its Spec has no combiner")
	case c.loops == nil || e.kind == opFunc:
		t.mode = byCalls
	}
	return nil
}

// arcs returns the arcs along which messages in a direction leave their source, as if the graph had
// no weights where none is to be read.
func (t *edgeTask[V, M]) arcs(a Along) (list []graph.CSR) {
	switch {
	case a == OutEdges || !t.g.Directed():
		list = []graph.CSR{t.g.Out()}
	case a == InEdges:
		list = []graph.CSR{t.g.In()}
	default:
		list = []graph.CSR{t.g.Out(), t.g.In()}
	}
	if t.spec.Edge.Weightless {
		for i := range list {
			list[i].Weights = graph.Weights{}
		}
	}
	return list
}

func (t *edgeTask[V, M]) Sending() []graph.CSR { return t.sending }

// Receiving looks for the arcs once: each range of each superstep asks for them.
func (t *edgeTask[V, M]) Receiving() []graph.CSR {
	if t.receiving == nil {
		t.receiving = t.receives()
	}
	return t.receiving
}

func (t *edgeTask[V, M]) receives() []graph.CSR {
	switch t.spec.Along {
	case OutEdges:
		return t.arcs(InEdges)
	case InEdges:
		return t.arcs(OutEdges)
	}
	return t.sending
}

func (t *edgeTask[V, M]) CanReceive() bool { return t.spec.Along != OutEdges || t.g.HasIn() }

func (t *edgeTask[V, M]) Traits() Traits {
	return Traits{
		Silent:   t.spec.Silent,
		First:    t.mode == byFirst,
		PullOnly: t.mode == byCalls || t.mode == byList,
		Exact:    t.spec.Combine.Exact,
		Ordered:  t.setup.ordered(),
		Settles:  t.settler != nil,
		Waits:    t.orderer != nil,
		Forwards: t.forwards(),
		Arrives:  t.arrivals != nil,
		Floods:   t.flooding != nil,
		Levels:   t.level.offers != nil,
		Waves:    t.waves(),
		Alone:    t.mode == byCalls && len(t.sending) == 1, // of two, Pull takes one after the other
	}
}

// Folds tells whether Barrier has anything to do.
func (t *edgeTask[V, M]) Folds() bool { return t.setup.folds(t.program) }

func (t *edgeTask[V, M]) Barrier(superstep int) Verdict {
	t.begun = true
	return t.setup.barrier(superstep, t.program)
}

// vertex is what the program sees of v.
func (t *edgeTask[V, M]) vertex(v uint32, w *Worker) Vertex[V] {
	w.At = v
	return Vertex[V]{
		Place: Place{ID: v, OutDegree: uint32(t.degree(v)), Superstep: w.Superstep, slot: int32(w.Slot)},
		Value: t.values[v],
	}
}

// degree counts the arcs along which v sends.
func (t *edgeTask[V, M]) degree(v uint32) uint64 {
	d := t.offsets.Degree(v)
	if len(t.sending) > 1 {
		d += t.sending[1].Degree(v)
	}
	return d
}

// apply runs the program's Apply on v.
func (t *edgeTask[V, M]) apply(v uint32, w *Worker, message M, got bool, bit uint64, b *block) {
	at := t.vertex(v, w)
	if t.own != nil {
		awake := t.absorbOne(v, message)
		t.store(at.Place, w, t.values[v], awake, bit, b)
		return
	}
	value, awake := t.combine.Apply(at, message, got)
	t.store(at.Place, w, value, awake, bit, b)
}

// offer is what the awake vertex u sends.
func (t *edgeTask[V, M]) offer(u uint32, w *Worker) M {
	if x, ok := t.made(u, w); ok {
		return x
	}
	return t.program.Emit(t.vertex(u, w))
}

// offerAlong is offer of a vertex that is known to send along so many arcs.
func (t *edgeTask[V, M]) offerAlong(u uint32, degree uint64, w *Worker) M {
	w.At = u
	if x, ok := t.made(u, w); ok {
		return x
	}
	return t.program.Emit(Vertex[V]{Place{ID: u, OutDegree: uint32(degree), Superstep: w.Superstep, slot: int32(w.Slot)}, t.values[u]})
}

// made is offer where nothing is called for it.
func (t *edgeTask[V, M]) made(u uint32, w *Worker) (x M, ok bool) {
	switch {
	case t.spec.Edge.kind == opSource:
		x, _ = t.spec.Edge.along(t.spec.Combine.Identity, u, u, 0)
		return x, true
	case t.level.held == w.Superstep+1:
		return t.offers[u], true
	case t.own != nil:
		return t.own[u], true
	}
	return x, false
}

// Prepare makes the arrays that a direction needs.
func (t *edgeTask[V, M]) Prepare(d Direction) (emits bool) {
	ahead := t.offersAhead()
	if d == Push {
		t.markSettled()
		t.preparePush()
		return false
	}
	t.markByPull()
	t.beginLevel()
	if ahead {
		t.offers, t.later = t.later, t.offers
		return false
	}
	t.prepareAhead()
	return t.needsOffers()
}

// word returns 64 members of the frontier as bits.
func (f Frontier) word(i int) uint64 {
	if f.All {
		return ^uint64(0)
	}
	return f.Bits[i]
}
