package cpu

import (
	"time"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
)

// This file pushes and applies in one, for thin frontiers of programs whose message is
// the sender (pregel.Traits.Forwards): by one worker alone, or by several, each with a
// share of the frontier. What they compute is the same, and nothing in a trace tells
// who did. Which is faster the run finds out (parallel.Pace), as it hangs on the
// machine: on a quiet one two workers gain, on one that gives away a processor each
// waits for the other.

// shareWork is the least of a share: arcs and vertices.
const shareWork = 1 << 8

func (r *edgeRun) forward() error {
	r.front.asList()
	r.front.ascend()
	work := r.front.arcs + r.front.count
	shares := int(min(work/shareWork, uint64(r.engine.Workers)))
	switch {
	case r.engine.shares > 0:
		return r.forwardShares(r.engine.shares)
	case shares <= 1 || !r.pool.team.lingers:
		return r.forwardOne()
	}
	begin := time.Now()
	var err error
	if r.pace.Together() {
		err = r.forwardShares(shares)
	} else {
		err = r.forwardOne()
	}
	r.pace.Note(work, time.Since(begin))
	return err
}

func (r *edgeRun) forwardOne() error {
	err := r.pool.alone(1, func(_ int, w *pregel.Worker) { r.task.Forward(r.front.list, w) })
	r.collect(false)
	return err
}

// forwardShares is forward by so many workers.
func (r *edgeRun) forwardShares(n int) error {
	r.shares.equal(len(r.front.list), n)
	r.shares.cut(r.front.list, r.n)
	if err := r.gatherShares(); err != nil {
		return err
	}
	return r.applyShares()
}

// gatherShares sends for the shares that have been cut.
func (r *edgeRun) gatherShares() error {
	s := &r.shares
	r.task.Shares(s.bounds)
	return r.pool.For(len(s.front), func(k int, w *pregel.Worker) {
		r.task.GatherShare(k, s.front[k], w)
	})
}

// applyShares applies what they have gathered, and makes the next frontier of it.
func (r *edgeRun) applyShares() error {
	s := &r.shares
	n := len(s.front)
	err := r.pool.For(n, func(k int, w *pregel.Worker) {
		from := len(w.Next)
		r.task.ApplyShare(k, w)
		s.next[k] = s.sorters[k].ascend(append(s.next[k][:0], w.Next[from:]...), s.bounds[k], s.bounds[k+1])
		w.Next = w.Next[:from]
	})
	r.collect(false)
	for _, list := range s.next[:n] {
		r.front.list = append(r.front.list, list...)
	}
	r.front.ascends = true
	return err
}

// shares are the parts of a frontier that workers do at the same time.
type shares struct {
	ends    []int      // of their parts of the frontier, about
	bounds  []uint32   // of the vertices whose messages each takes
	front   [][]uint32 // their parts of the frontier
	next    [][]uint32 // and of the next one
	sorters []sorter
	marks   bitmap.Bitmap // all of theirs
}

// equal has parts of a frontier of so many vertices be equal.
func (s *shares) equal(size, parts int) {
	s.ends = s.ends[:0]
	for k := range parts {
		s.ends = append(s.ends, size*(k+1)/parts)
	}
}

// byArcs has parts of a frontier send along about as many arcs, of which all send along so many.
func (s *shares) byArcs(list []uint32, c *graph.CSR, arcs uint64, parts int) {
	s.ends = s.ends[:0]
	work, all, i := uint64(0), arcs+uint64(len(list)), 0
	for k := range uint64(parts) {
		for ; i < len(list) && work < all*(k+1)/uint64(parts); i++ {
			work += c.Degree(list[i]) + 1
		}
		s.ends = append(s.ends, i)
	}
}

// cut cuts an ascending frontier of a graph of n vertices at the bounds of 64 vertices before where its parts end.
func (s *shares) cut(list []uint32, n int) {
	parts := len(s.ends)
	if s.marks == nil {
		s.marks = bitmap.New(n)
	}
	for len(s.sorters) < parts {
		s.sorters = append(s.sorters, sorter{n: n, marks: s.marks, sums: bitmap.New((n + 63) / 64)})
		s.next = append(s.next, nil)
	}
	s.bounds, s.front = append(s.bounds[:0], 0), s.front[:0]
	at := 0
	for k := 1; k < parts; k++ {
		to, bound := at, s.bounds[k-1]
		if i := s.ends[k-1]; i > at && i < len(list) {
			bound = list[i] &^ 63
			for to = i; to > at && list[to-1] >= bound; to-- {
			}
		}
		s.bounds, s.front = append(s.bounds, bound), append(s.front, list[at:to])
		at = to
	}
	s.bounds, s.front = append(s.bounds, uint32(n)), append(s.front, list[at:])
}
