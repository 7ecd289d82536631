package mst

import (
	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// flatten makes every tree a child of its root (but for a few: who shortens the same
// path at the same time may put one back below where it was), names the trees that are left
// 0, 1, … in the order of their roots, and tells every vertex that of its own. So what
// the next batch looks up at random is as small as there are trees.
func (s *span) flatten() {
	if !s.overTrees("mst flatten", rootBytes, func(lo, hi int, _ *pregel.Worker) {
		for x := lo; x < hi; x++ {
			mem.Store(&s.parent[x], find(s.parent, uint32(x)))
		}
	}) {
		return
	}
	name, left := s.names()
	tree, begun := s.tree, s.tree != nil
	if !begun {
		tree = mem.Take[uint32](s.n)
	}
	if !s.Vertices("mst name", s.overVertices(rootBytes, 0, pregel.Choice{}), func(lo, hi uint32, _ *pregel.Worker) {
		for v := lo; v < hi; v++ {
			x := v
			if begun {
				x = tree[v]
			}
			tree[v] = name[find(s.parent, x)]
		}
	}) {
		return
	}
	mem.Give(name)
	s.tree, s.at.Stage = tree, selecting
	if left == 1 {
		s.at.Stage = done
	}
	s.separate(left)
}

const treesLength = 1 << 13 // of a piece

// overTrees runs f over ranges of the trees; at each so much is read and written.
func (s *span) overTrees(name string, width uint64, f func(lo, hi int, w *pregel.Worker)) bool {
	n := len(s.parent)
	a := pregel.Account{Widths: pregel.Widths{Frontier: pregel.NoFrontier, Beside: 2 * (width + rootBytes) * uint64(n)}}
	return s.Items(name, (n+treesLength-1)/treesLength, a, func(i int, w *pregel.Worker) {
		f(i*treesLength, min((i+1)*treesLength, n), w)
	})
}

// names returns the new names of roots, and how many there are.
func (s *span) names() (name []uint32, roots int) {
	name = mem.Take[uint32](len(s.parent))
	starts := make([]uint32, (len(name)+treesLength-1)/treesLength)
	s.pieces(func(lo, hi int) { starts[lo/treesLength] = nameFrom(0, s.parent, name, lo, hi) })
	for i, k := range starts {
		starts[i] = uint32(roots)
		roots += int(k)
	}
	s.pieces(func(lo, hi int) { nameFrom(starts[lo/treesLength], s.parent, name, lo, hi) })
	return name, roots
}

// nameFrom gives the roots from lo to hi the names from next on, and returns the one
// after them. Of others it writes nonsense: so it needs no branches.
func nameFrom(next uint32, parent, name []uint32, lo, hi int) uint32 {
	for x := lo; x < hi; x++ {
		name[x] = next
		after := next
		if parent[x] == uint32(x) {
			after = next + 1
		}
		next = after
	}
	return next
}

// pieces runs f over ranges of the trees, where that is no phase.
func (s *span) pieces(f func(lo, hi int)) {
	parallel.Range(s.job.Engine.Pool().Workers(), len(s.parent), treesLength, func(_, lo, hi int) { f(lo, hi) })
}

// separate makes so many trees, each its own root, of which a batch is to be taken.
func (s *span) separate(trees int) {
	s.at.Want = min(max(2*s.at.Want, float64(perTree*trees), leastBatch), mostBatch)
	s.parent = s.parent[:trees]
	begun := len(s.lightest) > 0
	if !begun {
		s.lightest = mem.Take[uint64](trees)
	}
	s.lightest = s.lightest[:trees] // none in all of them after a batch
	s.pieces(func(lo, hi int) {
		for x := lo; x < hi; x++ {
			s.parent[x] = uint32(x)
			if !begun {
				s.lightest[x] = none
			}
		}
	})
}
