package scc

import (
	"context"

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
	index     uint32
	arcs      uint64   // looked at
	path      []frame  // from the first vertex of the search to the current one
	waiting   []uint32 // seen, left, and of a component not yet complete
}

// A frame is a vertex on the path of the search.
type frame struct {
	next  uint64 // the arc to look at next
	v     uint32
	index uint32 // of v: how many vertices were seen before it, plus 1
}

const finished = graph.None

// checkEvery is the number of searches or steps between looks at the context.
const checkEvery = 1 << 16

// finish finds the components of the vertices that have none yet, and returns how
// many arcs it has looked at. It returns early when the context ends; components
// found by then are complete.
func finish(ctx context.Context, out graph.CSR, component []uint32) (arcs uint64) {
	t := &tarjan{out: out, component: component, reach: mem.Make[uint32](len(component))}
	for v, c := range component {
		if c != graph.None {
			t.reach[v] = finished
		}
	}
	for v := range component {
		if v%checkEvery == 0 && ctx.Err() != nil {
			break
		}
		if t.reach[v] == 0 && !t.search(ctx, uint32(v)) {
			break
		}
	}
	return t.arcs
}

// search visits all that v reaches; it returns false when the context has
// ended.
func (t *tarjan) search(ctx context.Context, v uint32) bool {
	t.enter(v)
	for steps := 1; len(t.path) > 0; steps++ {
		if steps%checkEvery == 0 && ctx.Err() != nil {
			return false
		}
		f := &t.path[len(t.path)-1]
		if u, ok := t.advance(f); ok {
			t.enter(u)
			continue
		}
		t.leave(*f)
	}
	return true
}

func (t *tarjan) enter(v uint32) {
	t.index++
	t.reach[v] = t.index
	t.path = append(t.path, frame{t.out.Offsets[v], v, t.index})
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
