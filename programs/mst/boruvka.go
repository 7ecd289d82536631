package mst

import (
	"bytes"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// boruvka is Borůvka's algorithm on one batch of edges. A round is three phases:
//
//  1. lightest: every link is moved to the trees of its ends, and dropped if
//     they are one; at both, the lightest link is kept;
//  2. hook: every tree hangs itself below the one at the other end of its
//     lightest link. Where two have chosen the same link, the lesser
//     stays a root: so there are no cycles;
//  3. flatten: what hangs together becomes one tree, and trees get new names
//     (trees.go).
type boruvka struct {
	edges  []edge
	chosen []byte // 1 of an edge of the forest; a byte each, as bits would have to be set by atomics
	// Links stay in order within pieces of pieceLength places; piece i has
	// length[i] of them.
	links  []link
	length []int
	names  []uint32 // of the trees links lead to, after the last round; nil: there was none
}

// link is an edge between the trees a and b.
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
	if s.overTrees("mst hook", keyBytes, s.hook) {
		s.at.Stage = contracting
	}
}

// first makes the links of a piece. Like again it returns how
// many are left, how many it has looked at, and how many compare-and-swaps it did.
func (s *span) first(piece int) (left, looked int, atomics uint64) {
	from, end := piece*pieceLength, min((piece+1)*pieceLength, len(s.edges))
	for lo := from; lo < end; lo += linkBlock {
		atomics += s.propose(s.link(lo, min(lo+linkBlock, end)), lo)
	}
	return end - from, end - from, atomics
}

// link makes the links of some edges.
func (s *span) link(lo, hi int) []link {
	links, tree := s.links[lo:hi], s.tree
	for i, e := range s.edges[lo:hi] {
		links[i] = link{tree[e.u], tree[e.v], e.weight, uint32(lo + i)}
	}
	return links
}

// again moves the links of a piece to the trees of their ends.
func (s *span) again(piece int) (left, looked int, atomics uint64) {
	from := piece * pieceLength
	links, names := s.links[from:][:s.length[piece]], s.names
	for lo := 0; lo < len(links); lo += linkBlock {
		begin := left
		for _, l := range links[lo:min(lo+linkBlock, len(links))] {
			l.a, l.b = names[l.a], names[l.b]
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

// propose keeps links, of which the first is at a place, at the trees of both ends, where
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

// hook hangs some trees. A block's links are fetched before the trees at their other
// ends are looked at, and which of two is the root is found without branches.
func (s *span) hook(lo, hi int, _ *pregel.Worker) {
	var trees, places, chosen [linkBlock]uint32
	for ; lo < hi; lo += linkBlock {
		n, hung := 0, 0
		for i, k := range s.lightest[lo:min(lo+linkBlock, hi)] {
			v := uint32(lo + i)
			if s.parent[v] = v; k != none {
				trees[n], places[n] = v, uint32(k)
				n++
			}
		}
		mem.Prefetch(s.links, places[:n])
		for i, v := range trees[:n] {
			l := &s.links[places[i]]
			up := l.a ^ l.b ^ v // the other end
			chosen[hung] = l.edge
			if s.lightest[up] == s.lightest[v] {
				up = min(up, v)
			}
			next := hung + 1
			if up == v {
				next = hung
			}
			s.parent[v], hung = up, next
		}
		for _, e := range chosen[:hung] {
			s.chosen[e] = 1
		}
	}
}

// finish does the rest as Kruskal does: link by link, ascending.
func (s *span) finish(_ context.Context, w *pregel.Worker) {
	ascend(s.parent, 0, len(s.parent))
	if !s.at.Again {
		for i := range s.length {
			lo := i * pieceLength
			s.length[i] = len(s.link(lo, min(lo+pieceLength, len(s.edges))))
		}
	}
	keys := make([]uint64, 0, serialFrom)
	for i, k := range s.length {
		for at := i * pieceLength; at < i*pieceLength+k; at++ {
			keys = append(keys, key(s.links[at].weight, uint32(at)))
		}
	}
	w.Arcs += uint64(len(keys))
	slices.Sort(keys)
	for _, k := range keys {
		l := &s.links[uint32(k)]
		if x, y := root(s.parent, s.nameOf(l.a)), root(s.parent, s.nameOf(l.b)); x != y {
			s.parent[x] = y
			s.chosen[l.edge] = 1
		}
	}
}

const appendLength = 1 << 14 // edges of a piece

// appendTo appends the chosen edges, ascending, to a list, whose use it ends.
func (b *boruvka) appendTo(rows []edge, workers int) []edge {
	starts := make([]int, (len(b.chosen)+appendLength-1)/appendLength+1)
	parallel.Range(workers, len(b.chosen), appendLength, func(_, lo, hi int) {
		starts[lo/appendLength] = bytes.Count(b.chosen[lo:hi], []byte{1})
	})
	total := len(rows)
	for i, k := range starts {
		starts[i], total = total, total+k // the last counts none
	}
	to := mem.Take[edge](total)
	copy(to, rows)
	mem.Give(rows)
	parallel.Range(workers, len(b.chosen), appendLength, func(_, lo, hi int) {
		at := lo / appendLength
		to, n := to[starts[at]:starts[at+1]], 0
		for i := lo; n < len(to); i++ {
			to[n] = b.edges[i]
			n += int(b.chosen[i]) // without branches
		}
	})
	return to
}

// giveBack ends the use of all arrays.
func (b *boruvka) giveBack() {
	mem.Give(b.edges)
	mem.Give(b.chosen)
	mem.Give(b.links)
	mem.Give(b.names)
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
