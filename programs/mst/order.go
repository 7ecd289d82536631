package mst

import (
	"math/bits"
	"slices"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

const (
	mostPieces  = 64
	pieceEdges  = 1 << 10 // in a piece at least, but for the only one
	dealBuckets = 256     // of lesser ends, at most
	dealBlock   = 256     // edges
	shortRun    = 32      // edges
)

// deal is a list of edges on its way into the order of their ends: they are dealt to
// buckets of lesser ends, and counted out in each. An edge of a vertex whose lesser end is
// in the vertex's own bucket is not dealt, but found there. Cost: O(n) where those of a lesser
// end come in order, or nearly so.
type deal struct {
	near, weight []uint32 // edges of vertices to others; graph.None: no edge
	list         []edge   // more edges
	workers      int
	shift        int                  // from lesser ends to buckets
	total        int                  // edges
	dealt        int                  // of them
	starts       [][dealBuckets]int   // of pieces
	buckets      [dealBuckets + 1]int // where they begin among those dealt
	own          [dealBuckets + 1]int // edges found in a bucket; where those of all begin
}

// deal begins with the edges to the vertices in near, with their weights, and those of
// a list.
func (s *span) deal(near, weight []uint32, list []edge) *deal {
	return dealOf(s.job.Engine.Pool().Workers(), s.n, near, weight, list)
}

// dealOf is deal for ends below n.
func dealOf(workers, n int, near, weight []uint32, list []edge) *deal {
	d := &deal{near: near, weight: weight, list: list, workers: workers}
	d.shift = max(bits.Len(uint(n))-bits.Len(dealBuckets-1), 0)
	d.starts = make([][dealBuckets]int, min(max((len(near)+len(list))/pieceEdges, 1), mostPieces))
	parallel.Range(d.workers, len(d.starts), 1, func(_, p, _ int) { d.count(p) })
	d.places()
	return d
}

// ascending returns the edges of a list, whose use it ends, in their order.
func (s *span) ascending(list []edge) []edge {
	edges := mem.Take[edge](len(list))
	s.deal(nil, nil, list).ascending(func(at int, run []edge) { copy(edges[at:], run) })
	mem.Give(list)
	return edges
}

// ascending calls put, from several workers, with runs of the edges that follow each
// other in their order, and the place of the first. A run is good until put returns.
func (d *deal) ascending(put func(at int, run []edge)) {
	d.inBuckets(func(_, b int, run []edge) { put(d.own[b], run) })
}

// inBuckets calls f, from several workers, with each bucket and its edges in order.
func (d *deal) inBuckets(f func(worker, b int, run []edge)) {
	dealt := mem.Take[edge](d.dealt)
	parallel.Range(d.workers, len(d.starts), 1, func(_, p, _ int) { d.place(&d.starts[p], p, dealt) })
	counts := make([]counter, d.workers)
	parallel.Range(d.workers, dealBuckets, 1, func(w, b, _ int) {
		c := &counts[w]
		c.from = d.find(append(c.from[:0], dealt[d.buckets[b]:d.buckets[b+1]]...), b)
		f(w, b, c.out(uint32(b)<<d.shift, 1<<d.shift))
	})
	mem.Give(dealt)
}

// bucket returns the vertices of a bucket, as far as they have edges.
func (d *deal) bucket(b int) (lo, hi int) {
	return min(b<<d.shift, len(d.near)), min((b+1)<<d.shift, len(d.near))
}

// count counts a piece's edges: those found in a bucket, and those dealt to each.
func (d *deal) count(p int) {
	starts, block := &d.starts[p], new([dealBlock]uint32)
	for b := p * dealBuckets / len(d.starts); b < (p+1)*dealBuckets/len(d.starts); b++ {
		edges := 0
		d.others(b, block, func(others []uint32, none int) {
			edges -= len(others) + none
			for _, u := range others {
				starts[d.near[u]>>d.shift]++
			}
		})
		lo, hi := d.bucket(b)
		d.own[b] = hi - lo + edges
	}
	for _, e := range d.share(p) {
		starts[e.u>>d.shift]++
	}
}

// share is what a piece has of the list.
func (d *deal) share(p int) []edge {
	return d.list[p*len(d.list)/len(d.starts) : (p+1)*len(d.list)/len(d.starts)]
}

// others calls f for blocks of a bucket's vertices, with those whose edges are dealt to others,
// and how many have none. It finds them without branches: chance says which they are. They are
// in block, which is the caller's, so that there is one for many buckets.
func (d *deal) others(b int, block *[dealBlock]uint32, f func(vertices []uint32, none int)) {
	least := uint32(b << d.shift)
	for lo, hi := d.bucket(b); lo < hi; lo += dealBlock {
		n, none := 0, 0
		for i, v := range d.near[lo:min(lo+dealBlock, hi)] {
			block[n&(dealBlock-1)] = uint32(lo + i)
			n += int(uint64(int64(v)-int64(least)) >> 63)
			none += int((uint64(v) + 1) >> 32)
		}
		f(block[:n], none)
	}
}

// find appends the edges that are found in a bucket to a list.
func (d *deal) find(list []edge, b int) []edge {
	lo, hi := d.bucket(b)
	n := len(list)
	list = slices.Grow(list, hi-lo+1)[:n+hi-lo+1]
	for i, v := range d.near[lo:hi] {
		u := uint32(lo + i)
		list[n] = edge{min(u, v), max(u, v), d.weight[u]}
		next := n
		if int(v>>d.shift) >= b {
			next = n + 1
		}
		if v == graph.None {
			next = n
		}
		n = next
	}
	return list[:n]
}

// places turns counts into where they begin, and tells how many edges there are.
func (d *deal) places() {
	for b := range dealBuckets {
		d.buckets[b] = d.dealt
		for p := range d.starts {
			d.starts[p][b], d.dealt = d.dealt, d.dealt+d.starts[p][b]
		}
		d.own[b], d.total = d.total, d.total+d.own[b]+d.dealt-d.buckets[b]
	}
	d.buckets[dealBuckets], d.own[dealBuckets] = d.dealt, d.total
}

// place puts a piece's edges into their buckets.
func (d *deal) place(starts *[dealBuckets]int, p int, dealt []edge) {
	block := new([dealBlock]uint32)
	for b := p * dealBuckets / len(d.starts); b < (p+1)*dealBuckets/len(d.starts); b++ {
		d.others(b, block, func(others []uint32, _ int) {
			for _, u := range others {
				v := d.near[u]
				next := &starts[v>>d.shift]
				dealt[*next] = edge{v, u, d.weight[u]}
				*next++
			}
		})
	}
	for _, e := range d.share(p) {
		next := &starts[e.u>>d.shift]
		dealt[*next] = e
		*next++
	}
}
