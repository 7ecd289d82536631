package pregel

import (
	"slices"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// This file sends and applies in one for programs that go through a graph level by level
// (edgelevel.go): when all that awake vertices offer is one, so is all that anyone is sent, and
// who is sent to first may be applied at once, by whoever sends to it, in any order. Whoever has
// been sent to is closed: its bit is that of settled vertices, until it turns out that it is none.
// There are no boxes, and nothing is marked or exchanged.
//
// All offers are made before anybody is applied: values are then those of the superstep before.
// Cost: a look at a bit for each arc, and an atomic operation for each vertex reached beside others.

// waves tells whether the program is one that this can be done for.
func (t *edgeTask[V, M]) waves() bool {
	return (t.level.offers != nil || t.firstComes()) && t.orderer == nil && !t.setup.ordered()
}

// Level makes the offers of all awake vertices, and tells whether they are one, or any message will do. If
// neither is so, Push sends them as they are: no offer is made twice.
func (t *edgeTask[V, M]) Level(us []uint32, w *Worker) bool {
	t.offersAhead() // those of no other superstep
	if t.firstComes() {
		t.offerFirst(us, w)
		return true
	}
	l := &t.level
	if t.beginLevel(); l.mixed || len(us) == 0 {
		return false
	}
	program, values, offsets := t.program, t.values, t.offsets
	at := Place{Superstep: w.Superstep, slot: int32(w.Slot)}
	for i, u := range us {
		at.ID, at.OutDegree = u, uint32(offsets.Degree(u))
		w.At = u
		x := program.Emit(Vertex[V]{at, values[u]})
		if i == 0 {
			l.message = x
		}
		if !mem.Same(x, l.message) {
			t.hold(us, i, x, w)
			return false
		}
	}
	l.of(w).add(l.message)
	l.message, _ = t.oneMessage()
	return true
}

// hold keeps the offers of us for Push: those before number i are one, x is that of i.
func (t *edgeTask[V, M]) hold(us []uint32, i int, x M, w *Worker) {
	if t.offers == nil {
		t.offers = t.room()
	}
	for _, u := range us[:i] {
		t.offers[u] = t.level.message
	}
	t.offers[us[i]] = x
	for _, u := range us[i+1:] {
		t.offers[u] = t.offer(u, w)
	}
	t.level.held, t.level.mixed = w.Superstep+1, true
}

// arriveWave is Arrive where Level has told that it may be called.
func (t *edgeTask[V, M]) arriveWave(us []uint32, w *Worker) {
	if t.firstComes() {
		t.arriveFirst(us, w)
	} else {
		t.arriveLevel(us, w)
	}
}

// arriveWavePart is ArrivePart there.
func (t *edgeTask[V, M]) arriveWavePart(u uint32, lo, hi uint64, w *Worker) {
	if t.firstComes() {
		t.arrivePartFirst(u, lo, hi, w)
	} else {
		t.arrivePartLevel(t.sending[0].Targets[lo:hi], w)
	}
}

// arriveLevel is Arrive when all offers are one. The rows of a batch are gone through before
// anybody is applied whom they lead to, so that what is read of those is under way together.
func (t *edgeTask[V, M]) arriveLevel(us []uint32, w *Worker) {
	c, corner := &t.sending[0], &t.corners[w.Slot]
	for len(us) > 0 {
		k, arcs := rowsOf(c, us)
		corner.reached = slices.Grow(corner.reached[:0], int(arcs))[:arcs]
		n := 0
		if w.Alone {
			n = closeRows(t.settled, c, us[:k], corner.reached)
		} else {
			n = openOfRows(t.settled, c, us[:k], corner.reached)
		}
		w.Arcs += arcs
		t.receiveLevel(corner.reached[:n], nil, w, w.Alone)
		us = us[k:]
	}
}

// rowsOf tells how many of us have rows that are gone through together: a batch, or as many as have
// enough arcs.
func rowsOf(c *graph.CSR, us []uint32) (k int, arcs uint64) {
	for k < min(len(us), batch) && arcs < arcsAtOnce {
		arcs += c.Offsets.Degree(us[k])
		k++
	}
	return k, arcs
}

// arcsAtOnce is from how many arcs on those reached are applied before others are looked for.
const arcsAtOnce = 1 << 10

// arrivePartLevel is ArrivePart when all offers are one.
func (t *edgeTask[V, M]) arrivePartLevel(vs []uint32, w *Worker) {
	corner := &t.corners[w.Slot]
	w.Arcs += uint64(len(vs))
	for some := range slices.Chunk(vs, arcsAtOnce) {
		corner.reached = slices.Grow(corner.reached[:0], len(some))[:len(some)]
		n := openOf(t.settled, some, corner.reached)
		t.receiveLevel(corner.reached[:n], nil, w, false)
	}
}

// closeRows lists whom the rows of us lead to who are not closed, each once, and closes them. It
// has no branch on whether one is: half of the arcs of a thin frontier lead back.
//
//go:noinline
func closeRows(closed bitmap.Bitmap, c *graph.CSR, us, list []uint32) (n int) {
	for _, u := range us {
		lo, hi := c.Offsets.Row(u)
		for _, v := range c.Targets[lo:hi] {
			word := closed[v>>6]
			closed[v>>6] = word | 1<<(v&63)
			list[n] = v
			n += int(^word >> (v & 63) & 1)
		}
	}
	return n
}

// openOfRows lists whom they lead to who are not closed, beside others who close vertices.
//
//go:noinline
func openOfRows(closed bitmap.Bitmap, c *graph.CSR, us, list []uint32) (n int) {
	for _, u := range us {
		lo, hi := c.Offsets.Row(u)
		n += openOf(closed, c.Targets[lo:hi], list[n:])
	}
	return n
}

func openOf(closed bitmap.Bitmap, vs, list []uint32) (n int) {
	for _, v := range vs {
		list[n] = v
		n += int(^mem.Load(&closed[v>>6]) >> (v & 63) & 1)
	}
	return n
}

// receiveLevel applies their messages to those listed, or where there are none the one that all offer, and
// asks for their rows, along which they will send. It does what apply and store do for programs of this kind.
// Those who are not closed yet are so here, by who applies them.
func (t *edgeTask[V, M]) receiveLevel(list []uint32, messages []M, w *Worker, closed bool) {
	program, asked, message := t.combine, t.asks(), t.level.message
	values, offsets, next := t.values, t.offsets, w.Next
	at := Place{Superstep: w.Superstep, slot: int32(w.Slot)}
	var begins [batch]uint64
	awakes, awakeArcs, doneArcs := 0, uint64(0), uint64(0)
	offsets.PrefetchEach(list)
	mem.Prefetch(values, list)
	for i, v := range list {
		if !closed && !t.settled.SetAtomic(v) {
			continue
		}
		if messages != nil {
			message = messages[i]
		}
		begin, end := offsets.Row(v)
		at.ID, at.OutDegree = v, uint32(end-begin)
		w.At = v
		value, awake := program.Apply(Vertex[V]{at, values[v]}, message, true)
		values[v] = value
		if awake {
			begins[awakes%batch] = begin + freshArc
			if awakes++; awakes%batch == 0 {
				mem.PrefetchAt(t.sending[0].Targets, begins[:])
			}
			awakeArcs += end - begin
			next = append(next, v)
		}
		if asked.settled(value) {
			doneArcs += end - begin
		} else {
			w.Touched = append(w.Touched, v)
		}
	}
	mem.PrefetchAt(t.sending[0].Targets, begins[:awakes%batch])
	w.Next = next
	w.Awake += uint64(awakes)
	w.AwakeArcs += awakeArcs
	w.DoneArcs += doneArcs
}

// Open takes back that vertices are closed whom Arrive has left unsettled, when all is sent.
func (t *edgeTask[V, M]) Open(vs []uint32) {
	for _, v := range vs {
		t.settled.Clear(v)
	}
}
