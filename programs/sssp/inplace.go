package sssp

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"gopregel/pregel"
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
// itself as long as it is little, without waiting for the others.
//
// Minimum is idempotent and distances only fall, so the end is the same as that
// of the program in sssp.go, whatever the order: distance(v) is the least fixed
// point of distance(v) = min(distance(u) + w). How many supersteps it takes is
// not. With schedule bsp, determinism strict, or a direction, the program runs.
//
// Invariant: a vertex whose distance was lowered since its arcs were last looked
// at is in a bucket of that distance, or before it; buckets before the current
// one are empty.
//
// (Meyer, Sanders, Δ-stepping, J. Algorithms 2003; Zhang and others, Optimizing
// ordered graph algorithms with GraphIt, CGO 2020, whose bucket fusion this is.)

// buckets are those that one worker has filled.
type buckets struct {
	ring   [][]uint32          // buckets from base on, ringSize of them
	far    []uint32            // vertices of buckets beyond
	spare  [][]uint32          // empty lists
	counts pregel.VertexCounts // of this superstep
	seen   uint32              // what was read ahead, so that it is read
	_      [64]byte            // the lists of two workers are never on one cache line
}

// taken is a list that a worker has filled.
type taken struct {
	by   int
	list []uint32
}

const (
	ringSize = 1 << 12
	// A worker goes on by itself with a bucket of fewer vertices.
	fuseBelow = 1 << 10
	// pieceSize vertices are given to a worker at a time. A bucket of fewer than
	// aloneBelow is one worker's, who does so many in a superstep; one of fewer than
	// pacedBelow is for several if that is faster.
	pieceSize    = 1 << 5
	aloneBelow   = 1 << 7
	aloneBuckets = 1 << 4
	pacedBelow   = 1 << 12
)

// relaxing is a run; its supersteps are those of a vertex program.
type relaxing[T distance] struct {
	g       *graph.Graph
	source  uint32
	dist    []T
	far     T
	limit   T       // distances are to stay below it
	perStep float64 // 1 over the width of a step; 0: the width is 2^shift
	shift   uint

	byWorker []buckets
	taken    []taken    // the bucket under way
	pieces   [][]uint32 // the same, cut
	base     uint64
	current  uint64 // from base on; those before it are empty
	pending  uint64
	pace     parallel.Pace
	chosen   pregel.Choice
	tooFar   atomic.Bool // a distance has reached the limit
}

func (r *relaxing[T]) Name() string               { return "sssp" }
func (r *relaxing[T]) Graph() *graph.Graph        { return r.g }
func (r *relaxing[T]) Barrier(int) pregel.Verdict { return pregel.Verdict{Halt: r.tooFar.Load()} }
func (r *relaxing[T]) Pending() uint64            { return r.pending }

func (r *relaxing[T]) Begin(workers int) error {
	r.byWorker = make([]buckets, workers)
	for i := range r.byWorker {
		r.byWorker[i].ring = make([][]uint32, ringSize)
	}
	return nil
}

// Init puts the source into the first bucket.
func (r *relaxing[T]) Init(p pregel.Pool) error {
	const part = 1 << 16
	n := len(r.dist)
	err := p.For((n+part-1)/part, func(i int, _ *pregel.Worker) {
		for v := i * part; v < min(n, (i+1)*part); v++ {
			r.dist[v] = r.far
		}
	})
	r.dist[r.source] = 0
	r.pieces, r.pending = [][]uint32{{r.source}}, 1
	return err
}

// Superstep looks at the arcs of the current bucket's vertices.
func (r *relaxing[T]) Superstep(_ int, p pregel.Pool) (sum pregel.VertexCounts, err error) {
	begin, paced := time.Now(), r.pending >= aloneBelow && r.pending < pacedBelow
	alone := p.Workers() == 1 || r.pending < aloneBelow || paced && !r.pace.Together()
	r.choose(p.Workers(), alone)
	if alone {
		err = p.For(1, func(_ int, w *pregel.Worker) { r.alone(w) })
	} else {
		together := p.For
		if paced {
			together = p.Brief
		}
		err = together(len(r.pieces), func(i int, w *pregel.Worker) { r.work(r.pieces[i], w) })
		r.next()
	}
	for i := range r.byWorker {
		c := &r.byWorker[i].counts
		sum.Computed += c.Computed
		sum.Sent += c.Sent
		sum.Atomics += c.Atomics
		*c = pregel.VertexCounts{}
	}
	if paced {
		r.pace.Note(sum.Sent, time.Since(begin))
	}
	return sum, err
}

// alone does all of the current bucket, and goes on with those that follow while they
// are little.
func (r *relaxing[T]) alone(w *pregel.Worker) {
	for range aloneBuckets {
		for _, us := range r.pieces {
			r.work(us, w)
		}
		r.next()
		if r.pending == 0 || r.pending >= aloneBelow || r.tooFar.Load() {
			return
		}
	}
}

// work looks at the arcs of us, and goes on with what that has put into the
// current bucket as long as it is little.
func (r *relaxing[T]) work(us []uint32, w *pregel.Worker) {
	b := &r.byWorker[w.Slot]
	r.relaxAll(us, b, w)
	at := r.current - r.base
	for rounds := 0; len(b.ring[at]) > 0 && len(b.ring[at]) < fuseBelow && rounds < fuseBelow; rounds++ {
		list := b.ring[at]
		b.ring[at] = b.empty()
		r.relaxAll(list, b, w)
		b.spare = append(b.spare, list[:0])
	}
}

// empty returns a list to fill.
func (b *buckets) empty() []uint32 {
	k := len(b.spare)
	if k == 0 {
		return nil
	}
	list := b.spare[k-1]
	b.spare = b.spare[:k-1]
	return list
}

// bucket is the number of the step that a distance belongs to.
func (r *relaxing[T]) bucket(d T) uint64 {
	if r.perStep != 0 {
		return uint64(min(float64(d)*r.perStep, 1<<62))
	}
	return uint64(d) >> r.shift
}

// next makes the least bucket that is not empty the current one, and cuts it
// into pieces.
func (r *relaxing[T]) next() {
	r.recycle()
	for r.current != math.MaxUint64 {
		for ; r.current < r.base+ringSize; r.current++ {
			if r.take() {
				return
			}
		}
		r.nearest()
	}
}

// recycle keeps the lists of the bucket that is done.
func (r *relaxing[T]) recycle() {
	for _, t := range r.taken {
		b := &r.byWorker[t.by]
		b.spare = append(b.spare, t.list[:0])
	}
	r.taken, r.pieces, r.pending = r.taken[:0], r.pieces[:0], 0
}

// take takes the vertices of the current bucket, and tells whether there are any.
func (r *relaxing[T]) take() bool {
	at := r.current - r.base
	for i := range r.byWorker {
		b := &r.byWorker[i]
		list := b.ring[at]
		b.ring[at] = nil
		if len(list) > 0 {
			r.taken = append(r.taken, taken{i, list})
			r.pending += uint64(len(list))
		}
	}
	r.cut()
	return r.pending > 0
}

func (r *relaxing[T]) cut() {
	for _, t := range r.taken {
		for list := t.list; len(list) > 0; {
			k := min(len(list), pieceSize)
			r.pieces = append(r.pieces, list[:k])
			list = list[k:]
		}
	}
}

// nearest moves the empty ring to the least bucket of the vertices beyond it;
// when there are none, to the end.
func (r *relaxing[T]) nearest() {
	end, least := r.base+ringSize, uint64(math.MaxUint64)
	for i := range r.byWorker {
		for _, v := range r.byWorker[i].far {
			if k := r.bucket(r.dist[v]); k >= end {
				least = min(least, k)
			}
		}
	}
	r.base, r.current = least, least
	for i := range r.byWorker {
		b := &r.byWorker[i]
		far := b.far
		b.far = nil
		for _, v := range far {
			if k := r.bucket(r.dist[v]); k >= end { // else it was lowered into the ring
				r.put(b, v, k)
			}
		}
	}
}

// relaxInPlace finds distances, and tells whether they stayed below the limit.
func relaxInPlace[T distance](ctx context.Context, j *pregel.Job, source uint32, far, limit, delta T) (pregel.Result[T], bool) {
	r := &relaxing[T]{g: j.Graph, source: source, dist: mem.Make[T](j.Graph.N()), far: far, limit: limit}
	if isFloat := T(1)/2 != 0; isFloat {
		r.perStep = min(1/float64(delta), math.MaxFloat64) // 0 times infinity is no bucket
	} else {
		for uint64(1)<<r.shift < uint64(delta) {
			r.shift++
		}
	}
	stop := j.RunTask(ctx, r)
	return pregel.Result[T]{Values: r.dist, Stop: stop}, !r.tooFar.Load()
}

// inPlace finds distances in place. Those of whole numbers are tried in 32 bits,
// which is half the memory to go through.
func inPlace[T distance](ctx context.Context, j *pregel.Job, s *SSSP, source uint32, far T, most float64) (Paths[T], error) {
	delta := width[T](s.Delta, most/narrower(j.Graph), j.Graph)
	if far32, isInt := uint32(math.MaxUint32), T(1)/2 == 0; isInt && most < 1<<31 && float64(delta) < 1<<31 {
		result, ok := relaxInPlace(ctx, j, source, far32, 1<<31, uint32(delta))
		if result.Stop.Err != nil {
			return Paths[T]{}, result.Stop.Err
		}
		if ok {
			narrow, err := pathsOf(ctx, j, source, result, far32, false)
			wide := widened(narrow.Distance, far)
			mem.Give(narrow.Distance)
			return Paths[T]{Distance: wide, Parent: narrow.Parent, Stop: narrow.Stop}, err
		}
	}
	result, _ := relaxInPlace(ctx, j, source, far, far, delta)
	if result.Stop.Err != nil {
		return Paths[T]{}, result.Stop.Err
	}
	return pathsOf(ctx, j, source, result, far, false)
}

// narrower is by how much steps are narrower than those of the program, as a superstep
// costs less. Measured at delta 1, 2, 4, …: on Kronecker and uniform graphs wider ones
// relax arcs in vain (2.2 times as many on Kronecker 20), while on grids and roads narrower
// ones leave a bucket too few vertices for two workers.
func narrower(g *graph.Graph) float64 {
	return min(max(float64(g.Arcs())/float64(max(g.N(), 1))/2, 2), 8)
}

func widened[T distance](list []uint32, far T) []T {
	wide := mem.Take[T](len(list))
	parallel.Range(0, len(list), 1<<14, func(_, lo, hi int) {
		for v, d := range list[lo:hi] {
			wide[lo+v] = T(d)
			if d == math.MaxUint32 {
				wide[lo+v] = far
			}
		}
	})
	return wide
}
