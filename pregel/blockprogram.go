package pregel

import "math/bits"

// A BlockProgram is an edge program that can do a block of vertices in one call.
// Where vertices have few arcs the calls of Emit and Apply are most of a
// superstep's time. An engine calls these instead where it suits, so they must do
// what Emit and Apply do for each vertex, to the last bit; package check compares.
type BlockProgram[V, M any] interface {
	EdgeProgram[V, M]
	// EmitBlock stores in offers what Emit gives for each vertex of the block.
	EmitBlock(b Block[V], offers []M)
	// ApplyBlock stores in b.Values what Apply gives for each vertex of the block, and
	// tells who is awake: bit i is vertex i of the block.
	ApplyBlock(b Block[V], messages []M) (awake uint64)
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
	ApplySet(b Block[V], set uint64, messages []M) (awake, settled uint64)
}

// A Block is up to BlockSize vertices in a row.
type Block[V any] struct {
	First  Place // of the first vertex: aggregators may be added to with it
	Values []V

	offsets []uint64 // of the arcs to send along: one more than vertices
	bounds  []uint64 // of those to receive along
}

// OutDegree counts the arcs along which vertex i of the block sends.
func (b *Block[V]) OutDegree(i int) uint32 { return uint32(b.offsets[i+1] - b.offsets[i]) }

// Got tells, in ApplyBlock, whether a message came to vertex i of the block.
func (b *Block[V]) Got(i int) bool { return b.bounds[i] < b.bounds[i+1] }

func (t *edgeTask[V, M]) blockOf(lo, n int, w *Worker) Block[V] {
	offsets := t.offsets[lo:][:n+1]
	w.At = uint32(lo)
	at := Place{ID: w.At, OutDegree: uint32(offsets[1] - offsets[0]), Superstep: w.Superstep, slot: int32(w.Slot)}
	return Block[V]{First: at, Values: t.values[lo:][:n], offsets: offsets}
}

// emitBlocks is emitAll for a program that does blocks.
func (t *edgeTask[V, M]) emitBlocks(lo, hi uint32, w *Worker) {
	defer func() {
		if thrown := recover(); thrown != nil {
			at := w.At
			t.emitAll(at, min(at+BlockSize, hi), w) // finds the vertex
			w.At = at
			panic(thrown)
		}
	}()
	for v := lo; v < hi; v += BlockSize {
		n := int(min(BlockSize, hi-v))
		t.blocks.EmitBlock(t.blockOf(int(v), n, w), t.offers[v:][:n])
	}
}

// applyWhole is applyBlock for a program that does blocks, if there is somebody to
// apply to at each vertex.
func (t *edgeTask[V, M]) applyWhole(lo int, w *Worker, messages []M, bounds []uint64, b *block) {
	whole := t.blockOf(lo, len(messages), w)
	whole.bounds = bounds
	before := t.before[w.Slot][:len(messages)]
	copy(before, whole.Values)
	defer func() {
		if thrown := recover(); thrown != nil {
			copy(whole.Values, before)
			t.applyBlock(lo, w, messages, bounds, b) // finds the vertex
			w.At = whole.First.ID
			panic(thrown)
		}
	}()
	b.awake = t.blocks.ApplyBlock(whole, messages)
	w.Awake += uint64(bits.OnesCount64(b.awake))
	w.AwakeArcs += whole.arcs(b.awake)
}

// applySet is applyEach for a program that does sets.
func (t *edgeTask[V, M]) applySet(lo int, set uint64, messages []M, w *Worker, b *block) {
	whole := t.blockOf(lo, len(messages), w)
	before := t.before[w.Slot][:len(messages)]
	copy(before, whole.Values)
	defer func() {
		if thrown := recover(); thrown != nil {
			copy(whole.Values, before)
			t.applyEach(lo, set, messages, w, b) // finds the vertex
			w.At = whole.First.ID
			panic(thrown)
		}
	}()
	b.awake, b.settled = t.sets.ApplySet(whole, set, messages)
	w.Awake += uint64(bits.OnesCount64(b.awake))
	arcs := whole.arcs(b.awake)
	w.AwakeArcs += arcs
	if b.settled != b.awake {
		arcs = whole.arcs(b.settled)
	}
	w.DoneArcs += arcs
}

// arcs counts the arcs along which the vertices of a set send.
func (b *Block[V]) arcs(set uint64) (sum uint64) {
	if n := len(b.Values); set == ^uint64(0)>>(BlockSize-n) {
		return b.offsets[n] - b.offsets[0]
	}
	for ; set != 0; set &= set - 1 {
		sum += uint64(b.OutDegree(bits.TrailingZeros64(set)))
	}
	return sum
}

func hasEmptyRow(bounds []uint64) bool {
	for i := range len(bounds) - 1 {
		if bounds[i] == bounds[i+1] {
			return true
		}
	}
	return false
}
