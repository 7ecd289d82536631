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
	shortRun    = 32  // edges
)

// deal is a list of edges on its way into the order of their ends: they are dealt to
// buckets of lesser ends, and counted out in each. Cost: O(n) where those of a lesser
// end come in order, or nearly so.
type deal struct {
	near, weight []uint32 // edges of vertices to others; graph.None: no edge
	list         []edge   // more edges
	n, workers   int
	shift        int // from lesser ends to buckets
	starts       [dealPieces][dealBuckets]int
	buckets      [dealBuckets + 1]int
}

// ascending returns edges in the order of their ends: those to the vertices in near,
// with their weights, and those of a list.
func (s *span) ascending(near, weight []uint32, list []edge) []edge {
	d := &deal{near: near, weight: weight, list: list, n: len(near) + len(list), workers: s.job.Engine.Pool().Workers()}
	d.shift = max(bits.Len(uint(s.n))-bits.Len(dealBuckets-1), 0)
	size := max((d.n+dealPieces-1)/dealPieces, 1)
	parallel.Range(d.workers, d.n, size, func(_, lo, hi int) { d.count(&d.starts[lo/size], lo, hi) })
	dealt := mem.Make[edge](d.places())
	parallel.Range(d.workers, d.n, size, func(_, lo, hi int) { d.place(&d.starts[lo/size], lo, hi, dealt) })
	edges := mem.Make[edge](len(dealt))
	parallel.Range(d.workers, dealBuckets, 1, func(_, b, _ int) {
		lo, hi := d.buckets[b], d.buckets[b+1]
		countOut(dealt[lo:hi], edges[lo:hi], uint32(b)<<d.shift, 1<<d.shift)
	})
	mem.Give(dealt)
	return edges
}

// at returns edge i.
func (d *deal) at(i int) (e edge, is bool) {
	if i >= len(d.near) {
		return d.list[i-len(d.near)], true
	}
	v := d.near[i]
	return edge{min(uint32(i), v), max(uint32(i), v), d.weight[i]}, v != graph.None
}

// count counts a piece's edges of each bucket.
func (d *deal) count(starts *[dealBuckets]int, lo, hi int) {
	for i := lo; i < hi; i++ {
		if e, is := d.at(i); is {
			starts[e.u>>d.shift]++
		}
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
	for i := lo; i < hi; i++ {
		if e, is := d.at(i); is {
			next := &starts[e.u>>d.shift]
			dealt[*next] = e
			*next++
		}
	}
}

// countOut puts edges whose lesser ends are of so many vertices in order.
func countOut(from, to []edge, least uint32, vertices int) {
	if len(from) == 0 {
		return
	}
	next := make([]uint32, vertices+1)
	for _, e := range from {
		next[e.u-least+1]++
	}
	for i := range vertices {
		next[i+1] += next[i]
	}
	for _, e := range from {
		i := &next[e.u-least]
		to[*i] = e
		*i++
	}
	begin := uint32(0)
	for _, end := range next[:vertices] { // now the ends of runs
		sortRun(to[begin:end])
		begin = end
	}
}

// sortRun sorts edges of one lesser end.
func sortRun(run []edge) {
	if len(run) > shortRun {
		slices.SortFunc(run, func(a, b edge) int { return cmp.Compare(a.v, b.v) })
		return
	}
	for i := 1; i < len(run); i++ {
		for k := i; k > 0 && run[k-1].v > run[k].v; k-- {
			run[k-1], run[k] = run[k], run[k-1]
		}
	}
}
