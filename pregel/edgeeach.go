package pregel

import (
	"math/bits"

	"gopregel/pregel/graph"
)

// This file calls a program's functions for many vertices of a block, one by one. Around a call
// nothing stays in registers: so what is known for all of the block, such as who has a message,
// or can be found out afterwards, such as how many arcs the awake ones have, is not found out
// between calls.

// applyBlock applies to the vertices from lo on, one for each message, who receive along these rows.
func (t *edgeTask[V, M]) applyBlock(lo int, w *Worker, messages []M, rows graph.Offsets, b *block) {
	n := len(messages)
	run := ^uint64(0) >> (BlockSize - n)
	got := run &^ rows.Empty()
	if !t.spec.Silent {
		run = got
	}
	t.applyEach(lo, run, got, messages, w, b)
}

// applyEach applies to the vertices run, as bits, of the block from lo on, who have messages
// at the same places if they are of got. Nothing is noted in b yet.
func (t *edgeTask[V, M]) applyEach(lo int, run, got uint64, messages []M, w *Worker, b *block) {
	n := len(messages)
	values, degrees, kept := t.values[lo:][:n], t.degreesOf(lo, n, run, w), false
	at, sweep := Place{ID: uint32(lo), Superstep: w.Superstep, slot: int32(w.Slot)}, t.sweep(lo, n, run, w)
	defer func() {
		if !kept {
			t.failed(lo, run, sweep, w, b)
		}
	}()
	switch {
	case t.own != nil:
		b.awake = t.absorb(lo, run, messages, w)
	case sweep != nil:
		sweep.Messages, sweep.got = messages, got
		t.sweeps.ApplySweep(sweep)
		b.awake = sweep.woken()
	case run == ^uint64(0):
		applyAll(t.combine, at, (*[BlockSize]V)(values), (*[BlockSize]M)(messages), (*[BlockSize]uint32)(degrees), got, w, b)
	default:
		applyThose(t.combine, at, values, messages, degrees, run, got, w, b)
	}
	t.keep(lo, run, values, w, b)
	kept = true
}

// applyGot is applyEach, or what is best where all of run have a message.
func (t *edgeTask[V, M]) applyGot(lo int, run, got uint64, messages []M, w *Worker, b *block) {
	if run == got {
		t.applySome(lo, got, messages, w, b)
	} else {
		t.applyEach(lo, run, got, messages, w, b)
	}
}

// applyBoxes applies to the vertices run of the block from lo on, and empties their boxes, in which
// those of got have a message.
func (t *edgeTask[V, M]) applyBoxes(lo int, run, got uint64, w *Worker, b *block) {
	if run == 0 {
		return
	}
	boxes, id := t.boxes[lo:min(lo+BlockSize, len(t.boxes))], t.spec.Combine.Identity
	t.applyGot(lo, run, got&run, boxes, w, b)
	for ; run != 0; run &= run - 1 {
		boxes[bits.TrailingZeros64(run)] = id
	}
}

// keep notes what becomes of the vertices run of the block from lo on, of whom those awake are
// known: who of these waits, and who has settled.
func (t *edgeTask[V, M]) keep(lo int, run uint64, values []V, w *Worker, b *block) {
	if t.orderer != nil {
		for set := b.awake; set != 0; set &= set - 1 {
			k := bits.TrailingZeros64(set)
			w.At = uint32(lo + k)
			if t.orderer.Priority(values[k]) > t.current {
				b.waiting |= set & -set
			}
		}
		b.awake &^= b.waiting
	}
	arcs := t.arcsOf(lo, len(values), b.awake)
	w.Awake += uint64(bits.OnesCount64(b.awake))
	w.AwakeArcs += arcs
	if t.settler == nil {
		return
	}
	asked := t.asks()
	b.settled = asked.among(lo, run, values, w)
	if b.settled != b.awake {
		arcs = t.arcsOf(lo, len(values), b.settled)
	}
	w.DoneArcs += arcs
}

// failed asks in their order about the vertices run up to the one that a call has failed at: if one
// fails before, that is the one to be named.
func (t *edgeTask[V, M]) failed(lo int, run uint64, sweep *Sweep[V, M], w *Worker, b *block) {
	at := w.At
	if sweep != nil {
		b.awake |= sweep.woken()
	}
	for run &= 2<<(int(at)-lo) - 1; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		w.At = uint32(lo + k)
		if t.orderer != nil && (b.awake|b.waiting)>>k&1 != 0 {
			t.orderer.Priority(t.values[w.At])
		}
		if t.settler != nil && w.At < at {
			t.settler.Settled(t.values[w.At])
		}
	}
	w.At = at
}

// arcsOf counts the arcs along which those of n vertices from lo on send that are in set.
func (t *edgeTask[V, M]) arcsOf(lo, n int, set uint64) (arcs uint64) {
	if set == 0 {
		return 0
	}
	for _, c := range t.sending {
		arcs += c.Offsets.Slice(uint32(lo), n).Among(set)
	}
	return arcs
}

// applyAll calls Apply for a block of vertices, the first at, who have messages if they are of got, and
// notes who is awake.
//
//go:noinline
func applyAll[V, M any](program EdgeProgram[V, M], at Place, values *[BlockSize]V, messages *[BlockSize]M, degrees *[BlockSize]uint32, got uint64, w *Worker, b *block) {
	_, _ = values[0], messages[0] // or it would be asked before each call whether they are there
	for k := range BlockSize {
		at.OutDegree, w.At = degrees[k], at.ID
		value, awake := program.Apply(Vertex[V]{at, values[k]}, messages[k], got>>k&1 != 0)
		values[k] = value
		if at.ID++; awake {
			b.awake |= 1 << k
		}
	}
}

// applyThose is applyAll for those of some vertices that are in run.
//
//go:noinline
func applyThose[V, M any](program EdgeProgram[V, M], at Place, values []V, messages []M, degrees []uint32, run, got uint64, w *Worker, b *block) {
	first := at.ID
	for ; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		at.ID, at.OutDegree = first+uint32(k), degrees[k]
		w.At = at.ID
		value, awake := program.Apply(Vertex[V]{at, values[k]}, messages[k], got>>k&1 != 0)
		if values[k] = value; awake {
			b.awake |= run & -run
		}
	}
}

// initBlock is Init for n vertices from lo on.
func (t *edgeTask[V, M]) initBlock(lo, n int, w *Worker, b *block) {
	program, values, all, kept := t.program, t.values[lo:][:n], ^uint64(0)>>(BlockSize-n), false
	degrees, sweep := t.degreesOf(lo, n, all, w), t.sweep(lo, n, all, w)
	defer func() {
		if !kept {
			t.failed(lo, all, sweep, w, b)
		}
	}()
	if sweep != nil {
		t.sweeps.InitSweep(sweep)
		b.awake = sweep.woken()
	} else {
		initEach(program, Place{ID: uint32(lo), Superstep: w.Superstep, slot: int32(w.Slot)}, values, degrees, w, b)
	}
	t.keep(lo, all, values, w, b)
	kept = true
}

// initEach calls Init for vertices, the first at, and notes who is awake.
func initEach[V, M any](program sender[V, M], at Place, values []V, degrees []uint32, w *Worker, b *block) {
	for k, value := range values {
		at.OutDegree, w.At = degrees[k], at.ID
		value, awake := program.Init(Vertex[V]{at, value})
		values[k] = value
		if at.ID++; awake {
			b.awake |= 1 << k
		}
	}
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
	if t.own != nil {
		copy(offers, t.own[lo:])
		return
	}
	degrees := t.offsets.Slice(uint32(lo), n).Degrees(t.corners[w.Slot].degrees[:])
	if s := t.sweep(lo, n, ^uint64(0)>>(BlockSize-n), w); s != nil {
		s.Offers = offers
		t.sweeps.EmitSweep(s)
		return
	}
	at := Place{ID: uint32(lo), Superstep: w.Superstep, slot: int32(w.Slot)}
	for k, value := range t.values[lo:][:n] {
		at.OutDegree, w.At = degrees[k], at.ID
		offers[k] = program.Emit(Vertex[V]{at, value})
		at.ID++
	}
}

// degreesOf are the numbers of arcs along which the n vertices from lo on send, or those in run
// alone if these are few.
func (t *edgeTask[V, M]) degreesOf(lo, n int, run uint64, w *Worker) []uint32 {
	degrees := t.corners[w.Slot].degrees[:n]
	if len(t.sending) == 1 && bits.OnesCount64(run) > n/4 {
		return t.offsets.Slice(uint32(lo), n).Degrees(degrees)
	}
	for ; run != 0; run &= run - 1 {
		k := bits.TrailingZeros64(run)
		degrees[k] = uint32(t.degree(uint32(lo + k)))
	}
	return degrees
}
