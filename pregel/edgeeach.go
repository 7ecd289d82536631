package pregel

import (
	"math/bits"

	"gopregel/pregel/graph"
)

// This file calls a program's functions for many vertices of a block, one by one. Around a call
// nothing stays in registers: so what is known for all of the block, such as who has a message,
// or can be found out afterwards, such as how many arcs the awake ones have, is not found out
// between calls.

// applyBlock is apply for the vertices from lo on, one for each message, of a program without hints
// on its values, who receive along these rows.
func (t *edgeTask[V, M]) applyBlock(lo int, w *Worker, messages []M, rows graph.Offsets, b *block) {
	n := len(messages)
	run := ^uint64(0) >> (BlockSize - n)
	got := run &^ rows.Empty()
	if !t.spec.Silent {
		run = got
	}
	t.applyEach(lo, run, got, messages, w, b)
}

// applyEach is apply for the vertices run, as bits, of the block from lo on, who have messages
// at the same places if they are of got. It is for programs without priorities that send along one
// CSR.
func (t *edgeTask[V, M]) applyEach(lo int, run, got uint64, messages []M, w *Worker, b *block) {
	n, rows := len(messages), t.offsets.Slice(uint32(lo), len(messages))
	values, degrees, awakes := t.values[lo:][:n], t.degreesOf(rows, run, w), uint64(0)
	at := Place{ID: uint32(lo), Superstep: w.Superstep, slot: int32(w.Slot)}
	if run == ^uint64(0) {
		awakes = applyAll(t.combine, at, (*[BlockSize]V)(values), (*[BlockSize]M)(messages), (*[BlockSize]uint32)(degrees), got, w)
	} else {
		awakes = applyThose(t.combine, at, values, messages, degrees, run, got, w)
	}
	t.keep(run, awakes, values, rows, w, b)
}

// keep notes who of the vertices run of a block is awake, and who has settled.
func (t *edgeTask[V, M]) keep(run, awake uint64, values []V, rows graph.Offsets, w *Worker, b *block) {
	b.awake |= awake
	arcs := rows.Among(awake)
	w.Awake += uint64(bits.OnesCount64(awake))
	w.AwakeArcs += arcs
	if t.settler == nil {
		return
	}
	asked := t.asks()
	settled := asked.among(values, run)
	b.settled |= settled
	if settled != awake {
		arcs = rows.Among(settled)
	}
	w.DoneArcs += arcs
}

// applyAll calls Apply for a block of vertices, the first at, who have messages if they are of got, and
// tells who is awake.
//
//go:noinline
func applyAll[V, M any](program EdgeProgram[V, M], at Place, values *[BlockSize]V, messages *[BlockSize]M, degrees *[BlockSize]uint32, got uint64, w *Worker) (awake uint64) {
	_, _ = values[0], messages[0] // or it would be asked before each call whether they are there
	for k := range BlockSize {
		at.OutDegree, w.At = degrees[k], at.ID
		value, wakes := program.Apply(Vertex[V]{at, values[k]}, messages[k], got&1 != 0)
		values[k] = value
		at.ID++
		got >>= 1
		awake >>= 1
		if wakes {
			awake |= 1 << (BlockSize - 1)
		}
	}
	return awake
}

// applyThose is applyAll for those of some vertices that are in run.
//
//go:noinline
func applyThose[V, M any](program EdgeProgram[V, M], at Place, values []V, messages []M, degrees []uint32, run, got uint64, w *Worker) (awake uint64) {
	first := at.ID
	for ; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		at.ID, at.OutDegree = first+uint32(k), degrees[k]
		w.At = at.ID
		value, wakes := program.Apply(Vertex[V]{at, values[k]}, messages[k], got>>k&1 != 0)
		values[k] = value
		if wakes {
			awake |= run & -run
		}
	}
	return awake
}

// initBlock is Init for n vertices from lo on, of a program as for applyEach.
func (t *edgeTask[V, M]) initBlock(lo, n int, w *Worker, b *block) {
	program, values, rows := t.program, t.values[lo:][:n], t.offsets.Slice(uint32(lo), n)
	degrees, awakes := rows.Degrees(t.corners[w.Slot].degrees[:]), uint64(0)
	at := Place{ID: uint32(lo), Superstep: w.Superstep, slot: int32(w.Slot)}
	for k, value := range values {
		at.OutDegree, w.At = degrees[k], at.ID
		value, awake := program.Init(Vertex[V]{at, value})
		values[k] = value
		if at.ID++; awake {
			awakes |= 1 << k
		}
	}
	t.keep(^uint64(0)>>(BlockSize-n), awakes, values, rows, w, b)
}

// emitAll makes the offers of the vertices from lo to hi, who send along one CSR.
func (t *edgeTask[V, M]) emitAll(lo, hi uint32, w *Worker, offers []M) {
	for lo < hi {
		n := min(BlockSize, hi-lo)
		t.emitFull(int(lo), w, offers[lo:][:n])
		lo += n
	}
}

// emitFull is emitAll for up to a block of vertices.
func (t *edgeTask[V, M]) emitFull(lo int, w *Worker, offers []M) {
	n, program := len(offers), t.program
	degrees := t.offsets.Slice(uint32(lo), n).Degrees(t.corners[w.Slot].degrees[:])
	at := Place{ID: uint32(lo), Superstep: w.Superstep, slot: int32(w.Slot)}
	for k, value := range t.values[lo:][:n] {
		at.OutDegree, w.At = degrees[k], at.ID
		offers[k] = program.Emit(Vertex[V]{at, value})
		at.ID++
	}
}

// degreesOf are the numbers of arcs of rows, or of those in run alone if that are few.
func (t *edgeTask[V, M]) degreesOf(rows graph.Offsets, run uint64, w *Worker) []uint32 {
	n := rows.Len() - 1
	degrees := t.corners[w.Slot].degrees[:n]
	if bits.OnesCount64(run) > n/4 {
		return rows.Degrees(degrees)
	}
	for ; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		degrees[k] = uint32(rows.Degree(uint32(k)))
	}
	return degrees
}
