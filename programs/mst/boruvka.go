package mst

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/mem"
)

// boruvka is Borůvka's algorithm on one batch of edges. A round is two phases:
//
//  1. lightest: every link is moved to the roots of its ends, and dropped if
//     they are one; at both roots, the lightest link is kept;
//  2. hook: every root hangs itself below the root at the other end of its
//     lightest link. Where two roots have chosen the same link, only the one
//     that claims it first does: so there are no cycles.
type boruvka struct {
	*span
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

func (b *boruvka) run() {
	live, look := len(b.edges), b.first
	if live > serialFrom {
		b.links = mem.Make[link](live)
		b.length = make([]int, (live+pieceLength-1)/pieceLength)
	}
	for ; live > serialFrom; look = b.again {
		b.Items("mst lightest", len(b.length), func(i int, w *pregel.Worker) {
			left, looked := look(i)
			b.length[i] = left
			w.Arcs += uint64(looked)
		})
		if !b.Going() || !b.Vertices("mst hook", b.hook) {
			return
		}
		live = 0
		for _, k := range b.length {
			live += k
		}
	}
	b.Serial("mst finish", b.finish)
}

// first makes the links of a piece. The trees are flat. Like again it returns how
// many are left, and how many it has looked at.
func (b *boruvka) first(piece int) (left, looked int) {
	from := piece * pieceLength
	edges := b.edges[from:min(from+pieceLength, len(b.edges))]
	for i, e := range edges {
		l := link{b.parent[e.u], b.parent[e.v], e.weight, uint32(from + i)}
		b.links[from+i] = l
		b.propose(l, from+i)
	}
	return len(edges), len(edges)
}

// again moves the links of a piece to the roots of their ends.
func (b *boruvka) again(piece int) (left, looked int) {
	from := piece * pieceLength
	to := from
	for _, l := range b.links[from : from+b.length[piece]] {
		l.a, l.b = find(b.parent, l.a), find(b.parent, l.b)
		if l.a == l.b {
			continue
		}
		b.links[to] = l
		b.propose(l, to)
		to++
	}
	return to - from, b.length[piece]
}

// propose keeps the link at a place, at both its roots, if it is the lightest
// so far. Places ascend with the ends of edges: they break ties.
func (b *boruvka) propose(l link, place int) {
	k := key(l.weight, uint32(place))
	lower(&b.lightest[l.a], k)
	lower(&b.lightest[l.b], k)
}

func (b *boruvka) hook(lo, hi uint32, _ *pregel.Worker) {
	for v := lo; v < hi; v++ {
		k := b.lightest[v]
		if k == none {
			continue
		}
		b.lightest[v] = none
		l := &b.links[uint32(k)]
		if b.chosen.SetAtomic(l.edge) {
			b.parent[v] = l.a ^ l.b ^ v // the other end
		}
	}
}

// finish does the rest as Kruskal does: edge by edge, ascending.
func (b *boruvka) finish(_ context.Context, w *pregel.Worker) {
	keys := make([]uint64, 0, serialFrom)
	if b.links == nil {
		for i, e := range b.edges {
			keys = append(keys, key(e.weight, uint32(i)))
		}
	}
	for i, k := range b.length {
		for _, l := range b.links[i*pieceLength : i*pieceLength+k] {
			keys = append(keys, key(l.weight, l.edge))
		}
	}
	w.Arcs += uint64(len(keys))
	slices.Sort(keys)
	for _, k := range keys {
		e := b.edges[uint32(k)]
		if x, y := find(b.parent, e.u), find(b.parent, e.v); x != y {
			b.parent[x] = y
			b.chosen.Set(uint32(k))
		}
	}
}

// rows returns the chosen edges, ascending.
func (b *boruvka) rows() []edge {
	chosen := b.chosen.AppendTo(make([]uint32, 0, b.chosen.Count()))
	rows := make([]edge, len(chosen))
	for i, k := range chosen {
		rows[i] = b.edges[k]
	}
	return rows
}

// find returns the root of v, and shortens the way there.
func find(parent []uint32, v uint32) uint32 {
	for {
		p := atomic.LoadUint32(&parent[v])
		up := atomic.LoadUint32(&parent[p])
		if up == p {
			return p
		}
		atomic.StoreUint32(&parent[v], up)
		v = up
	}
}

// lower makes *p the lesser of itself and x.
func lower(p *uint64, x uint64) {
	for {
		old := atomic.LoadUint64(p)
		if x >= old || atomic.CompareAndSwapUint64(p, old, x) {
			return
		}
	}
}
