package pregel

import (
	"cmp"
	"math/bits"
	"slices"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// This file sorts tables of edges, which are as long as graphs: rows are dealt to
// buckets by their lesser ends, in order, and each bucket is sorted where caches hold it,
// both by all workers. Cost: O(n + m), and O(k log k) for k edges of one lesser end.

// SortEdges puts the rows of a table of undirected edges, in columns source and
// target, into ascending order, lesser ends first. Of parallel edges, what comes first
// stays first.
func SortEdges(workers int, t *Table) {
	source, err := t.Column("source")
	target, err2 := t.Column("target")
	if err != nil || err2 != nil || t.Rows() == 0 {
		return
	}
	us, vs := source.Vertices, target.Vertices
	parallel.Range(workers, len(us), rows, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			us[i], vs[i] = min(us[i], vs[i]), max(us[i], vs[i])
		}
	})
	order := edgeOrder(workers, us, vs)
	defer mem.Give(order)
	before := Table{Columns: slices.Clone(t.Columns)}
	for k := range t.Columns {
		c := &t.Columns[k]
		c.Vertices, c.Counts = permuted(workers, order, c.Vertices), permuted(workers, order, c.Counts)
		c.Ints, c.Floats = permuted(workers, order, c.Ints), permuted(workers, order, c.Floats)
	}
	before.Release()
}

// permuted has at place i what list has at order[i].
func permuted[T uint32 | int64 | float64](workers int, order []uint32, list []T) []T {
	if list == nil {
		return nil
	}
	to := mem.Take[T](len(list))
	parallel.Range(workers, len(list), rows, func(_, lo, hi int) {
		for i, k := range order[lo:hi] {
			to[lo+i] = list[k]
		}
	})
	return to
}

// A ranked is a row of a table of edges.
type ranked struct{ u, v, row uint32 }

const (
	sortPieces  = 64  // of rows, dealt at the same time
	sortBuckets = 256 // of lesser ends
)

// edgeOrder returns the rows in the order of us, then vs, then rows.
func edgeOrder(workers int, us, vs []uint32) []uint32 {
	shift := max(bits.Len32(slices.Max(us))-bits.Len32(sortBuckets-1), 0)
	size := (len(us) + sortPieces - 1) / sortPieces
	starts := make([][sortBuckets]int, sortPieces)
	parallel.Range(workers, len(us), size, func(_, lo, hi int) {
		for _, u := range us[lo:hi] {
			starts[lo/size][u>>shift]++
		}
	})
	var ends [sortBuckets]int
	sum := 0
	for b := range ends {
		for p := range starts {
			starts[p][b], sum = sum, sum+starts[p][b]
		}
		ends[b] = sum
	}
	dealt := mem.Take[ranked](len(us))
	defer mem.Give(dealt)
	parallel.Range(workers, len(us), size, func(_, lo, hi int) {
		next := &starts[lo/size]
		for i := lo; i < hi; i++ {
			b := us[i] >> shift
			dealt[next[b]] = ranked{us[i], vs[i], uint32(i)}
			next[b]++
		}
	})
	order := mem.Take[uint32](len(us))
	parallel.Range(workers, sortBuckets, 1, func(_, b, _ int) {
		lo := 0
		if b > 0 {
			lo = ends[b-1]
		}
		sortBucket(dealt[lo:ends[b]], order[lo:ends[b]], uint32(b)<<shift, 1<<shift)
	})
	return order
}

// sortBucket puts the rows of a bucket in order, whose lesser ends are from least on:
// they are counted out by these, and sorted within each.
func sortBucket(list []ranked, order []uint32, least uint32, width int) {
	if len(list) == 0 {
		return
	}
	next := make([]uint32, width+1) // by lesser end: places of its rows
	for _, r := range list {
		next[r.u-least+1]++
	}
	for u := range width {
		next[u+1] += next[u]
	}
	out := make([]ranked, len(list))
	for _, r := range list {
		out[next[r.u-least]] = r
		next[r.u-least]++
	}
	begin := uint32(0)
	for _, end := range next[:width] { // now the ends
		if end-begin > 1 {
			slices.SortStableFunc(out[begin:end], func(a, b ranked) int { return cmp.Compare(a.v, b.v) })
		}
		begin = end
	}
	for i, r := range out {
		order[i] = r.row
	}
}
