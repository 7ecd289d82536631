package scc

import (
	"context"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// Tarjan's algorithm with Pearce's saving: one number per vertex, which is the
// earliest open vertex known to be reached from it, and stacks that do not depend on
// Go's own. A path of a million vertices is a million deep.
//
// Invariant: reach[v] is unseen, or seen and at least v's own number (that of the
// vertex seen i-th is unseen - i: the earlier, the greater), or, when v's component is
// known or not asked for, less than any of those. So components can stand in the same
// array, where vertices are few enough for their names to be that: a cache line less
// a vertex.
// Cost: O(n + m).
// (Pearce, A Space-Efficient Algorithm for Finding Strongly Connected
// Components, Information Processing Letters 116, 2016.)
type tarjan struct {
	out       graph.CSR
	lo        uint32   // of the first vertex: those from it on are numbered from 0 here, and arcs to others left out
	component []uint32 // names
	reach     []uint32 // component or apart
	apart     []uint32 // nil: vertices are few enough
	path      []frame  // from the first vertex of the search to the current one
	waiting   []uint32 // seen, left, and of a component not yet complete
	at        spot
	below     uint32   // what is less is no number, and arcs to complete components are noted; 0: nothing is noted
	sizes     []sized  // of components of several vertices
	bridges   []bridge // arcs from a vertex, numbered from lo on, to others than of its component
	count     uint64   // of those
	most      uint64   // so many are kept
	arcs      uint64   // looked at since it was last asked
	progress  pregel.PhaseProgress
}

// spot is how far the search is.
type spot struct {
	Number uint32 // of the last vertex seen
	Root   uint32 // all searches from vertices before it are done
	Found  tally
}

// A frame is a vertex on the path of the search.
type frame struct {
	v      uint32
	number uint32 // of v
	reach  uint32 // of v, by the arcs that have been looked at
	left   uint32 // how many arcs have not
	at     uint64 // where these begin
}

const (
	unseen = graph.None
	// togetherMost is up to how many vertices their names are less than all numbers.
	togetherMost = 1 << 31
	// checkEvery is the number of steps between looks at the context.
	checkEvery = 1 << 16
)

// finish finds the components of the vertices that have none yet, in pieces between
// which it can be left: components found by then are complete.
func (w *work) finish() {
	t := &w.deep
	t.begin(w.component, w.at.Open, w.job.Graph.N() > togetherMost)
	a := account(componentBytes+indexBytes, indexBytes, w.at.Led)
	if w.Long(pregel.Pieces{Name: "scc finish", N: t.pieces(), Alone: true, Progress: &t.progress, Account: &a, Do: func(_ int, k *pregel.Worker) {
		t.search(checkEvery)
		k.Arcs, t.arcs = k.Arcs+t.arcs, 0
	}}) {
		w.at.Stage = done
	}
}

// finish is the same where nothing is kept. It returns early when the context ends.
func finish(ctx context.Context, out graph.CSR, component []uint32) {
	t := &tarjan{out: out}
	t.begin(component, len(component), len(component) > togetherMost)
	defer t.end()
	t.all(ctx)
}

// all does the whole search, if the context does not end.
func (t *tarjan) all(ctx context.Context) {
	for range t.pieces() {
		if ctx.Err() != nil {
			return
		}
		t.search(checkEvery)
	}
}

// parts are all that the rest of the search depends on, with the components.
func (t *tarjan) parts() []any {
	return []any{&t.apart, &t.path, &t.waiting, &t.at, &t.progress}
}

// begin begins the search, or goes on with one that was kept, for vertices of which so
// many have no component. Numbers stand apart from the components where that is asked for.
func (t *tarjan) begin(component []uint32, open int, apart bool) {
	if t.at.Number == 0 {
		t.at.Number = unseen
		if apart {
			t.apart = mem.Make[uint32](len(component))
			for v, c := range component {
				if c == graph.None {
					t.apart[v] = unseen
				}
			}
		}
	}
	if t.component, t.reach = component, component; t.apart != nil {
		t.reach = t.apart
	}
	t.path, t.waiting = withRoom(t.path, open), withRoom(t.waiting, open)
}

// withRoom returns a slice with the same elements and room for so many.
func withRoom[T any](s []T, n int) []T { return append(mem.Take[T](n)[:0], s...) }

// end takes back what is no component where the search has not come to its end, and
// ends the use of the arrays.
func (t *tarjan) end() {
	for _, f := range t.path {
		t.component[f.v] = graph.None
	}
	for _, v := range t.waiting {
		t.component[v] = graph.None
	}
	mem.Give(t.apart)
	mem.Give(t.path)
	mem.Give(t.waiting)
	t.reach, t.apart, t.path, t.waiting = nil, nil, nil, nil
}

// pieces are so many that the search is done with them: a vertex costs three steps.
func (t *tarjan) pieces() int { return 3*len(t.component)/checkEvery + 1 }

// search does so many steps: a vertex is passed over or begun with, entered, or left.
func (t *tarjan) search(steps int) {
	for steps > 0 {
		if len(t.path) > 0 {
			steps = t.walk(steps)
			continue
		}
		rest := t.reach[t.at.Root:]
		rest = rest[:min(len(rest), steps)]
		passed := slices.Index(rest, unseen)
		if passed >= 0 {
			t.enter(t.at.Root + uint32(passed))
			passed++
		} else if passed = len(rest); passed == 0 {
			return
		}
		t.at.Root += uint32(passed)
		steps -= passed
	}
}

// enter begins a path with v.
func (t *tarjan) enter(v uint32) {
	t.at.Number--
	t.reach[v] = t.at.Number
	begin, end := t.out.Offsets.Row(t.lo + v)
	degree := end - begin
	t.arcs += degree
	t.path = append(t.path, frame{v, t.at.Number, t.at.Number, uint32(degree), begin})
}

// walk goes on from the last vertex of the path until that is empty, or so many steps
// are done, and returns how many are left. Of the frame of the vertex it is at, reach,
// left and at are not up to date: they are in registers, of which there are too few for
// more: what is seldom done brings the frame up to date, and reads it again. A vertex
// without arcs is done with at once: on the web most components are such.
func (t *tarjan) walk(steps int) int {
	marks, lo := t.reach, t.lo
	last := len(t.path) - 1
	t.path = t.path[:cap(t.path)]
	reach, row := t.path[last].reach, t.row(last)
next:
	for ; steps > 0; steps-- {
		for k, v := range row {
			u := v - lo
			if int(u) < len(marks) {
				r := marks[u]
				if r != unseen && r >= t.below {
					reach = max(reach, r)
					continue
				}
				if r == unseen {
					begin, end := t.out.Offsets.Row(v)
					if onward := t.out.Targets[begin:end]; len(onward) > 0 {
						t.path[last].keep(reach, len(row)-k-1)
						t.at.Number--
						last, reach, row = last+1, t.at.Number, onward
						t.path[last] = frame{u, reach, reach, uint32(len(row)), begin}
						marks[u] = reach
						t.arcs += uint64(len(row))
						continue next
					}
					t.alone(u)
					if t.below == 0 {
						continue
					}
				}
			}
			t.path[last].keep(reach, len(row)-k-1)
			t.leads(last, v)
			reach, row = t.path[last].reach, t.row(last)
			steps++ // as it is no step
			continue next
		}
		f := &t.path[last]
		if reach != f.number {
			marks[f.v] = reach
			t.wait(f.v)
		} else {
			t.close(last)
			reach = 0
		}
		if last--; last < 0 {
			t.path = t.path[:0]
			return steps - 1
		}
		reach, row = max(reach, t.path[last].reach), t.row(last)
	}
	t.path[last].keep(reach, len(row))
	t.path = t.path[:last+1]
	return 0
}

// keep brings a frame up to date: so many arcs are left.
func (f *frame) keep(reach uint32, left int) {
	f.at += uint64(f.left) - uint64(left)
	f.reach, f.left = reach, uint32(left)
}

// wait has a vertex wait for its component. There is room.
func (t *tarjan) wait(v uint32) {
	n := len(t.waiting)
	t.waiting = t.waiting[:n+1]
	t.waiting[n] = v
}

// leads notes an arc from a vertex on the path to one that is not of its component.
func (t *tarjan) leads(from int, v uint32) {
	_, _ = t.out.Offsets.Row(v) // of a file that nobody has checked, which is to panic
	if t.count++; t.count <= t.most {
		t.bridges = append(t.bridges, bridge{t.path[from].v, v})
	}
}

// alone names the component of a vertex without arcs.
func (t *tarjan) alone(v uint32) {
	t.reach[v] = 0 // unless that is
	t.component[v] = t.lo + v
	t.at.Found.Components++
	t.at.Found.Largest = max(t.at.Found.Largest, 1)
}

// row are the arcs left of a vertex on the path.
func (t *tarjan) row(i int) []uint32 {
	f := &t.path[i]
	return t.out.Targets[f.at : f.at+uint64(f.left)]
}

// close names the component whose first vertex is the i-th of the path: with it the
// vertices waiting that have been seen after it.
func (t *tarjan) close(i int) {
	v, number := t.path[i].v, t.path[i].number
	first, name := len(t.waiting), v
	for first > 0 && t.reach[t.waiting[first-1]] <= number {
		first--
		name = min(name, t.waiting[first])
	}
	name += t.lo
	t.reach[v] = 0 // unless that is
	t.component[v] = name
	for _, u := range t.waiting[first:] {
		t.reach[u] = 0
		t.component[u] = name
	}
	size := len(t.waiting) - first + 1
	t.at.Found.add(1, size)
	if t.below > 0 && size > 1 {
		t.sizes = append(t.sizes, sized{name, uint32(size)})
	}
	t.waiting = t.waiting[:first]
	if t.below > 0 && i > 0 {
		t.leads(i-1, t.lo+v)
	}
}
