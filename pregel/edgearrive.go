package pregel

import (
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
// others are settled. Engines may then put that where it belongs while they send; package
// check compares.
//
// They do so with values of four or eight bytes in which Arrive writes the message as it
// is, if at all, beside something that no two supersteps have in common.
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
}

// A desk is what one worker writes: to clear it in each superstep would take as long as
// a short one.
type desk struct {
	parcels [2]parcel
	begins  [parcelSize]uint64 // of the rows of those reached
	// Vertices that are settled, but stand in no bit yet; lost: there were more than are
	// worth a list, and all vertices have to be looked at.
	unmarked []uint32
	lost     bool
	_        [64]byte
}

// prepareArrivals finds out whether the program is an Arriver, and of which kind.
func (t *edgeTask[V, M]) prepareArrivals(workers int) {
	p, ok := t.program.(Arriver[V, M])
	if !ok || !t.seeded.is || t.seeded.done || t.settler == nil || !t.forwards() || !mem.Swappable(t.values) {
		return
	}
	a := &arrivable{rest: wordOf(t.seeded.rest), desks: make([]desk, workers), most: t.g.N() / 16 / workers}
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

// reads finds where words have the message, by a few of them.
func (a *arrivable) reads(word func(int32, uint32) uint64, size int) bool {
	says := word(0, 1) != word(0, 0)
	for a.shift = 0; a.shift < size; a.shift += 32 {
		if a.message = 0; says {
			a.message = 0xffffffff << a.shift
		}
		good := (word(0, 0)^word(1, 0))&^a.message != 0
		for i := range uint32(70) {
			m := 1<<(i/2) - i%2 // 2^32 and beyond are 0
			for s := range int32(3) {
				x := word(s, m)
				good = good && x == word(s, 0)&^a.message|uint64(m)<<a.shift&a.message && x != a.rest
			}
		}
		if good {
			return true
		}
	}
	return false
}

// Arrive is Forward in any order, and beside other workers.
func (t *edgeTask[V, M]) Arrive(us []uint32, w *Worker) {
	t.arrive(row{c: t.sending[0], us: us}, w)
}

// ArrivePart is Arrive for arcs lo to hi of u.
func (t *edgeTask[V, M]) ArrivePart(u uint32, lo, hi uint64, w *Worker) {
	t.arrive(row{c: t.sending[0], u: u, at: lo, end: hi}, w)
}

func (t *edgeTask[V, M]) arrive(arcs row, w *Worker) {
	a, from := t.arrivals, len(w.Next)
	d := &a.desks[w.Slot]
	stamp := a.at(w.Superstep) &^ a.message
	if a.words32 != nil {
		f := wave[uint32]{uint32(a.rest), uint32(stamp), uint32(a.message), a.shift}
		f.send(a.words32, &arcs, d, w)
	} else {
		f := wave[uint64]{a.rest, stamp, a.message, a.shift}
		f.send(a.words64, &arcs, d, w)
	}
	d.note(w.Next[from:], a.most)
}

// A row is arcs to send along: those from at to end, of u, then all of vertices us.
type row struct {
	c       graph.CSR
	us      []uint32
	u       uint32
	at, end uint64
}

// A parcel is arcs by their ends. Its words are asked for one parcel ahead: a read that
// waits for memory holds up the atomic operations behind it, and those hold up each read
// behind them.
type parcel struct {
	n      int
	by, to [parcelSize]uint32
}

const parcelSize = 256

// fill takes the next arcs, and counts them.
func (p *parcel) fill(r *row) uint64 {
	n := 0
	for {
		if r.at == r.end {
			n = p.fillShort(r, n)
			if len(r.us) == 0 {
				break
			}
			r.u, r.us = r.us[0], r.us[1:]
			r.at, r.end = r.c.Offsets[r.u], r.c.Offsets[r.u+1]
		}
		vs := r.c.Targets[r.at:r.end]
		vs = vs[:min(len(vs), parcelSize-n)]
		to, by := p.to[n:][:len(vs)], p.by[n:][:len(vs)]
		for i, v := range vs {
			to[i], by[i] = v, r.u
		}
		r.at += uint64(len(vs))
		if n += len(vs); n == parcelSize {
			break
		}
	}
	p.n = n
	return uint64(n)
}

// fillShort takes the arcs of vertices that come next while each has few, behind n that
// are there, and returns how many are then. It copies a few for each, however many it has: what
// follows them is written over, and no branch is on where a row ends.
func (p *parcel) fillShort(r *row, n int) int {
	offsets, targets := r.c.Offsets, r.c.Targets
	for i, u := range r.us {
		at, end := offsets[u], offsets[u+1]
		if end-at > shortRow || at+shortRow > uint64(len(targets)) || n > parcelSize-shortRow {
			r.us = r.us[i:]
			return n
		}
		*(*[shortRow]uint32)(p.to[n:]) = *(*[shortRow]uint32)(targets[at:])
		*(*[shortRow]uint32)(p.by[n:]) = [shortRow]uint32{u, u, u, u}
		n += int(end - at)
	}
	r.us = nil
	return n
}

// shortRow arcs are as many as one move copies.
const shortRow = 4

// A wave is how a superstep makes the words of those it reaches.
type wave[W uint32 | uint64] struct {
	rest, stamp W
	message     W // bits
	shift       int
}

// takes tells whether x is the word of a vertex to which a message that makes it next
// is the first to come, or the least so far: of words with the same stamp the lesser
// has the lesser message.
func (f *wave[W]) takes(x, next W) bool {
	return x == f.rest || (x^f.stamp)&^f.message == 0 && x > next
}

// send sends along arcs.
func (f wave[W]) send(words []W, arcs *row, d *desk, w *Worker) {
	now, then := &d.parcels[0], &d.parcels[1]
	w.Arcs += now.fill(arcs)
	mem.Prefetch(words, now.to[:now.n])
	for now.n > 0 {
		w.Arcs += then.fill(arcs)
		mem.Prefetch(words, then.to[:then.n])
		from := len(w.Next)
		if w.Alone {
			f.putAlone(words, now, w)
		} else {
			f.put(words, now, w)
		}
		w.reached(w.Next[from:], arcs.c, d.begins[:])
		now, then = then, now
	}
}

// put writes the words of a parcel.
func (f *wave[W]) put(words []W, p *parcel, w *Worker) {
	reached, swaps := w.Next, uint64(0)
	for i, v := range p.to[:p.n] {
		next := f.stamp | W(p.by[i])<<f.shift&f.message
		x := mem.Load(&words[v])
		for f.takes(x, next) && !mem.Swap(&words[v], x, next) {
			x = mem.Load(&words[v])
		}
		if !f.takes(x, next) {
			continue
		}
		swaps++
		if x == f.rest {
			reached = append(reached, v)
		}
	}
	w.Atomics += swaps
	w.Next = reached
}

// putAlone is put where nobody else is at work.
func (f *wave[W]) putAlone(words []W, p *parcel, w *Worker) {
	reached := w.Next
	for i, v := range p.to[:p.n] {
		next := f.stamp | W(p.by[i])<<f.shift&f.message
		x := words[v]
		if !f.takes(x, next) {
			continue
		}
		words[v] = next
		if x == f.rest {
			reached = append(reached, v)
		}
	}
	w.Next = reached
}

// reached counts the vertices that a parcel has reached, and asks for their rows, along
// which they will send. There is room for where those begin.
func (w *Worker) reached(vs []uint32, c graph.CSR, room []uint64) {
	begins, arcs := room[:len(vs)], uint64(0)
	for i, v := range vs {
		begins[i] = c.Offsets[v]
		arcs += c.Offsets[v+1] - c.Offsets[v]
	}
	mem.PrefetchAt(c.Targets, begins)
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
	if t.arrivals == nil {
		return
	}
	desks := t.arrivals.desks
	for i := range desks {
		if desks[i].lost {
			t.markAll()
			break
		}
	}
	for i := range desks {
		d := &desks[i]
		for _, v := range d.unmarked {
			t.settled.Set(v)
		}
		d.unmarked, d.lost = d.unmarked[:0], false
	}
}

// markAll does so by a look at all vertices.
func (t *edgeTask[V, M]) markAll() {
	parallel.Range(t.setup.slots, t.g.N(), 1<<14, func(_, lo, hi int) {
		for i := lo / BlockSize; i < (hi+BlockSize-1)/BlockSize; i++ {
			if a := t.arrivals; a.words32 != nil {
				t.settled[i] = others(a.words32, uint32(a.rest), i)
			} else {
				t.settled[i] = others(a.words64, a.rest, i)
			}
		}
	})
}

// others is which words of block i are not the given one.
func others[W uint32 | uint64](words []W, rest W, i int) uint64 {
	var set uint64
	for k, x := range words[i*BlockSize : min((i+1)*BlockSize, len(words))] {
		if x != rest {
			set |= 1 << k
		}
	}
	return set
}
