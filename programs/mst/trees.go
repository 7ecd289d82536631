package mst

import (
	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// This file makes one tree of those that hang together. The trees that are left are named
// 0, 1, … in the order of their roots: so what is looked up at random is as small as there
// are trees.

// plant ends the first round, that of vertices.
func (s *span) plant() {
	tree := mem.Take[uint32](s.n)
	if left, ok := s.rename(tree); ok {
		s.tree = tree
		s.next(left)
	}
}

// contract ends a round of a batch.
func (s *span) contract() {
	trees := len(s.parent)
	if s.names == nil {
		s.names = mem.Take[uint32](trees)
	}
	if s.at.Limit != everything && s.grown == nil {
		s.grown = mem.Take[uint32](trees)
		s.pieces(trees, func(lo, hi int) { ascend(s.grown, lo, hi) })
	}
	left, ok := s.rename(s.names[:trees])
	if !ok {
		return
	}
	s.pieces(len(s.grown), func(lo, hi int) {
		for x, t := range s.grown[lo:hi] {
			s.grown[lo+x] = s.names[t]
		}
	})
	s.parent = s.parent[:left]
	if s.at.Stage = lightening; s.live() <= serialFrom {
		s.at.Stage = finishing
	}
}

// flatten ends a batch: it tells every vertex the tree it is of.
func (s *span) flatten() {
	name, of := mem.Take[uint32](len(s.parent)), s.grown
	left, ok := s.rename(name)
	if !ok || !s.Vertices("mst name", s.overVertices(rootBytes, 0, pregel.Choice{}), func(lo, hi uint32, _ *pregel.Worker) {
		tree := s.tree[lo:hi]
		for v, x := range tree {
			if of != nil {
				x = of[x]
			}
			tree[v] = name[x]
		}
	}) {
		return
	}
	mem.Give(name)
	mem.Give(s.grown)
	s.grown = nil
	s.next(left)
}

// next goes on with a batch, between so many trees, or ends the run.
func (s *span) next(trees int) {
	s.parent = s.parent[:trees]
	s.at.Want = min(max(2*s.at.Want, float64(perTree*trees), leastBatch), mostBatch)
	if s.at.Stage = selecting; trees == 1 {
		s.at.Stage = done
	}
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

// rename finds the new names of all trees, and tells how many are left. There is nothing
// lightest at any of these then. Roots of a block are found before their names are fetched: a
// processor does not read ahead from where it has not foreseen how far the root is.
func (s *span) rename(to []uint32) (left int, ok bool) {
	n := len(s.parent)
	if s.rank == nil {
		s.rank = mem.Take[uint32](n)
	}
	starts := make([]uint32, (n+treesLength-1)/treesLength)
	s.pieces(n, func(lo, hi int) { starts[lo/treesLength] = rank(s.parent, s.rank, lo, hi) })
	for i, k := range starts {
		starts[i] = uint32(left)
		left += int(k)
	}
	if s.lightest == nil {
		s.lightest = mem.Take[uint64](left)
	}
	return left, s.overTrees("mst flatten", rootBytes, func(lo, hi int, _ *pregel.Worker) {
		var roots [linkBlock]uint32
		for at := lo; at < hi; at += linkBlock {
			to := to[at:min(at+linkBlock, hi)]
			mem.Prefetch(s.parent, s.parent[at:][:len(to)])
			for i := range to {
				roots[i] = root(s.parent, uint32(at+i))
			}
			for i := range to {
				r := roots[i]
				to[i] = starts[r/treesLength] + s.rank[r]
			}
		}
		blank(s.lightest, lo, min(hi, left))
	})
}

// rank counts the roots from lo to hi, and tells each how many are before it. To
// others it tells the same: so it needs no branches.
func rank(parent, rank []uint32, lo, hi int) (roots uint32) {
	for x := lo; x < hi; x++ {
		rank[x] = roots
		next := roots
		if parent[x] == uint32(x) {
			next = roots + 1
		}
		roots = next
	}
	return roots
}

func blank(lightest []uint64, lo, hi int) {
	for x := lo; x < hi; x++ {
		lightest[x] = none
	}
}

func ascend(list []uint32, lo, hi int) {
	for x := lo; x < hi; x++ {
		list[x] = uint32(x)
	}
}

// nameOf is the name that a tree which links lead to has after the last round.
func (s *span) nameOf(x uint32) uint32 {
	if s.names == nil {
		return x
	}
	return s.names[x]
}

// root returns the root above v. That is seldom far: two steps are taken before a branch
// asks. From farther below it hangs all on the way there right below it; who does so at the
// same time writes the same.
func root(parent []uint32, v uint32) uint32 {
	p := mem.Load(&parent[v])
	r := mem.Load(&parent[mem.Load(&parent[p])])
	up := mem.Load(&parent[r])
	if up == r {
		return r
	}
	for up != r {
		r, up = up, mem.Load(&parent[up])
	}
	for p != r {
		mem.Store(&parent[v], r)
		v, p = p, mem.Load(&parent[p])
	}
	return r
}

// pieces runs f over ranges of trees, where that is no phase.
func (s *span) pieces(n int, f func(lo, hi int)) {
	parallel.Range(s.job.Engine.Pool().Workers(), n, treesLength, func(_, lo, hi int) { f(lo, hi) })
}
