package pregel

import (
	"iter"
	"math/bits"

	"gopregel/pregel/mem"
)

// A SweepProgram is an edge program that brings loops over its own functions, one line each:
//
//	func (p Ranks) InitSweep(s *pregel.Sweep[float64, float64]) {
//		for i, v := range s.Vertices() {
//			s.Values[i], s.Awake[i] = p.Init(v)
//		}
//	}
//
//	func (p Ranks) EmitSweep(s *pregel.Sweep[float64, float64]) {
//		for i, v := range s.Vertices() {
//			s.Offers[i] = p.Emit(v)
//		}
//	}
//
//	func (p Ranks) ApplySweep(s *pregel.Sweep[float64, float64]) {
//		for i, v := range s.Vertices() {
//			s.Values[i], s.Awake[i] = p.Apply(v, s.Messages[i], s.Got(i))
//		}
//	}
//
// An engine was compiled before the program, and calls a function of it by way of an interface for each
// vertex, which takes longer than most functions do. Here the compiler knows which function that is, and
// puts it into the loop. Engines call these where they would call the function for several vertices of a
// block. They must do what it does for each vertex, and no more; what is added to aggregators, and the
// vertex that a panic names, are as without them. Package check compares. Cost: a call for a block, and
// as much as some calls to begin it, which is why few vertices of a block are not swept.
//
// A type in which a SweepProgram is embedded has its sweeps, and they call the functions of what is
// embedded: who declares one of these anew declares the sweep anew, too.
type SweepProgram[V, M any] interface {
	EdgeProgram[V, M]
	// InitSweep stores in Values and Awake what Init gives.
	InitSweep(s *Sweep[V, M])
	// EmitSweep stores in Offers what Emit gives.
	EmitSweep(s *Sweep[V, M])
	// ApplySweep stores in Values and Awake what Apply gives.
	ApplySweep(s *Sweep[V, M])
}

// A Sweep is some vertices of a block; that of number i has its value in Values[i], and so on. It is
// good until the call returns.
type Sweep[V, M any] struct {
	Values   []V    // of all of the block
	Offers   []M    // likewise, in EmitSweep
	Messages []M    // in ApplySweep: the combiner's identity at who of those swept has none
	Awake    []bool // in InitSweep and ApplySweep

	at      Place   // of the first vertex of the block, but for its degree
	list    []uint8 // numbers of who is swept
	got     uint64  // who has a message, as bits
	worker  *Worker
	room    *sweepRoom
	degrees *[BlockSize]uint32
}

// sweepRoom is what slices of a sweep lie in.
type sweepRoom struct {
	numbers numbers
	awake   [BlockSize]bool
}

// numbers lists vertices of a block by their numbers in it.
type numbers struct{ all, some [BlockSize]uint8 } // all: 0, 1, …

func (l *numbers) begin() {
	for i := range l.all {
		l.all[i] = uint8(i)
	}
}

// of lists the vertices run, as bits, of the n of a block.
func (l *numbers) of(run uint64, n int) []uint8 {
	if run == ^uint64(0)>>(BlockSize-n) {
		return l.all[:n]
	}
	list := l.some[:0]
	for ; run != 0; run &= run - 1 {
		list = append(list, uint8(bits.TrailingZeros64(run)))
	}
	return list
}

// Vertices are those to call the function for, each with its number.
func (s *Sweep[V, M]) Vertices() iter.Seq2[int, Vertex[V]] {
	return func(yield func(int, Vertex[V]) bool) {
		at, values, degrees, worker := s.at, s.Values, s.degrees, s.worker
		first := at.ID
		for _, k := range s.list {
			i := int(k % BlockSize)
			at.ID, at.OutDegree = first+uint32(i), degrees[i]
			worker.At = at.ID
			if !yield(i, Vertex[V]{at, values[i]}) {
				return
			}
		}
	}
}

// Got tells, in ApplySweep, whether vertex i has a message.
func (s *Sweep[V, M]) Got(i int) bool { return s.got>>(i%BlockSize)&1 != 0 }

// fewSwept vertices are not worth a sweep.
const fewSwept = 8

// sweep begins a sweep of the vertices run, as bits, of the n from lo on, whose degrees are in the
// worker's corner; nil: the program has none, or is asked for nothing (Absorber), or they are too few.
func (t *edgeTask[V, M]) sweep(lo, n int, run uint64, w *Worker) *Sweep[V, M] {
	if t.sweeps == nil || t.own != nil || bits.OnesCount64(run) < fewSwept {
		return nil
	}
	w.At = uint32(lo) // a sweep may fail before its first vertex
	c := &t.corners[w.Slot]
	s, room := &c.sweep, c.sweep.room
	room.awake = [BlockSize]bool{}
	s.Values, s.Awake, s.list = t.values[lo:][:n], room.awake[:n], room.numbers.of(run, n)
	s.at, s.worker = Place{ID: uint32(lo), Superstep: w.Superstep, slot: int32(w.Slot)}, w
	return s
}

// woken is who is awake, as bits.
func (s *Sweep[V, M]) woken() uint64 { return mem.Bits(&s.room.awake) }

// makeSweep makes the room of a corner's sweep.
func (c *corner[V, M]) makeSweep() {
	c.sweep.room, c.sweep.degrees = new(sweepRoom), c.degrees
	c.sweep.room.numbers.begin()
}
