package sssp

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

// This file is delta-stepping on shared memory that lowers distances in place.
//
// A message is not kept for the next superstep: whoever finds a shorter way
// lowers the distance at once, by compare and swap, and puts the vertex into a
// bucket of its own, by distance. A superstep takes the least bucket that is not
// empty from all workers; a worker goes on with what it has put into that bucket
// itself as long as it is little, without waiting for the others. On a small graph one worker
// does it all.
//
// Minimum is idempotent and distances only fall, so the end is the same as that
// of the program in sssp.go, whatever the order: distance(v) is the least fixed
// point of distance(v) = min(distance(u) + w). How many supersteps it takes is
// not. With schedule bsp, determinism strict, or a direction, the program runs.
//
// Where all weights are whole numbers above 0, and distances below 2^31, a label is a
// way: the distance, and in the lower half of the word the vertex before. Of two ways
// the lesser is the shorter one, or by the lesser vertex; and as every vertex offers its
// last distance along all its arcs, the least way is by the least vertex that parents.go
// would find, which took a fifth of the time. Where no parents are wanted a label is a
// distance alone, of half the bytes.
//
// Invariant: a vertex whose distance was lowered since its arcs were last looked
// at is in a bucket of that distance, or before it, unless it is a dead end other than the
// source; buckets before the current one are empty.
//
// A dead end is never looked at: what leads back brings nobody nearer, as no weight is
// negative. On networks, webs and roads they are a seventh to three quarters of the vertices.
//
// (Meyer, Sanders, Δ-stepping, J. Algorithms 2003; Zhang and others, Optimizing
// ordered graph algorithms with GraphIt, CGO 2020, whose bucket fusion this is.)

const (
	// A worker goes on by itself with a bucket of fewer vertices, and, where there are others
	// to help, of fewer arcs.
	fuseBelow = 1 << 10
	fuseArcs  = 1 << 13
	// pieceSize vertices are given to a worker at a time. A bucket of fewer than
	// aloneBelow is one worker's, who does so many in a superstep; one of fewer than
	// pacedBelow is for several if that is faster. These are for vertices of usualArcs;
	// of such as have more, fewer are as much work.
	usualArcs    = 1 << 2
	pieceSize    = 1 << 5
	aloneBelow   = 1 << 7
	aloneBuckets = 1 << 4
	pacedBelow   = 1 << 10
	// All buckets are one worker's where the graph has no more vertices and arcs. So few labels
	// lie in few lines, which workers take from each other: swaps were a third of two workers'
	// time on 18 772 vertices, and one alone took a fifth less than both.
	aloneVertices = 1 << 15
	aloneArcs     = 1 << 20
)

// relaxing is a run; its supersteps are those of a vertex program.
type relaxing[T label] struct {
	g       *graph.Graph
	source  uint32
	dist    []T
	first   T       // of the source
	far     T       // of what is not reached
	limit   T       // labels are to stay below it
	perStep float64 // 1 over the width of a step; 0: the width is 2^shift, of labels
	shift   uint
	unit    T             // what a weight of 1 adds to a label
	up      uint          // a way has its distance from this bit on; 0: labels are distances
	keys    []uint32      // by which the vertices of ways are compared; nil: by themselves
	blank   bool          // all labels are far as they are
	partBit uint          // a part has the vertices whose numbers are equal from this bit on
	dead    bitmap.Bitmap // who is put into no bucket

	byWorker []buckets[T] // where the graph is small one, of who does item 0 of a job: slot 0
	base     uint64
	current  uint64 // from base on; those before it are empty
	pending  uint64
	each     uint64 // arcs that a vertex has, by the mean of those looked at last
	small    bool   // the graph: all buckets are one worker's
	one      bool   // worker looks at the current bucket
	ahead    ahead
	pace     parallel.Pace
	chosen   pregel.Choice
	tooFar   atomic.Bool // a distance has reached the limit
}

func (r *relaxing[T]) Name() string               { return "sssp" }
func (r *relaxing[T]) Graph() *graph.Graph        { return r.g }
func (r *relaxing[T]) Folds() bool                { return false }
func (r *relaxing[T]) Barrier(int) pregel.Verdict { return pregel.Verdict{} }

// Pending counts the vertices of the current bucket: none where labels are of no use.
func (r *relaxing[T]) Pending() uint64 {
	if r.tooFar.Load() {
		return 0
	}
	return r.pending
}

func (r *relaxing[T]) Begin(workers int) error {
	if r.small {
		workers = 1
	}
	r.dead = r.g.DeadEnds()
	r.byWorker = make([]buckets[T], workers)
	size := chunkSize(len(r.dist), workers, r.bucket(T(r.g.WeightRange().Most)*r.unit)+2)
	for i := range r.byWorker {
		r.byWorker[i].lists = takeLists(size)
	}
	return nil
}

// Init puts the source into the first bucket.
func (r *relaxing[T]) Init(p pregel.Pool) (err error) {
	const piece = 1 << 14
	n := len(r.dist)
	if !r.blank {
		err = p.For((n+piece-1)/piece, func(i int, _ *pregel.Worker) {
			mem.Fill(r.dist[i*piece:min(n, (i+1)*piece)], r.far)
		})
	}
	first := &r.byWorker[0]
	r.dist[r.source] = r.first
	first.seen[r.source>>r.partBit%parts] = true
	r.put(first, r.source, r.bucket(r.first))
	r.take()
	r.each = r.g.Arcs() / uint64(n)
	return err
}

// Superstep looks at the arcs of the current bucket's vertices.
func (r *relaxing[T]) Superstep(_ int, p pregel.Pool) (sum pregel.VertexCounts, err error) {
	begin, paced := time.Now(), !r.small && r.pending >= r.as(aloneBelow) && r.pending < r.as(pacedBelow)
	alone := p.Workers() == 1 || r.small || r.pending < r.as(aloneBelow) || paced && !r.pace.Together()
	r.choose(p.Workers(), alone)
	if r.one = alone; alone {
		err = r.byOne(p)
	} else {
		workers := min(p.Workers(), int(r.pending/r.as(pieceSize)))
		err = p.For(workers, func(_ int, w *pregel.Worker) { r.share(w) })
		r.next()
	}
	for i := range r.byWorker {
		c := &r.byWorker[i].counts
		sum.Computed += c.Computed
		sum.Sent += c.Sent
		sum.Atomics += c.Atomics
		*c = pregel.VertexCounts{}
	}
	r.measure(&sum)
	if paced {
		r.pace.Note(sum.Sent, time.Since(begin))
	}
	return sum, err
}

// as returns how many vertices of r.each arcs are as much work as so many of usualArcs:
// half of that is a vertex's own.
func (r *relaxing[T]) as(vertices uint64) uint64 {
	return max(vertices*2*usualArcs/(usualArcs+r.each), 1)
}

// measure notes how many arcs vertices have.
func (r *relaxing[T]) measure(c *pregel.VertexCounts) {
	if c.Computed > 0 {
		r.each = c.Sent / c.Computed
	}
}

// alone does all of the current bucket, and goes on with those that follow: on a small graph
// whatever they are, else while they are little.
func (r *relaxing[T]) alone(w *pregel.Worker) {
	for range aloneBuckets {
		r.share(w)
		r.next()
		r.measure(&r.byWorker[w.Slot].counts)
		if r.pending == 0 || !r.small && r.pending >= r.as(aloneBelow) || r.tooFar.Load() {
			return
		}
	}
}

// share does pieces of the current bucket until none is left, those of the worker's own
// list first: what it has reached itself lies in its cache. Then it goes on.
func (r *relaxing[T]) share(w *pregel.Worker) {
	own, size := &r.byWorker[w.Slot], r.vertices()
	for k := range r.byWorker {
		b := &r.byWorker[(w.Slot+k)%len(r.byWorker)]
		for us := b.piece(size); len(us) > 0; us = b.piece(size) {
			r.relaxAll(us, own, w)
		}
	}
	r.finish(own, w)
	r.goOn(own, w)
}

// vertices is how many a worker takes at a time: all if it is alone, else a batch at
// least, as long as all workers have several pieces, for the reads of fewer are not asked for
// before they are needed.
func (r *relaxing[T]) vertices() int {
	if r.one {
		return int(r.pending)
	}
	several := r.pending / uint64(4*len(r.byWorker))
	return int(max(r.as(pieceSize), min(several, pieceSize/2)))
}

// goOn looks at the arcs of what a worker has put into the current bucket itself, as
// long as that is little.
func (r *relaxing[T]) goOn(b *buckets[T], w *pregel.Worker) {
	at, sent := r.current-r.base, b.counts.Sent
	for range fuseBelow {
		n := b.count(at, fuseBelow)
		if n == 0 || n >= fuseBelow {
			return
		}
		more := uint64(n) * b.counts.Sent / max(b.counts.Computed, 1)
		if len(r.byWorker) > 1 && b.counts.Sent-sent+more >= fuseArcs {
			return
		}
		b.own = b.take(at, b.own[:0])
		for _, c := range b.own {
			r.relaxAll(c[chunkHead:], b, w)
		}
		r.finish(b, w)
		b.give(b.own)
	}
}

// set says which graph it is.
func (r *relaxing[T]) set(g *graph.Graph) { r.g, r.partBit = g, partBits(g.N()) }

// begin takes memory for labels.
func (r *relaxing[T]) begin(g *graph.Graph) {
	r.set(g)
	if ones := r.far + 1; ones == 0 {
		r.dist, r.blank = mem.TakeBlank[T](g.N())
	} else {
		r.dist = mem.Take[T](g.N())
	}
}

// run finds labels, and tells whether they stayed below the limit.
func (r *relaxing[T]) run(ctx context.Context, j *pregel.Job, delta T) (pregel.Result[T], bool) {
	if isFloat := T(1)/2 != 0; isFloat {
		// 0 times infinity is no bucket, and 0 stands for steps of whole numbers
		r.perStep = max(min(1/float64(delta), math.MaxFloat64), math.SmallestNonzeroFloat64)
	} else {
		for uint64(1)<<r.shift < uint64(delta) {
			r.shift++
		}
		r.shift += r.up
	}
	stop := j.RunTask(ctx, r, pregel.WithMore())
	if r.current == math.MaxUint64 { // all has been looked at
		r.keep()
	}
	return pregel.Result[T]{Values: r.dist, Stop: stop}, !r.tooFar.Load()
}

// inPlace finds shortest paths in place. Distances that are whole numbers are tried in 32
// bits first: with their parents in one word, or where those need a search, alone, which
// is half the memory to go through. Who looks at values at barriers is shown distances.
func inPlace[T distance](ctx context.Context, j *pregel.Job, s *SSSP, source uint32, far T, least, most float64) (Paths[T], error) {
	delta := width[T](s.Delta, most/narrower(j.Graph), j.Graph)
	if isInt := T(1)/2 == 0; isInt && most < 1<<31 && float64(delta) < 1<<31 {
		short := byDistance[T]
		if s.parents() && least > 0 && j.Barrier == nil {
			short = byWay[T]
		}
		if paths, ok, err := short(ctx, j, s, source, far, uint64(delta)); ok || err != nil {
			return paths, err
		}
	}
	r := &relaxing[T]{source: source, far: far, limit: far, unit: 1, small: s.small(j.Graph)}
	r.begin(j.Graph)
	result, _ := r.run(ctx, j, delta)
	if result.Stop.Err != nil {
		return Paths[T]{}, result.Stop.Err
	}
	return pathsOf(ctx, j, s, source, result, far, false)
}

// byDistance is inPlace with distances in 32 bits; parents, if wanted, are found after it.
func byDistance[T distance](ctx context.Context, j *pregel.Job, s *SSSP, source uint32, far T, delta uint64) (Paths[T], bool, error) {
	r := &relaxing[uint32]{source: source, far: math.MaxUint32, limit: 1 << 31, unit: 1, small: s.small(j.Graph)}
	c, widened := shortColumns(r, j.Graph, far)
	result, ok := r.run(ctx, j, uint32(delta))
	if result.Stop.Err != nil { // workers may have been left behind
		return Paths[T]{}, false, result.Stop.Err
	}
	if !ok {
		if j.Graph.N() < InPlaceFrom {
			mem.Give(result.Values)
		}
		c.give()
		return Paths[T]{}, false, nil
	}
	narrow, err := pathsOf(ctx, j, s, source, result, math.MaxUint32, false)
	if err != nil {
		return Paths[T]{}, false, err
	}
	extent, err := widened(r, c, j.Engine.Pool())
	return Paths[T]{Distance: c.distance, Parent: narrow.Parent, Stop: narrow.Stop, extent: extent}, true, err
}

// shortColumns begins a search with distances in 32 bits, and returns the columns that its answer
// will have, and what makes them.
func shortColumns[T distance](r *relaxing[uint32], g *graph.Graph, far T) (columns[T], func(*relaxing[uint32], columns[T], pregel.Pool) (*extent[T], error)) {
	if r.set(g); g.N() >= InPlaceFrom {
		return columnsOver(r, far), widenedInPlace[T]
	}
	r.begin(g)
	return columnsAhead(r, far, false), widened[T]
}

// small tells whether all buckets are one worker's on a graph.
func (s *SSSP) small(g *graph.Graph) bool {
	return !s.shared && g.N() <= aloneVertices && g.Arcs() <= aloneArcs
}

// narrower is by how much steps are narrower than those of the program, as a superstep
// costs less. Measured at delta 1, 2, 4, …: on Kronecker and uniform graphs wider ones
// relax arcs in vain (2.2 times as many on Kronecker 20), while on grids and roads narrower
// ones leave a bucket too few vertices for two workers.
func narrower(g *graph.Graph) float64 {
	return min(max(float64(g.Arcs())/float64(max(g.N(), 1))/2, 2), 8)
}
