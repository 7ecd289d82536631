package pregel

import (
	"slices"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// This file sends and applies in one for an Arriver, by any number of workers and in
// any order: who reaches a vertex swaps its value from that of the rest, and who
// comes later in the same superstep with a lesser message lowers it. So the value
// itself is the box of messages, and there is nothing to put in order, to mark or to
// exchange. A breadth-first search on a grid takes a third longer by edgeforward.go.
//
// Invariant: between two supersteps a value is that of the rest, or what Arrive gives
// for the superstep that has reached the vertex and the least message of it.

// An Arriver is an edge program whose vertices are reached once, as those of a
// breadth-first search are. It is a Seeder, and a Settler, and combines SourceID by Min
// or, where messages say nothing, by any; a vertex that has the value of the rest
// takes, awake and settled, the value that Arrive gives for its first messages, and all
// others are settled. Engines may then put that where it belongs while they send or pull;
// package check compares.
//
// They do so with values of four or eight bytes in which Arrive writes the message as it
// is, if at all, beside something that no two supersteps have in common, and not if the program
// has aggregators.
type Arriver[V, M any] interface {
	EdgeProgram[V, M]
	// Arrive returns what Apply gives for a vertex with the value of the rest.
	Arrive(superstep int32, message M) V
}

// arrivable is the values of an Arriver as words, and how Arrive makes one.
type arrivable struct {
	words32 []uint32 // either these
	words64 []uint64 // or those
	rest    uint64
	at      func(superstep int32) (stamp uint64) // the word of message 0
	message uint64                               // the bits in which a word has the message; none: it has not
	shift   int                                  // of it
	desks   []desk                               // by worker
	most    int                                  // vertices unmarked that are worth a list
	stale   bool                                 // a range of vertices is marked by who pulls it
}

// A desk is what one worker writes: to clear it in each superstep would take as long as
// a short one.
type desk struct {
	begins *[reachedAtOnce]uint64 // of the rows of those reached
	// Vertices that are settled, but stand in no bit yet; lost: there were more than are
	// worth a list, and all vertices have to be looked at.
	unmarked []uint32
	lost     bool
	_        [64]byte
}

const (
	reachedAtOnce = 256 // vertices that are counted together
	rowsAtOnce    = 64  // after which those reached are
)

// prepareArrivals finds out whether the program is an Arriver, and of which kind.
func (t *edgeTask[V, M]) prepareArrivals(workers int) {
	p, ok := t.program.(Arriver[V, M])
	if !ok || !t.seeded.is || t.seeded.done || t.settler == nil || !t.forwards() || !mem.Swappable(t.values) {
		return
	}
	if len(t.setup.aggregators) > 0 { // to which Apply may add
		return
	}
	a := &arrivable{rest: wordOf(t.seeded.rest), desks: make([]desk, workers), most: t.g.N() / 16 / workers}
	for i := range a.desks {
		a.desks[i].begins = &t.rooms[i].begins
	}
	word := func(superstep int32, message uint32) uint64 {
		x, _ := t.spec.Edge.along(t.spec.Combine.Identity, message, 0, 0)
		return wordOf(p.Arrive(superstep, x))
	}
	if !a.reads(word, mem.Size[V]()*8) {
		return
	}
	a.at = func(superstep int32) uint64 { return word(superstep, 0) }
	if mem.Size[V]() == 4 {
		a.words32 = mem.View[uint32](mem.Raw(t.values))
	} else {
		a.words64 = mem.View[uint64](mem.Raw(t.values))
	}
	t.arrivals = a
}

// wordOf returns the bits of a value of four or eight bytes.
func wordOf[V any](x V) uint64 {
	b := mem.Raw([]V{x})
	if len(b) == 4 {
		return uint64(mem.View[uint32](b)[0])
	}
	return mem.View[uint64](b)[0]
}

// reads finds where words of so many bits have the message, by a few of them.
func (a *arrivable) reads(word func(superstep int32, message uint32) uint64, size int) bool {
	stamps := []uint64{word(0, 0), word(1, 0), word(2, 0)}
	says := word(0, 1) != stamps[0]
	for a.shift = 0; a.shift < size; a.shift += 32 {
		if a.message = 0; says {
			a.message = 0xffffffff << a.shift
		}
		if a.holds(word, stamps) {
			return true
		}
	}
	return false
}

// holds tells whether words have the message there, beside it the stamp of the superstep, by which they are not
// that of the rest: whoever had it would not be seen to be reached.
func (a *arrivable) holds(word func(superstep int32, message uint32) uint64, stamps []uint64) bool {
	if (stamps[0]^stamps[1])&^a.message == 0 {
		return false
	}
	for _, stamp := range stamps {
		if (stamp^a.rest)&^a.message == 0 {
			return false
		}
	}
	for i := range uint32(70) {
		m, s := uint32(1<<(i/2)-i%2), i%uint32(len(stamps)) // 2^32 and beyond are 0
		if x := word(int32(s), m); x != stamps[s]&^a.message|uint64(m)<<a.shift&a.message {
			return false
		}
	}
	return true
}

// Arrive is Forward in any order, and beside other workers.
func (t *edgeTask[V, M]) Arrive(us []uint32, w *Worker) {
	if t.arrivals == nil {
		t.arriveWave(us, w)
		return
	}
	a, c, from := t.arrivals, t.sending[0], len(w.Next)
	d := &a.desks[w.Slot]
	if a.words32 != nil {
		sendRows(a.words32, waveOf[uint32](a, w.Superstep), c, us, d, w)
	} else {
		sendRows(a.words64, waveOf[uint64](a, w.Superstep), c, us, d, w)
	}
	d.note(w.Next[from:], a.most)
}

// ArrivePart is Arrive for arcs lo to hi of u.
func (t *edgeTask[V, M]) ArrivePart(u uint32, lo, hi uint64, w *Worker) {
	if t.arrivals == nil {
		t.arriveWavePart(u, lo, hi, w)
		return
	}
	a, c, from := t.arrivals, t.sending[0], len(w.Next)
	d, vs := &a.desks[w.Slot], c.Targets[lo:hi]
	if a.words32 != nil {
		sendRow(a.words32, waveOf[uint32](a, w.Superstep), u, vs, w)
	} else {
		sendRow(a.words64, waveOf[uint64](a, w.Superstep), u, vs, w)
	}
	w.reached(w.Next[from:], c, d)
	d.note(w.Next[from:], a.most)
}

// waveOf is how a superstep makes the words of those it reaches.
func waveOf[W uint32 | uint64](a *arrivable, superstep int32) mem.Wave[W] {
	return mem.Wave[W]{Rest: W(a.rest), Stamp: W(a.at(superstep) &^ a.message), Message: W(a.message), Shift: a.shift}
}

// sendRows sends along the rows of us: some together, and one here where those end.
func sendRows[W uint32 | uint64](words []W, f mem.Wave[W], c graph.CSR, us []uint32, d *desk, w *Worker) {
	arcs := mem.Arcs{Offsets: c.Offsets, Targets: c.Targets}
	for len(us) > 0 {
		from := len(w.Next)
		w.Next = slices.Grow(w.Next, rowsAtOnce*arriveRoom)
		got := mem.ReachRows(words, f, arcs, us, rowsAtOnce, w.Next[from:cap(w.Next)], w.Alone)
		w.Next = w.Next[:from+int(got.Next)]
		w.Arcs += got.Arcs
		if us = us[got.Rows:]; got.Rows == 0 {
			sendRow(words, f, us[0], c.Neighbors(us[0]), w)
			us = us[1:]
		}
		w.reached(w.Next[from:], c, d)
	}
}

// arriveRoom is for how many arcs of a vertex, in the mean, there is room at least.
const arriveRoom = 16

// sendRow sends u along the arcs to vs.
func sendRow[W uint32 | uint64](words []W, f mem.Wave[W], u uint32, vs []uint32, w *Worker) {
	reached, next := w.Next, f.Word(u)
	for _, v := range vs {
		x := mem.Load(&words[v])
		for f.Takes(x, next) && !mem.Swap(&words[v], x, next) {
			x = mem.Load(&words[v])
		}
		if !f.Takes(x, next) {
			continue
		}
		if x == f.Rest {
			reached = append(reached, v)
		}
	}
	w.Arcs += uint64(len(vs))
	w.Next = reached
}

// reached counts vertices that have been reached, and asks for their rows, along
// which they will send.
func (w *Worker) reached(vs []uint32, c graph.CSR, d *desk) {
	arcs := uint64(0)
	for some := range slices.Chunk(vs, reachedAtOnce) {
		begins := d.begins[:len(some)]
		for i, v := range some {
			begin, end := c.Offsets.Row(v)
			begins[i] = begin + freshArc
			arcs += end - begin
		}
		mem.PrefetchAt(c.Targets, begins)
	}
	w.Awake += uint64(len(vs))
	w.AwakeArcs += arcs
	w.DoneArcs += arcs
}

// note keeps, until bits are asked for, whom its worker has reached.
func (d *desk) note(vs []uint32, most int) {
	if d.lost = d.lost || len(d.unmarked)+len(vs) > most; !d.lost {
		d.unmarked = append(d.unmarked, vs...)
	}
}

// markSettled brings the bits of who is settled up to date.
func (t *edgeTask[V, M]) markSettled() {
	if t.arrivals != nil && t.arrivals.empty(t.settled) {
		parallel.Range(t.setup.slots, t.g.N(), markPiece, func(_, lo, hi int) { t.markRange(uint32(lo), uint32(hi)) })
	}
}

// markByPull is markSettled for a superstep that pulls every range: whoever pulls one
// looks at its values first, if all have to be looked at.
func (t *edgeTask[V, M]) markByPull() {
	if t.arrivals != nil {
		t.arrivals.stale = t.arrivals.empty(t.settled)
	}
}

// markPiece is how many vertices are worth another worker, who is woken for them.
const markPiece = 1 << 18

// empty empties the desks, into the bits of who is settled, and tells whether all vertices
// have to be looked at for those. Nothing is stale then.
func (a *arrivable) empty(settled bitmap.Bitmap) (lost bool) {
	a.stale = false
	for i := range a.desks {
		d := &a.desks[i]
		for _, v := range d.unmarked {
			settled.Set(v)
		}
		lost = lost || d.lost
	}
	a.marked()
	return lost
}

// marked says that all bits of who is settled are up to date, so that nobody need look again.
func (a *arrivable) marked() {
	for i := range a.desks {
		a.desks[i].unmarked, a.desks[i].lost = a.desks[i].unmarked[:0], false
	}
}

// markRange makes the bits of the vertices from lo to hi by their values.
func (t *edgeTask[V, M]) markRange(lo, hi uint32) {
	a := t.arrivals
	for i := int(lo / BlockSize); i < int((hi+BlockSize-1)/BlockSize); i++ {
		if a.words32 != nil {
			t.settled[i] = mem.Unlike(ofBlock(a.words32, i), uint32(a.rest))
		} else {
			t.settled[i] = mem.Unlike(ofBlock(a.words64, i), a.rest)
		}
	}
}

func ofBlock[W any](words []W, i int) []W {
	return words[i*BlockSize : min((i+1)*BlockSize, len(words))]
}
