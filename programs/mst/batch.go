package mst

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// edge is an edge of the simple graph: u < v.
type edge struct {
	u, v, weight uint32
}

// nextBatch returns the edges of the next batch, and what bounds it.
func (s *span) nextBatch() (edges []edge, limit uint64, err error) {
	if s.early != nil {
		edges, err = s.ofEarly()
		return edges, s.at.Limit, err
	}
	limit, why := s.limit(s.at.Want)
	edges, err = s.batch(limit, why)
	return edges, limit, err
}

// ofEarly returns those of the edges collected in the first round that are between trees.
func (s *span) ofEarly() (edges []edge, err error) {
	found := make([]finder, s.job.Engine.Pool().Workers())
	if s.Items("mst sift", (len(s.early)+slabLength-1)/slabLength, s.siftAccount(found), func(i int, w *pregel.Worker) {
		f := &found[w.Slot]
		f.begin(uint32(i), s.tree)
		for lo := i * slabLength; lo < min((i+1)*slabLength, len(s.early)); lo += siftLength {
			part := s.early[lo:min(lo+siftLength, len(s.early))]
			copy(f.room(len(part)), part)
			f.take(len(part))
			f.sift()
			w.Arcs += uint64(len(part))
		}
		f.end()
	}) {
		edges, err = s.gather(found)
		mem.Give(s.early)
		s.early = nil
	}
	return edges, err
}

// batch returns the edges of the next batch, ascending by their ends.
func (s *span) batch(limit uint64, why pregel.Choice) ([]edge, error) {
	found := make([]finder, s.job.Engine.Pool().Workers())
	account := s.overVertices(rootBytes, weightBytes(s.g), why)
	account.Beside = func() uint64 { return edgeBytes * count(found) }
	s.Vertices("mst select", account, func(lo, hi uint32, w *pregel.Worker) {
		f := &found[w.Slot]
		f.begin(lo, s.tree)
		w.Arcs += uint64(s.selectIn(lo, hi, limit, f))
		f.sift()
		f.end()
	})
	if s.apart() && s.Going() {
		found = s.bothWays(found, limit)
	}
	edges, err := s.gather(found)
	switch {
	case err != nil || !s.Going() || s.apart():
	case s.at.Directed:
		return s.canonical(edges), nil
	case s.at.Giant != graph.None:
		return s.ascending(edges), nil
	}
	return edges, err
}

// finder collects the edges that a worker finds, in slabs, as runs of edges
// from one range of vertices.
type finder struct {
	runs  []run
	slabs [][]edge
	tree  []uint32
	lo    uint32 // where the current run's range begins
	slab  []edge // the last of slabs, as far as it is used
	start int    // of the current run, in the slab
	found []edge // yet to be sifted
	last  edge   // that was sifted
	_     [64]byte
}

type run struct {
	lo    uint32
	edges []edge
}

const (
	slabLength = 1 << 15 // edges
	siftLength = 1 << 10 // of them are sifted together
)

// begin begins a range of vertices.
func (f *finder) begin(lo uint32, tree []uint32) {
	f.lo, f.start, f.tree, f.last = lo, len(f.slab), tree, edge{}
	if f.found == nil {
		f.found = make([]edge, 0, siftLength)
	}
}

func (f *finder) end() {
	if f.start < len(f.slab) {
		f.runs = append(f.runs, run{f.lo, f.slab[f.start:]})
	}
}

// add takes an edge between trees.
func (f *finder) add(e edge) {
	f.reserve(1)
	f.slab = append(f.slab, e)
}

// reserve makes room for n edges in the slab.
func (f *finder) reserve(n int) {
	if len(f.slab)+n > cap(f.slab) {
		f.end()
		f.slab, f.start = mem.Take[edge](slabLength)[:0], 0
		f.slabs = append(f.slabs, f.slab)
	}
}

// fresh ends a slab of which n edges are used, as a row has no room in it, and returns the next.
func (f *finder) fresh(n int) []edge {
	f.slab = f.slab[:n]
	f.reserve(fewArcs)
	return f.slab[:cap(f.slab)]
}

// room makes room for so many edges, at most siftLength, that are yet to be sifted.
func (f *finder) room(n int) []edge {
	if len(f.found)+n > siftLength {
		f.sift()
	}
	return f.found[len(f.found) : len(f.found)+n]
}

// take takes the first n edges in the room that was made.
func (f *finder) take(n int) { f.found = f.found[:len(f.found)+n] }

// sift takes what was found, but for edges within a tree, and those that come after a
// parallel one which is no heavier. It does so without branches.
// Where trees are not yet known it takes all.
func (f *finder) sift() {
	if f.tree == nil {
		f.append(f.found)
		f.found = f.found[:0]
		return
	}
	f.reserve(len(f.found))
	to, n, last := f.slab[len(f.slab):][:len(f.found)], 0, f.last
	for _, e := range f.found {
		to[n] = e
		next := n
		if f.tree[e.u] != f.tree[e.v] {
			next = n + 1
		}
		if e.u == last.u && e.v == last.v && e.weight >= last.weight {
			next = n
		}
		n, last = next, e
	}
	f.slab, f.found, f.last = f.slab[:len(f.slab)+n], f.found[:0], last
}

// count counts the edges that were found.
func count(found []finder) (edges uint64) {
	for i := range found {
		for _, r := range found[i].runs {
			edges += uint64(len(r.edges))
		}
	}
	return edges
}

// gather puts the runs in order of their ranges.
func (s *span) gather(found []finder) ([]edge, error) {
	runs, starts, sum := inRow(found)
	if sum > math.MaxUint32 {
		return nil, fmt.Errorf("mst: a batch of %d edges, at most %d fit", sum, uint32(math.MaxUint32))
	}
	edges := mem.Take[edge](sum)
	account := pregel.Account{Widths: pregel.Widths{Frontier: pregel.NoFrontier, Beside: 2 * edgeBytes * uint64(sum)}}
	s.Items("mst gather", len(runs), account, func(i int, _ *pregel.Worker) { copy(edges[starts[i]:], runs[i].edges) })
	if s.Going() {
		giveSlabs(found)
	}
	return edges, nil
}

// inRow puts the runs in order of their ranges, and tells where each begins, and how many
// edges there are.
func inRow(found []finder) (runs []run, starts []int, sum int) {
	for i := range found {
		runs = append(runs, found[i].runs...)
	}
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.lo, b.lo) })
	starts = make([]int, len(runs))
	for i, r := range runs {
		starts[i] = sum
		sum += len(r.edges)
	}
	return runs, starts, sum
}

// giveSlabs ends the use of what finders have found.
func giveSlabs(found []finder) {
	for i := range found {
		for _, slab := range found[i].slabs {
			mem.Give(slab)
		}
	}
}

// canonical puts the edges found in a directed graph in order, where an arc to a lesser
// vertex is found at its greater end, and leaves the lightest of parallel ones.
func (s *span) canonical(edges []edge) []edge {
	edges = s.ascending(edges)
	n, last := 0, edge{} // no edge ends at 0
	for _, e := range edges {
		next := n
		if e.u == last.u && e.v == last.v {
			e.weight, next = min(e.weight, last.weight), n-1
		}
		edges[next], last = e, e
		n = next + 1
	}
	return edges[:n]
}
