package graph

import (
	"slices"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// TileSize is how many vertices a tile of ByTiles has.
const TileSize = 1024

// ByTiles returns the vertices in an order in which every TileSize of them,
// from a multiple of TileSize on, are a tile: a connected and compact region of
// the graph, arcs taken as edges. A machine with fast local memory for one tile
// can then work inside it, and few arcs leave it. It is meant for graphs of low
// degree and large diameter, such as grids and nets of roads. First come the
// regions that fill a tile, then what was left over between them, piece by
// piece in the order of growth, so that pieces of one tile are near each other,
// then vertices without arcs.
//
// Method: greedy graph growing. A region takes the free vertex with the
// greatest gain, the number of its neighbours inside less that of its free
// ones: so it takes up corners and dead ends, and is round. Where one neighbour
// alone is inside, eight steps from the region's first vertex cost as much as
// a neighbour, so that no region creeps along the border of what is done; of
// equals the first met is taken. (Karypis, Kumar, A fast and high quality
// multilevel scheme for partitioning irregular graphs, SIAM J. Sci. Comput.
// 1998: greedy graph growing partitioning.) The next region starts at the free
// neighbour that has waited longest, the first of a component at a vertex of
// few neighbours. From the corner of a grid the regions are squares of 32 × 32.
// A full region that has cut a few vertices off from the rest takes them in and
// gives its last ones back (tilepocket.go).
//
// Cost: O(n + m), one worker.
func (g *Graph) ByTiles(workers int) []uint32 {
	t := newTiler(g, workers)
	end := t.back
	for s := t.seed(); s != None; s = t.seed() {
		t.region(s)
		t.place()
	}
	slices.Reverse(t.order[t.front:end])
	return t.order
}

// Where a vertex stands.
const (
	tileFree     uint8 = iota
	tileGrown          // in the region that grows
	tileAbsorbed       // in it, too, and stays there
	tileDone
	tileSmall // free, and in the pocket that is being looked at
	tileBig   // free, and not in a pocket
)

// tileMany is as far as neighbours are counted; a vertex that has so many is
// hard to take, and neither given back nor part of a pocket.
const tileMany = 255

// tileFew is up to how many neighbours starts of components are told apart.
const tileFew = 9

// A tileVertex is what growing must know of a vertex, in one word of memory.
type tileVertex struct {
	state  uint8
	free   uint8 // free neighbours, as long as the vertex is free
	inside uint8 // neighbours in the region that grows
	steps  uint8 // from the region's first vertex, as far as known; 0: not met
}

type tiler struct {
	n        int
	out, in  CSR // in: empty unless the graph is directed
	vertices []tileVertex
	both     []uint32 // a list of neighbors

	order       []uint32 // full regions from the front, others from the back
	front, back int
	seeds       []uint32 // free neighbours of regions, some taken since
	nextSeed    int
	scan        int   // vertices before it are no start
	few         uint8 // neighbours that a start may have

	queue    tileQueue
	grown    []uint32 // of the region, in order: what comes first is connected
	absorbed []uint32 // of the region: pockets
	met      []uint32 // free neighbours, some taken since
	walked   []uint32 // by the search for pockets: those
	pockets  []int    // where each ends in walked
	big      []uint32 // what else has been walked
}

func newTiler(g *Graph, workers int) *tiler {
	t := &tiler{n: g.N(), out: g.out, vertices: mem.Make[tileVertex](g.N()), order: mem.Make[uint32](g.N()), back: g.N(), few: 1}
	if g.directed {
		t.in = g.In()
	}
	parallel.Range(workers, t.n, 1<<14, func(_, lo, hi int) {
		var both []uint32
		for v := uint32(lo); v < uint32(hi); v++ {
			count := len(t.out.Neighbors(v))
			if g.directed {
				both = union(both[:0], t.out.Neighbors(v), t.in.Neighbors(v))
				count = len(both)
			}
			t.vertices[v].free = uint8(min(count, tileMany))
		}
	})
	t.isolated()
	return t
}

// neighbors returns the other ends of the arcs at v, which in a directed graph
// occur once, until it is called again.
func (t *tiler) neighbors(v uint32) []uint32 {
	if t.in.Offsets.Len() == 0 {
		return t.out.Neighbors(v)
	}
	t.both = union(t.both[:0], t.out.Neighbors(v), t.in.Neighbors(v))
	return t.both
}

// union appends what is in one of two sorted lists.
func union(to, a, b []uint32) []uint32 {
	for len(a) > 0 || len(b) > 0 {
		var v uint32
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			v, a = a[0], a[1:]
		} else {
			v, b = b[0], b[1:]
		}
		if len(to) == 0 || to[len(to)-1] != v {
			to = append(to, v)
		}
	}
	return to
}

// arcs returns the number of arcs at v: no fewer than neighbors.
func (t *tiler) arcs(v uint32) uint64 {
	if t.in.Offsets.Len() == 0 {
		return t.out.Degree(v)
	}
	return t.out.Degree(v) + t.in.Degree(v)
}

// isolated puts vertices without arcs at the end, in their order.
func (t *tiler) isolated() {
	for v := t.n - 1; v >= 0; v-- {
		if t.vertices[v].free == 0 {
			t.vertices[v].state = tileDone
			t.back--
			t.order[t.back] = uint32(v)
		}
	}
}

// seed returns where the next region starts, None when all is done. While
// no seed is waiting, nothing of the components that are left is done.
func (t *tiler) seed() uint32 {
	for ; t.nextSeed < len(t.seeds); t.nextSeed++ {
		if v := t.seeds[t.nextSeed]; t.vertices[v].state == tileFree {
			return v
		}
	}
	t.seeds, t.nextSeed = t.seeds[:0], 0
	for t.front < t.back {
		for ; t.scan < t.n; t.scan++ {
			if x := t.vertices[t.scan]; x.state == tileFree && (x.free <= t.few || t.few == tileFew) {
				return uint32(t.scan)
			}
		}
		t.few, t.scan = t.few+1, 0
	}
	return None
}

// place hands the region's vertices their places, and its free neighbours to
// the seeds. What is at the back is turned round in the end.
func (t *tiler) place() {
	full := t.size() == TileSize
	for _, list := range [2][]uint32{t.grown, t.absorbed} {
		for _, v := range list {
			t.vertices[v].state = tileDone
			if full {
				t.order[t.front] = v
				t.front++
			} else {
				t.back--
				t.order[t.back] = v
			}
		}
	}
	for _, v := range t.met {
		x := &t.vertices[v]
		x.inside, x.steps = 0, 0
		if x.state == tileFree {
			t.seeds = append(t.seeds, v)
		}
	}
	t.queue.clear()
}
