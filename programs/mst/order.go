package mst

import (
	"cmp"
	"math/bits"
	"slices"

	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

const (
	dealPieces  = 64
	dealBuckets = 256 // of lesser ends, at most
	dealBlock   = 256 // edges
	shortRun    = 32  // edges
)

// deal is a list of edges on its way into the order of their ends: they are dealt to
// buckets of lesser ends, and counted out in each. Cost: O(n) where those of a lesser
// end come in order, or nearly so.
type deal struct {
	near, weight []uint32 // edges of vertices to others; graph.None: no edge
	list         []edge   // more edges
	n, workers   int
	size         int // of a piece
	shift        int // from lesser ends to buckets
	total        int // edges
	starts       [dealPieces][dealBuckets]int
	buckets      [dealBuckets + 1]int
}

// deal begins with the edges to the vertices in near, with their weights, and those of
// a list.
func (s *span) deal(near, weight []uint32, list []edge) *deal {
	d := &deal{near: near, weight: weight, list: list, n: len(near) + len(list), workers: s.job.Engine.Pool().Workers()}
	d.shift = max(bits.Len(uint(s.n))-bits.Len(dealBuckets-1), 0)
	d.size = max((d.n+dealPieces-1)/dealPieces, 1)
	parallel.Range(d.workers, d.n, d.size, func(_, lo, hi int) { d.count(&d.starts[lo/d.size], lo, hi) })
	d.total = d.places()
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
	dealt := mem.Take[edge](d.total)
	parallel.Range(d.workers, d.n, d.size, func(_, lo, hi int) { d.place(&d.starts[lo/d.size], lo, hi, dealt) })
	counts := make([]counter, d.workers)
	parallel.Range(d.workers, dealBuckets, 1, func(w, b, _ int) {
		lo, hi := d.buckets[b], d.buckets[b+1]
		put(lo, counts[w].out(dealt[lo:hi], uint32(b)<<d.shift, 1<<d.shift))
	})
	mem.Give(dealt)
}

// count counts a piece's edges of each bucket.
func (d *deal) count(starts *[dealBuckets]int, lo, hi int) {
	for u, v := range d.near[min(lo, len(d.near)):min(hi, len(d.near))] {
		one := 1
		if v == graph.None {
			one = 0
		}
		starts[min(uint32(lo+u), v)>>d.shift] += one
	}
	for i := max(lo, len(d.near)); i < hi; i++ {
		starts[d.list[i-len(d.near)].u>>d.shift]++
	}
}

// blocks calls f with the edges from lo to hi, a block after the other. Those of vertices
// are put together without branches: chance says which are there.
func (d *deal) blocks(lo, hi int, f func([]edge)) {
	var block [dealBlock]edge
	for near := min(hi, len(d.near)); lo < near; {
		end, n := min(lo+dealBlock, near), 0
		for i, v := range d.near[lo:end] {
			u := uint32(lo + i)
			block[n&(dealBlock-1)] = edge{min(u, v), max(u, v), d.weight[u]}
			if v != graph.None {
				n++
			}
		}
		f(block[:n])
		lo = end
	}
	if lo < hi {
		f(d.list[lo-len(d.near) : hi-len(d.near)])
	}
}

// places turns counts into where they begin, and returns how many edges there are.
func (d *deal) places() (total int) {
	for b := range dealBuckets {
		d.buckets[b] = total
		for p := range d.starts {
			d.starts[p][b], total = total, total+d.starts[p][b]
		}
	}
	d.buckets[dealBuckets] = total
	return total
}

// place puts a piece's edges into their buckets.
func (d *deal) place(starts *[dealBuckets]int, lo, hi int, dealt []edge) {
	d.blocks(lo, hi, func(edges []edge) {
		for _, e := range edges {
			next := &starts[e.u>>d.shift]
			dealt[*next] = e
			*next++
		}
	})
}

// counter is a worker's room to count a bucket out.
type counter struct {
	next []uint32
	to   []edge
	_    [64]byte
}

// out returns edges whose lesser ends are of so many vertices in order.
func (c *counter) out(from []edge, least uint32, vertices int) []edge {
	if len(from) == 0 {
		return nil
	}
	c.next = append(c.next[:0], make([]uint32, vertices+1)...)
	c.to = slices.Grow(c.to[:0], len(from))[:len(from)]
	next, to := c.next, c.to
	for i := range from {
		next[from[i].u-least+1]++
	}
	sum, longest := uint32(0), uint32(0)
	for i, k := range next {
		sum, longest = sum+k, max(longest, k)
		next[i] = sum
	}
	for _, e := range from {
		i := &next[e.u-least]
		to[*i] = e
		*i++
	}
	sortRuns(to, next[:vertices], longest)
	return to
}

// sortRuns sorts edges, of which the lesser ends ascend, by the others. Given are where the
// runs of one lesser end are over, and how long the longest is. Most edges are in their place.
func sortRuns(edges []edge, ends []uint32, longest uint32) {
	if longest <= shortRun {
		sortRun(edges)
		return
	}
	begin := uint32(0)
	for _, end := range ends {
		if run := edges[begin:end]; len(run) > shortRun {
			slices.SortFunc(run, func(a, b edge) int { return cmp.Compare(a.v, b.v) })
		} else {
			sortRun(run)
		}
		begin = end
	}
}

// sortRun is sortRuns for short runs.
func sortRun(edges []edge) {
	for i := 1; i < len(edges); i++ {
		for k := i; k > 0 && edges[k-1].u == edges[k].u && edges[k-1].v > edges[k].v; k-- {
			edges[k-1], edges[k] = edges[k], edges[k-1]
		}
	}
}
