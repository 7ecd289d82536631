package scc

import (
	"context"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Tarjan's algorithm with Pearce's saving: one number per vertex, which is the
// least index of an open vertex known to be reached from it, and stacks that
// do not depend on Go's own. A path of a million vertices is a million deep.
//
// Invariant: reach[v] is 0 while v is unseen, finished when its component is
// known or not asked for, else at most v's own index.
// Cost: O(n + m).
// (Pearce, A Space-Efficient Algorithm for Finding Strongly Connected
// Components, Information Processing Letters 116, 2016.)
type tarjan struct {
	out       graph.CSR
	component []uint32
	reach     []uint32
	path      []frame  // from the first vertex of the search to the current one
	waiting   []uint32 // seen, left, and of a component not yet complete
	at        spot
	arcs      uint64 // looked at since it was last asked
	progress  pregel.PhaseProgress
}

// spot is how far the search is.
type spot struct {
	Index uint32 // of the last vertex seen
	Root  uint32 // all searches from vertices before it are done
}

// A frame is a vertex on the path of the search.
type frame struct {
	next  uint64 // the arc to look at next
	v     uint32
	index uint32 // of v: how many vertices were seen before it, plus 1
}

const finished = graph.None

// checkEvery is the number of steps between looks at the context.
const checkEvery = 1 << 16

// finish finds the components of the vertices that have none yet, in pieces between
// which it can be left: components found by then are complete.
func (w *work) finish() {
	t := &w.deep
	if t.component = w.component; len(t.reach) == 0 {
		t.begin()
	}
	a := account(componentBytes+indexBytes, indexBytes, w.at.Led)
	if w.Long(pregel.Pieces{Name: "scc finish", N: t.pieces(), Alone: true, Progress: &t.progress, Account: &a, Do: func(_ int, k *pregel.Worker) {
		t.search(checkEvery)
		k.Arcs, t.arcs = k.Arcs+t.arcs, 0
	}}) {
		t.reach, w.at.Stage = nil, done
	}
}

// finish is the same where nothing is kept. It returns early when the context ends.
func finish(ctx context.Context, out graph.CSR, component []uint32) {
	t := &tarjan{out: out, component: component}
	t.begin()
	for range t.pieces() {
		if ctx.Err() != nil {
			return
		}
		t.search(checkEvery)
	}
}

// parts are all that the rest of the search depends on, with the components.
func (t *tarjan) parts() []any {
	return []any{&t.reach, &t.path, &t.waiting, &t.at, &t.progress}
}

// begin marks what is finished.
func (t *tarjan) begin() {
	t.reach = mem.Make[uint32](len(t.component))
	for v, c := range t.component {
		if c != graph.None {
			t.reach[v] = finished
		}
	}
}

// pieces are so many that the search is done with them: a vertex costs three steps.
func (t *tarjan) pieces() int { return 3*len(t.component)/checkEvery + 1 }

// search does so many steps: a vertex is passed over or begun with, entered, or left.
func (t *tarjan) search(steps int) {
	for range steps {
		if len(t.path) == 0 {
			if int(t.at.Root) == len(t.component) {
				return
			}
			if v := t.at.Root; t.reach[v] == 0 {
				t.enter(v)
			}
			t.at.Root++
			continue
		}
		f := &t.path[len(t.path)-1]
		if u, ok := t.advance(f); ok {
			t.enter(u)
			continue
		}
		t.leave(*f)
	}
}

func (t *tarjan) enter(v uint32) {
	t.at.Index++
	t.reach[v] = t.at.Index
	t.path = append(t.path, frame{t.out.Offsets[v], v, t.at.Index})
}

// advance looks at arcs of the current vertex up to one whose target is
// unseen.
func (t *tarjan) advance(f *frame) (u uint32, ok bool) {
	least, end := t.reach[f.v], t.out.Offsets[f.v+1]
	for i, u := range t.out.Targets[f.next:end] {
		r := t.reach[u]
		if r == 0 {
			f.next += uint64(i) + 1
			t.arcs += uint64(i) + 1
			t.reach[f.v] = least
			return u, true
		}
		least = min(least, r)
	}
	t.arcs += end - f.next
	f.next = end
	t.reach[f.v] = least
	return 0, false
}

// leave ends the visit of a vertex: either the component whose first vertex it
// is is complete, or the vertex waits for that one.
func (t *tarjan) leave(f frame) {
	t.path = t.path[:len(t.path)-1]
	least := t.reach[f.v]
	if len(t.path) > 0 {
		up := t.path[len(t.path)-1].v
		if least < t.reach[up] { // finished, when the component is complete, is no less
			t.reach[up] = least
		}
	}
	if least != f.index {
		t.waiting = append(t.waiting, f.v)
		return
	}
	first := len(t.waiting)
	name := f.v
	for first > 0 && t.reach[t.waiting[first-1]] >= f.index {
		first--
		name = min(name, t.waiting[first])
	}
	for _, u := range t.waiting[first:] {
		t.component[u], t.reach[u] = name, finished
	}
	t.component[f.v], t.reach[f.v] = name, finished
	t.waiting = t.waiting[:first]
}
