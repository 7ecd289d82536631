package pregel

import (
	"math/bits"

	"gopregel/pregel/graph"
)

// A BlockProgram is an edge program that can do many vertices in one call: blocks of
// BlockSize in a row, the last of which may have less. Where vertices have few arcs the
// calls of Emit and Apply are most of a superstep's time. An engine calls these instead
// where it suits, so they must do what Emit and Apply do for each vertex, to the last bit;
// package check compares.
type BlockProgram[V, M any] interface {
	EdgeProgram[V, M]
	// EmitBlock stores in offers what Emit gives for each vertex.
	EmitBlock(b *Block[V], offers []M)
	// ApplyBlock stores in b.Values what Apply gives for each vertex, and in awake, which
	// has a word for each block, who is awake: bit i of word k is vertex k·BlockSize+i.
	// What it adds to aggregators it adds for each block, by AddBlock.
	ApplyBlock(b *Block[V], messages []M, awake []uint64)
}

// A SetProgram is an edge program that can apply messages to some vertices of a block
// in one call: where supersteps reach many vertices, each once, as a breadth-first
// search does, the calls of Apply and Settled take as long as finding the messages.
// Engines call ApplySet instead where it suits; package check compares.
type SetProgram[V, M any] interface {
	EdgeProgram[V, M]
	// ApplySet stores in b.Values what Apply gives for each vertex of a set of the
	// block, who all have a message, and tells who of them is awake then, and who is
	// settled (Settler): bit i is vertex i of the block.
	ApplySet(b *Block[V], set uint64, messages []M) (awake, settled uint64)
}

// A BlockIniter is an edge program that can give a block of vertices their first values
// in one call: where a run starts from a column that was given, and few vertices are
// awake at first, the calls of Init and Settled for each may take as long as all else.
// Engines call InitBlock instead where it suits; package check compares.
type BlockIniter[V any] interface {
	// InitBlock stores in b.Values what Init gives for each vertex of the block, and
	// tells who of them is awake then, and who is settled (Settler): bit i is vertex i
	// of the block.
	InitBlock(b *Block[V]) (awake, settled uint64)
}

// A Block is vertices in a row, the first a multiple of BlockSize: any number for EmitBlock and
// ApplyBlock, else up to BlockSize. It is good until the call returns.
type Block[V any] struct {
	First  Place // of the first vertex: aggregators may be added to with it
	Values []V

	offsets graph.Offsets // of the arcs to send along: one more than vertices
	rows    graph.Offsets // of those to receive along
}

// OutDegree counts the arcs along which vertex i of the block sends.
func (b *Block[V]) OutDegree(i int) uint32 { return uint32(b.offsets.Degree(uint32(i))) }

// Place is that of vertex i of the block.
func (b *Block[V]) Place(i int) Place {
	at := b.First
	at.ID, at.OutDegree = at.ID+uint32(i), b.OutDegree(i)
	return at
}

// Offsets are those of the arcs along which the vertices of the block send: vertex i
// has Offsets().Degree(i) of them.
func (b *Block[V]) Offsets() graph.Offsets { return b.offsets }

// Got tells, in ApplyBlock, whether a message came to vertex i of the block.
func (b *Block[V]) Got(i int) bool { return b.rows.Degree(uint32(i)) > 0 }

// A corner is what one worker has of its own for the blocks that it does. A Block lies here
// and is handed on by its place: a copy of what has just been written bit by bit waits until
// all writes before have left the core, which was a tenth of PageRank's time on grids.
type corner[V, M any] struct {
	whole     Block[V]
	room      []M                // messages: as many as are gathered in one call
	before    []V                // values: as many
	degrees   *[BlockSize]uint32 // of the vertices of a block
	arguments *arguments[M]      // of calls for arcs; nil: there are none
	bundle    *bundle[M]         // of arcs for functions of many; nil: there are none
	rows      *Rows[M]           // of a Gatherer; nil: it is none
	ahead     int                // vertices whose next offers are made
	// Vertices that were sent to and have not been applied yet (edgewave.go).
	reached []uint32
	first   *firsts[M] // nil: the program is not of the kind of edgefirst.go
	asker   asker
	sweep   Sweep[V, M]
	seeker  seeker    // of the range that is pulled: one made for each was garbage
	_       [128]byte // two lines are fetched together
}

// makeCorners makes those of all workers.
func (t *edgeTask[V, M]) makeCorners(workers int) {
	size := BlockSize
	if t.byBlocks() {
		size = gatherSize
	}
	t.corners, t.rooms = make([]corner[V, M], workers), takeRooms(workers)
	for i := range t.corners {
		c := &t.corners[i]
		c.room, c.before, c.degrees = make([]M, size), make([]V, size), &t.rooms[i].degrees
		c.seeker.seekRoom = &t.rooms[i].seek
		if t.mode == byCalls {
			c.arguments = new(arguments[M])
		}
		if t.sweeps != nil {
			c.makeSweep()
		}
		if t.byMany() {
			c.bundle = new(bundle[M])
		}
		if t.byGather() {
			c.makeRows()
		}
		if t.firstComes() {
			c.first = new(firsts[M])
		}
	}
}

func (t *edgeTask[V, M]) blockOf(lo, n int, w *Worker) *Block[V] {
	b := &t.corners[w.Slot].whole
	w.At = uint32(lo)
	b.offsets, b.rows = t.offsets.Slice(w.At, n), graph.Offsets{}
	b.Values = t.values[lo:][:n]
	b.First = Place{ID: w.At, OutDegree: b.OutDegree(0), Superstep: w.Superstep, slot: int32(w.Slot)}
	return b
}

// emitBlocks is emitAll for a program that does blocks.
func (t *edgeTask[V, M]) emitBlocks(lo, hi uint32, w *Worker, offers []M) {
	defer func() {
		if thrown := recover(); thrown != nil {
			at := w.At
			t.emitAll(at, min(at+emitSize, hi), w, offers) // finds the vertex
			w.At = at
			panic(thrown)
		}
	}()
	for v := lo; v < hi; v += emitSize {
		n := int(min(emitSize, hi-v))
		t.blocks.EmitBlock(t.blockOf(int(v), n, w), offers[v:][:n])
	}
}

// applySet is applyEach for a program that does sets, and writes nobody's values but those of the set.
func (t *edgeTask[V, M]) applySet(lo int, set uint64, messages []M, w *Worker, b *block) {
	whole := t.blockOf(lo, len(messages), w)
	from := bits.TrailingZeros64(set) % BlockSize
	values := whole.Values[from:bits.Len64(set)]
	before := t.corners[w.Slot].before[:len(values)]
	copy(before, values)
	defer func() {
		if thrown := recover(); thrown != nil {
			copy(values, before)
			t.applyEach(lo, set, set, messages, w, b) // finds the vertex
			w.At = whole.First.ID
			panic(thrown)
		}
	}()
	b.awake, b.settled = t.sets.ApplySet(whole, set, messages)
	if t.settler == nil {
		b.settled = 0
	}
	w.Awake += uint64(bits.OnesCount64(b.awake))
	arcs := whole.offsets.Among(b.awake)
	w.AwakeArcs += arcs
	if b.settled != b.awake {
		arcs = whole.offsets.Among(b.settled)
	}
	w.DoneArcs += arcs
}

// initWhole is initBlock for a program that does blocks.
func (t *edgeTask[V, M]) initWhole(lo, n int, w *Worker, b *block) {
	whole := t.blockOf(lo, n, w)
	before := t.corners[w.Slot].before[:n]
	copy(before, whole.Values)
	defer func() {
		if thrown := recover(); thrown != nil {
			copy(whole.Values, before)
			t.initBlock(lo, n, w, b) // finds the vertex
			w.At = whole.First.ID
			panic(thrown)
		}
	}()
	b.awake, b.settled = t.inits.InitBlock(whole)
	if t.settler == nil {
		b.settled = 0
	}
	w.Awake += uint64(bits.OnesCount64(b.awake))
	w.AwakeArcs += whole.offsets.Among(b.awake)
	w.DoneArcs += whole.offsets.Among(b.settled)
}
