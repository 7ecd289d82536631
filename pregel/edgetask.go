package pregel

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// edgeTask binds an edge program to a graph.
type edgeTask[V, M any] struct {
	name    string
	program EdgeProgram[V, M]
	collect Collector[V, M] // the program, if it is one
	settler Settler[V]      // likewise
	spec    Spec[M]
	mode    gatherMode
	setup   Setup

	g       *graph.Graph
	sending []graph.CSR
	values  []V
	given   bool // values came with the run

	// Offers of awake vertices, made by Emit for Pull; the identity at others.
	offers []M
	// Pushed messages; the identity where touched has no bit.
	boxes   []M
	touched bitmap.Bitmap
	settled bitmap.Bitmap

	hubs    map[uint32]int // index into partial of the hub's first part
	hubArcs uint64
	hubList []uint32
	partial []gathered[M]
	lists   [][]M // of collected messages, by worker
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

func bindEdge[V, M any](g *graph.Graph, p EdgeProgram[V, M], values []V) *edgeTask[V, M] {
	t := &edgeTask[V, M]{name: nameOf(p), program: p, g: g, values: values, given: values != nil}
	t.collect, _ = p.(Collector[V, M])
	t.settler, _ = p.(Settler[V])
	return t
}

func (t *edgeTask[V, M]) Name() string           { return t.name }
func (t *edgeTask[V, M]) Graph() *graph.Graph    { return t.g }
func (t *edgeTask[V, M]) Touched() bitmap.Bitmap { return t.touched }
func (t *edgeTask[V, M]) Settled() bitmap.Bitmap { return t.settled }

func (t *edgeTask[V, M]) Begin(workers int) error {
	n := t.g.N()
	if t.given && len(t.values) != n {
		return fmt.Errorf("program %s: a column of %d values for %d vertices", t.name, len(t.values), n)
	}
	if !t.given {
		t.values = mem.Make[V](n)
	}
	if err := t.setup.begin(t.g, workers, t.program); err != nil {
		return fmt.Errorf("program %s: %w", t.name, err)
	}
	t.spec = t.program.Spec()
	if err := t.choose(); err != nil {
		return fmt.Errorf("program %s: %w", t.name, err)
	}
	t.sending = t.arcs(t.spec.Along)
	t.lists = make([][]M, workers)
	if t.settler != nil {
		t.settled = bitmap.New(n)
	}
	return nil
}

// choose finds the way to gather from combiner and edge operation.
func (t *edgeTask[V, M]) choose() error {
	c, e := t.spec.Combine, t.spec.Edge
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

// arcs returns the arcs along which messages in a direction leave their source.
func (t *edgeTask[V, M]) arcs(a Along) []graph.CSR {
	switch {
	case a == OutEdges || !t.g.Directed():
		return []graph.CSR{t.g.Out()}
	case a == InEdges:
		return []graph.CSR{t.g.In()}
	}
	return []graph.CSR{t.g.Out(), t.g.In()}
}

func (t *edgeTask[V, M]) Sending() []graph.CSR { return t.sending }

func (t *edgeTask[V, M]) Receiving() []graph.CSR {
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
		PullOnly: t.mode == byCalls || t.mode == byList || t.spec.Edge.kind == opFunc,
		Exact:    t.spec.Combine.Exact,
		Ordered:  t.setup.ordered(),
		Settles:  t.settler != nil,
	}
}

func (t *edgeTask[V, M]) Barrier(superstep int) Verdict { return t.setup.barrier(superstep, t.program) }

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
	d := t.sending[0].Degree(v)
	if len(t.sending) > 1 {
		d += t.sending[1].Degree(v)
	}
	return d
}

func (t *edgeTask[V, M]) Init(lo, hi uint32, w *Worker, next bitmap.Bitmap) {
	for v := lo; v < hi; v++ {
		value, awake := t.program.Init(t.vertex(v, w))
		if t.store(v, w, value, awake) {
			next.Set(v)
		}
		if v%BlockSize == BlockSize-1 || v == hi-1 {
			t.setup.flush(w.Slot, v)
		}
	}
}

// store keeps what the program has made of v, and returns awake.
func (t *edgeTask[V, M]) store(v uint32, w *Worker, value V, awake bool) bool {
	t.values[v] = value
	if awake {
		w.Awake++
		w.AwakeArcs += t.degree(v)
	}
	if t.settler != nil && t.settler.Settled(value) && t.settled.SetAtomic(v) {
		w.DoneArcs += t.degree(v)
	}
	return awake
}

// apply runs the program's Apply on v.
func (t *edgeTask[V, M]) apply(v uint32, w *Worker, message M, got bool) (awake bool) {
	value, awake := t.program.Apply(t.vertex(v, w), message, got)
	return t.store(v, w, value, awake)
}

// offer is what the awake vertex u sends.
func (t *edgeTask[V, M]) offer(u uint32, w *Worker) M {
	if t.spec.Edge.kind == opSource {
		x, _ := t.spec.Edge.along(t.spec.Combine.Identity, u, u, 0)
		return x
	}
	return t.program.Emit(t.vertex(u, w))
}

// Prepare makes the arrays that a direction needs.
func (t *edgeTask[V, M]) Prepare(d Direction) (emits bool) {
	if d == Push {
		t.preparePush()
		return false
	}
	return t.needsOffers()
}

// Apply applies the pushed messages of the vertices vs.
func (t *edgeTask[V, M]) Apply(vs []uint32, w *Worker) {
	for _, v := range vs {
		message := t.boxes[v]
		t.boxes[v] = t.spec.Combine.Identity
		atomic.StoreUint64(&t.touched[v>>6], 0) // every touched vertex is in somebody's list
		if t.apply(v, w, message, true) {
			w.Next = append(w.Next, v)
		}
	}
}

// ApplyRange applies the pushed messages of the vertices from lo to hi.
func (t *edgeTask[V, M]) ApplyRange(lo, hi uint32, w *Worker, f Frontier, next bitmap.Bitmap) {
	for i := int(lo / 64); i < int((hi+63)/64); i++ {
		run := t.touched[i]
		if t.spec.Silent {
			run |= f.word(i)
		}
		run &= bitmap.Mask(i, hi)
		var awake uint64
		for ; run != 0; run &= run - 1 {
			v := uint32(i*64 + bits.TrailingZeros64(run))
			got := t.touched.Has(v)
			if t.apply(v, w, t.boxes[v], got) {
				awake |= run & -run
			}
			t.boxes[v] = t.spec.Combine.Identity
		}
		t.touched[i] = 0
		next[i] = awake
		t.setup.flush(w.Slot, uint32(i*64))
	}
}

// word returns 64 members of the frontier as bits.
func (f Frontier) word(i int) uint64 {
	if f.All {
		return ^uint64(0)
	}
	return f.Bits[i]
}
