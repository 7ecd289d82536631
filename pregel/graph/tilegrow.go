package graph

import "math/bits"

// tileLevels is how many degrees of wish to take a vertex are told apart.
const tileLevels = 64

// level returns how much the region should take a free vertex next: two for
// each neighbour inside, two less for each free one; one less for four steps
// where one neighbour alone is inside.
func (x tileVertex) level() int {
	level := tileLevels*5/8 + 2*(int(x.inside)-int(x.free))
	if x.inside < 2 {
		level -= int(x.steps / 4)
	}
	return min(max(level, 0), tileLevels-1)
}

// A tileQueue has the vertices that a region may take, by level, first in,
// first out. Vertices whose level has changed stand in it twice.
type tileQueue struct {
	levels [tileLevels][]uint32
	next   [tileLevels]int // taken of each level
	some   uint64          // levels that have vertices left, as bits
}

func (q *tileQueue) push(v uint32, level int) {
	q.levels[level] = append(q.levels[level], v)
	q.some |= 1 << level
}

// pop returns a vertex of the highest level.
func (q *tileQueue) pop() (v uint32, level int, ok bool) {
	if q.some == 0 {
		return None, 0, false
	}
	level = bits.Len64(q.some) - 1
	list, i := q.levels[level], q.next[level]
	v = list[i]
	q.next[level]++
	if i+1 == len(list) {
		q.drop(level)
	}
	return v, level, true
}

func (q *tileQueue) drop(level int) {
	q.levels[level], q.next[level] = q.levels[level][:0], 0
	q.some &^= 1 << level
}

func (q *tileQueue) clear() {
	for q.some != 0 {
		q.drop(bits.Len64(q.some) - 1)
	}
}

// region grows a region from a vertex: into grown and absorbed.
func (t *tiler) region(start uint32) {
	t.grow(start)
	for range pocketRounds {
		if t.size() < TileSize || !t.findPockets() {
			return
		}
		more := t.exchange()
		t.fill()
		if !more {
			return
		}
	}
}

func (t *tiler) size() int { return len(t.grown) + len(t.absorbed) }

// grow is region without a look at what is cut off.
func (t *tiler) grow(start uint32) {
	t.absorbed, t.met = t.absorbed[:0], append(t.met[:0], start)
	t.grown = append(t.grown[:0], start)
	t.vertices[start].steps = 1
	t.take(start, tileGrown)
	t.fill()
}

// fill takes vertices until the region is full or nothing is left.
func (t *tiler) fill() {
	for t.size() < TileSize {
		v, level, ok := t.queue.pop()
		if !ok {
			return
		}
		if x := t.vertices[v]; x.state == tileFree && x.inside > 0 && x.level() == level {
			t.take(v, tileGrown)
			t.grown = append(t.grown, v)
		}
	}
}

// take puts a free vertex into the region, as grown or absorbed.
func (t *tiler) take(u uint32, as uint8) {
	x := &t.vertices[u]
	x.state = as
	steps := x.steps + min(1, tileMany-x.steps)
	vertices := t.vertices
	for _, v := range t.neighbors(u) {
		x := vertices[v]
		if x.state != tileFree {
			continue
		}
		if x.steps == 0 {
			t.met = append(t.met, v)
			x.steps = steps
		}
		x.steps = min(x.steps, steps)
		if x.free < tileMany {
			x.free--
		}
		x.inside += min(1, tileMany-x.inside)
		vertices[v] = x
		t.queue.push(v, x.level())
	}
}

// giveBack frees the vertex that was grown last. It does not, and returns
// false, where something absorbed hangs on that, or counts are not exact.
func (t *tiler) giveBack() bool {
	last := len(t.grown) - 1
	u := t.grown[last]
	if last == 0 || !t.canGiveBack(u) {
		return false
	}
	t.grown = t.grown[:last]
	x := &t.vertices[u]
	x.state, x.free, x.inside = tileFree, 0, 0
	for _, v := range t.neighbors(u) {
		y := &t.vertices[v]
		switch {
		case y.state == tileGrown:
			x.inside++
		case y.state == tileFree && v != u:
			x.free++
			y.inside--
			if y.free < tileMany {
				y.free++
			}
			t.queue.push(v, y.level())
		}
	}
	t.queue.push(u, x.level())
	return true
}

func (t *tiler) canGiveBack(u uint32) bool {
	if t.arcs(u) >= tileMany {
		return false
	}
	for _, v := range t.neighbors(u) {
		if x := t.vertices[v]; x.state == tileAbsorbed || x.state == tileFree && x.inside == tileMany {
			return false
		}
	}
	return true
}
