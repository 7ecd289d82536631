package pregel

import (
	"fmt"
	"math/bits"
	"sync/atomic"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// vertexTask binds a vertex program to a graph.
//
// Messages are written to an outbox per range of vertices, and then sorted by
// target: counted, or compared when they are few. Outboxes are taken in order
// of their vertices, so the messages of a vertex come in order of their senders
// for any number of workers.
type vertexTask[V, M any] struct {
	name    string
	program VertexProgram[V, M]
	combine *Monoid[M]
	setup   Setup
	g       *graph.Graph
	values  []V
	given   bool
	awake   bitmap.Bitmap
	count   uint64 // of awake vertices
	pending uint64 // of vertices awake or with messages
	bounds  []uint32
	list    []uint32 // vertices of a sparse superstep
	pieces  []int
	outbox  [][]sent[M]
	inbox   inbox[M]
	context []Context[V, M] // by worker
	folded  [][]M           // likewise, room for one combined message
	traced  bool            // marks are kept
	marks   [][]mark        // by outbox: who has sent
	memory  uint64          // Bounds.Memory or Bounds.Messages
}

const (
	rangeArcs    = 1 << 13 // arcs and vertices of one range
	pieceLength  = 256     // vertices of one piece of a sparse superstep
	sparseFactor = 16      // a superstep is sparse when it touches n/16 vertices at most
)

func errNoVertex(v uint32, n int) error {
	return fmt.Errorf("message to vertex %d, there are %d vertices", v, n)
}

func bindVertex[V, M any](g *graph.Graph, p VertexProgram[V, M], values []V) *vertexTask[V, M] {
	return &vertexTask[V, M]{name: nameOf(p), program: p, g: g, values: values, given: values != nil}
}

func (t *vertexTask[V, M]) Name() string        { return t.name }
func (t *vertexTask[V, M]) Graph() *graph.Graph { return t.g }

// Folds tells whether Barrier has anything to do.
func (t *vertexTask[V, M]) Folds() bool { return t.setup.folds(t.program) }

// Barrier folds the aggregators and asks the program.
func (t *vertexTask[V, M]) Barrier(superstep int) Verdict {
	return t.setup.barrier(superstep, t.program)
}
func (t *vertexTask[V, M]) Pending() uint64     { return t.pending }
func (t *vertexTask[V, M]) bound(memory uint64) { t.memory = memory }

func (t *vertexTask[V, M]) Begin(workers int) error {
	n := t.g.N()
	if t.given && len(t.values) != n {
		return fmt.Errorf("program %s: a column of %d values for %d vertices", t.name, len(t.values), n)
	}
	if !t.given {
		t.values = mem.Make[V](n)
	}
	if c, ok := t.program.(Combiner[M]); ok {
		m := c.Combine()
		t.combine = &m
	}
	if t.combine != nil && t.combine.Func == nil {
		return fmt.Errorf("program %s: combiner %q has no function", t.name, t.combine.Name)
	}
	if err := t.setup.begin(t.g, workers, t.program); err != nil {
		return fmt.Errorf("program %s: %w", t.name, err)
	}
	t.awake = bitmap.New(n)
	t.bounds = t.g.Out().Cut(rangeArcs, BlockSize)
	t.context = make([]Context[V, M], workers)
	t.folded = make([][]M, workers)
	for i := range t.context {
		t.context[i].task = t
		t.folded[i] = make([]M, 1)
	}
	return nil
}

func (t *vertexTask[V, M]) place(v uint32, w *Worker) Place {
	w.At = v
	return Place{ID: v, OutDegree: uint32(t.g.Out().Degree(v)), Superstep: w.Superstep, slot: int32(w.Slot)}
}

func (t *vertexTask[V, M]) Init(p Pool) error {
	err := p.For(len(t.bounds)-1, func(i int, w *Worker) {
		for v := t.bounds[i]; v < t.bounds[i+1]; v++ {
			var awake bool
			t.values[v], awake = t.program.Init(Vertex[V]{Place: t.place(v, w), Value: t.values[v]})
			if awake {
				t.awake.Set(v)
			}
			if v%BlockSize == BlockSize-1 || v == t.bounds[i+1]-1 {
				t.setup.flush(w.Slot, v)
			}
		}
	})
	t.count = uint64(t.awake.Count())
	t.pending = t.count
	return err
}

// Superstep computes and delivers.
func (t *vertexTask[V, M]) Superstep(superstep int, p Pool) (VertexCounts, error) {
	var err error
	phase(p, "compute")
	limit := uint64(t.g.N() / sparseFactor)
	if t.inbox.sparse && t.count+uint64(len(t.inbox.targets)) <= limit {
		err = t.computeList(p)
	} else {
		err = t.computeAll(p)
	}
	if err != nil {
		return VertexCounts{}, err
	}
	counts := VertexCounts{}
	for i := range t.outbox {
		counts.Sent += uint64(len(t.outbox[i]))
	}
	for i := range t.context {
		counts.Computed += t.context[i].computed()
	}
	t.count = uint64(t.awake.Count())
	if err := t.deliverable(counts.Sent); err != nil {
		return counts, &ProgramError{Program: t.name, Superstep: superstep, Cause: err}
	}
	phase(p, "deliver")
	if err := t.inbox.deliver(t.g.N(), t.outbox, p); err != nil {
		return counts, err
	}
	return counts, t.countPending(p)
}

// deliverable tells whether there is room for an inbox of so many messages.
func (t *vertexTask[V, M]) deliverable(messages uint64) error {
	has := uint64(cap(t.inbox.messages))
	if t.memory == 0 || messages <= has {
		return nil
	}
	return room(t.memory, messages*uint64(mem.Size[M]()), fmt.Sprintf("delivering %d messages", messages))
}

// countPending counts the vertices that will compute.
func (t *vertexTask[V, M]) countPending(p Pool) error {
	t.pending = t.count
	if t.inbox.sparse {
		for _, v := range t.inbox.targets {
			if !t.awake.Has(v) {
				t.pending++
			}
		}
		return nil
	}
	var messages atomic.Uint64
	err := p.For(len(t.bounds)-1, func(i int, _ *Worker) {
		n := 0
		for b := t.bounds[i] / BlockSize; b*BlockSize < t.bounds[i+1]; b++ {
			n += bits.OnesCount64(t.inbox.word(b) &^ t.awake[b])
		}
		messages.Add(uint64(n))
	})
	t.pending += messages.Load()
	return err
}

// computed returns and resets the number of vertices a worker has computed.
func (c *Context[V, M]) computed() uint64 {
	n := c.ran
	c.ran = 0
	return n
}

// computeAll looks at every vertex.
func (t *vertexTask[V, M]) computeAll(p Pool) error {
	t.inbox.spread(t.g.N())
	t.resetOutbox(len(t.bounds) - 1)
	return p.For(len(t.bounds)-1, func(i int, w *Worker) {
		c := &t.context[w.Slot]
		c.out, c.marks = t.outbox[i], t.marks[i]
		for b := t.bounds[i] / BlockSize; b*BlockSize < t.bounds[i+1]; b++ {
			run := (t.awake[b] | t.inbox.word(b)) & bitmap.Mask(int(b), t.bounds[i+1])
			for ; run != 0; run &= run - 1 {
				t.compute(b*BlockSize+uint32(bits.TrailingZeros64(run)), c, w)
			}
			t.setup.flush(w.Slot, b*BlockSize)
		}
		t.outbox[i], t.marks[i] = c.out, c.marks
	})
}

// computeList looks at the vertices that are awake or have messages, in pieces
// that share no block of vertices.
func (t *vertexTask[V, M]) computeList(p Pool) error {
	t.list = mergeAscending(t.list[:0], t.awake.AppendTo(nil), t.inbox.targets)
	t.pieces = append(t.pieces[:0], 0)
	for i := 1; i <= len(t.list); i++ {
		last := t.pieces[len(t.pieces)-1]
		if i == len(t.list) || i-last >= pieceLength && t.list[i]/BlockSize != t.list[i-1]/BlockSize {
			t.pieces = append(t.pieces, i)
		}
	}
	t.resetOutbox(len(t.pieces) - 1)
	return p.For(len(t.pieces)-1, func(i int, w *Worker) {
		c := &t.context[w.Slot]
		c.out, c.marks = t.outbox[i], t.marks[i]
		piece := t.list[t.pieces[i]:t.pieces[i+1]]
		for j, v := range piece {
			t.compute(v, c, w)
			if j == len(piece)-1 || piece[j+1]/BlockSize != v/BlockSize {
				t.setup.flush(w.Slot, v)
			}
		}
		t.outbox[i], t.marks[i] = c.out, c.marks
	})
}

func (t *vertexTask[V, M]) compute(v uint32, c *Context[V, M], w *Worker) {
	w.At = v
	messages := t.inbox.of(v)
	if t.combine != nil && len(messages) > 1 {
		sum := messages[0]
		for _, m := range messages[1:] {
			sum = t.combine.Func(sum, m)
		}
		t.folded[w.Slot][0] = sum
		messages = t.folded[w.Slot]
	}
	c.Place, c.Value, c.halted = t.place(v, w), t.values[v], false
	t.program.Compute(c, messages)
	t.values[v] = c.Value
	c.ran++
	if t.traced {
		c.marks = append(c.marks, mark{v, len(c.out)})
	}
	if c.halted {
		t.awake.Clear(v)
	} else {
		t.awake.Set(v)
	}
}

func (t *vertexTask[V, M]) resetOutbox(n int) {
	for len(t.outbox) < n {
		t.outbox, t.marks = append(t.outbox, nil), append(t.marks, nil)
	}
	for i := range t.outbox {
		t.outbox[i], t.marks[i] = t.outbox[i][:0], t.marks[i][:0]
	}
}

// mergeAscending appends the union of two ascending lists to dst.
func mergeAscending(dst, a, b []uint32) []uint32 {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			dst, a = append(dst, a[0]), a[1:]
		case a[0] > b[0]:
			dst, b = append(dst, b[0]), b[1:]
		default:
			dst, a, b = append(dst, a[0]), a[1:], b[1:]
		}
	}
	return append(append(dst, a...), b...)
}
