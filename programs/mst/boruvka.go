package mst

import (
	"context"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// boruvka is Borůvka's algorithm on one batch of edges. A round is two phases:
//
//  1. lightest: every link is moved to the roots of its ends, and dropped if
//     they are one; at both roots, the lightest link is kept;
//  2. hook: every root hangs itself below the root at the other end of its
//     lightest link. Where two roots have chosen the same link, only the one
//     that claims it first does: so there are no cycles.
type boruvka struct {
	edges  []edge
	chosen bitmap.Bitmap // of edges
	// Links stay in order within pieces of pieceLength places; piece i has
	// length[i] of them.
	links  []link
	length []int
}

// link is an edge between trees: a and b are their roots.
type link struct {
	a, b, weight uint32
	edge         uint32 // index
}

const (
	none        = math.MaxUint64
	pieceLength = 1 << 12
	serialFrom  = 1 << 12 // so few links are best finished by one worker
)

// light is the first phase of a round.
func (s *span) light() {
	look := s.first
	if s.at.Again {
		look = s.again
	}
	if s.Items("mst lightest", len(s.length), s.lightAccount(), func(i int, w *pregel.Worker) {
		left, looked, atomics := look(i)
		s.length[i] = left
		w.Arcs += uint64(looked)
		w.Atomics += atomics
	}) {
		s.at.Stage, s.at.Again = hooking, true
	}
}

// hang is the second.
func (s *span) hang() {
	if !s.overTrees("mst hook", keyBytes, s.hook) {
		return
	}
	if s.at.Stage = lightening; s.live() <= serialFrom {
		s.at.Stage = finishing
	}
}

// first makes the links of a piece. Like again it returns how
// many are left, how many it has looked at, and how many compare-and-swaps it did.
func (s *span) first(piece int) (left, looked int, atomics uint64) {
	from := piece * pieceLength
	edges := s.edges[from:min(from+pieceLength, len(s.edges))]
	links, tree := s.links[from:][:len(edges)], s.tree
	for lo := 0; lo < len(edges); lo += linkBlock {
		hi := min(lo+linkBlock, len(edges))
		for i := lo; i < hi; i++ {
			e := &edges[i]
			links[i] = link{tree[e.u], tree[e.v], e.weight, uint32(from + i)}
		}
		atomics += s.propose(links[lo:hi], from+lo)
	}
	return len(edges), len(edges), atomics
}

// again moves the links of a piece to the roots of their ends.
func (s *span) again(piece int) (left, looked int, atomics uint64) {
	from := piece * pieceLength
	links, parent := s.links[from:][:s.length[piece]], s.parent
	for lo := 0; lo < len(links); lo += linkBlock {
		begin := left
		for _, l := range links[lo:min(lo+linkBlock, len(links))] {
			l.a, l.b = find(parent, l.a), find(parent, l.b)
			links[left] = l
			next := left
			if l.a != l.b {
				next = left + 1
			}
			left = next
		}
		atomics += s.propose(links[begin:left], from+begin)
	}
	return left, len(links), atomics
}

// linkBlock links are moved before they are proposed: a processor does not read ahead
// over a compare-and-swap.
const linkBlock = 64

// propose keeps links, of which the first is at a place, at both their roots, where
// they are the lightest so far. Places ascend with the ends of edges: they break ties.
func (s *span) propose(links []link, place int) (atomics uint64) {
	lightest := s.lightest
	for i := range links {
		l := &links[i]
		k := key(l.weight, uint32(place+i))
		if p := &lightest[l.a]; k < atomic.LoadUint64(p) {
			atomics += lower(p, k)
		}
		if p := &lightest[l.b]; k < atomic.LoadUint64(p) {
			atomics += lower(p, k)
		}
	}
	return atomics
}

func (s *span) hook(lo, hi int, w *pregel.Worker) {
	var roots [linkBlock]uint32
	var links [linkBlock]link
	for ; lo < hi; lo += linkBlock {
		n := 0
		for i, k := range s.lightest[lo:min(lo+linkBlock, hi)] {
			if k != none {
				roots[n], links[n] = uint32(lo+i), s.links[uint32(k)]
				s.lightest[lo+i] = none
				n++
			}
		}
		w.Atomics += uint64(n)
		for i, v := range roots[:n] {
			if l := &links[i]; s.chosen.SetAtomic(l.edge) {
				s.parent[v] = l.a ^ l.b ^ v // the other end
			}
		}
	}
}

// finish does the rest as Kruskal does: edge by edge, ascending.
func (s *span) finish(_ context.Context, w *pregel.Worker) {
	keys := make([]uint64, 0, serialFrom)
	if len(s.links) == 0 {
		for i, e := range s.edges {
			keys = append(keys, key(e.weight, uint32(i)))
		}
	}
	for i, k := range s.length {
		for _, l := range s.links[i*pieceLength : i*pieceLength+k] {
			keys = append(keys, key(l.weight, l.edge))
		}
	}
	w.Arcs += uint64(len(keys))
	slices.Sort(keys)
	for _, k := range keys {
		e := s.edges[uint32(k)]
		if x, y := find(s.parent, s.tree[e.u]), find(s.parent, s.tree[e.v]); x != y {
			s.parent[x] = y
			s.chosen.Set(uint32(k))
		}
	}
}

const wordsLength = 1 << 10 // of a piece of the bitmap

// appendTo appends the chosen edges, ascending, to a list, whose use it ends.
func (b *boruvka) appendTo(rows []edge, workers int) []edge {
	starts := make([]int, (len(b.chosen)+wordsLength-1)/wordsLength+1)
	parallel.Range(workers, len(b.chosen), wordsLength, func(_, lo, hi int) { starts[lo/wordsLength] = b.chosen[lo:hi].Count() })
	total := len(rows)
	for i, k := range starts {
		starts[i], total = total, total+k
	}
	to := mem.Take[edge](total)
	copy(to, rows)
	mem.Give(rows)
	parallel.Range(workers, len(b.chosen), wordsLength, func(_, lo, hi int) {
		next := starts[lo/wordsLength]
		for i := lo; i < hi; i++ {
			for word := b.chosen[i]; word != 0; word &= word - 1 {
				to[next] = b.edges[i*64+bits.TrailingZeros64(word)]
				next++
			}
		}
	})
	return to
}

// giveBack ends the use of all arrays.
func (b *boruvka) giveBack() {
	mem.Give(b.edges)
	mem.Give(b.chosen)
	mem.Give(b.links)
}

// find returns the root of v, and shortens the way there.
func find(parent []uint32, v uint32) uint32 {
	for {
		p := atomic.LoadUint32(&parent[v])
		up := atomic.LoadUint32(&parent[p])
		if up == p {
			return p
		}
		mem.Store(&parent[v], up)
		v = up
	}
}

// lower makes *p the lesser of itself and x, and returns how many compare-and-swaps
// that took.
func lower(p *uint64, x uint64) (atomics uint64) {
	for {
		old := atomic.LoadUint64(p)
		if x >= old {
			return atomics
		}
		if atomics++; atomic.CompareAndSwapUint64(p, old, x) {
			return atomics
		}
	}
}
