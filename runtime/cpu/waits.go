package cpu

import (
	"slices"

	"gopregel/pregel"
)

// waits are the vertices that wait for their priority, as a list while they are few: so
// that where a thin frontier goes through a large graph, and few vertices wait, to raise
// the priority costs two looks at each of those, not one at every word of a set of all.
type waits struct {
	// If listed, whoever waits is in it; who is in it may wait no more, or be in it twice.
	vertices []uint32
	listed   bool
	most     int // in the list: as many as a set of all vertices has words, and one worker goes through
}

// add adds vertices that have begun to wait.
func (s *waits) add(vs []uint32) {
	if s.listed = s.listed && len(s.vertices)+len(vs) <= s.most; s.listed {
		s.vertices = append(s.vertices, vs...)
	}
}

// release raises the current priority when no vertex below it is left awake.
func (r *edgeRun) release() error {
	if r.front.count > 0 || r.waiting == 0 {
		return nil
	}
	r.pool.Phase("release")
	if r.listWaits() {
		return r.releaseList()
	}
	bounds := r.bySend
	if r.waiting <= serialArcs {
		bounds = []uint32{0, uint32(r.n)}
	}
	least := make([]uint64, len(bounds)-1)
	err := r.pool.For(len(least), func(i int, w *pregel.Worker) {
		least[i] = r.task.LeastWaiting(bounds[i], bounds[i+1])
	})
	if err != nil {
		return err
	}
	priority := slices.Min(least)
	r.task.SetPriority(priority)
	err = r.ranges(bounds, func(lo, hi uint32, w *pregel.Worker) { r.task.Release(lo, hi, priority, w, r.next) })
	r.collect(true)
	return err
}

// listWaits lists who waits, if they are few.
func (r *edgeRun) listWaits() bool {
	s := &r.waits
	if !s.listed && r.waiting <= uint64(s.most) {
		s.vertices, s.listed = r.task.Waiting().AppendTo(s.vertices[:0]), true
	}
	return s.listed
}

// releaseList is release of those that are listed.
func (r *edgeRun) releaseList() error {
	err := r.pool.alone(1, func(_ int, w *pregel.Worker) {
		r.waits.vertices = r.task.ReleaseList(r.waits.vertices, w)
	})
	r.collect(false)
	return err
}
