package sssp

import (
	"fmt"

	"gopregel/pregel"
	"gopregel/pregel/bitmap"
)

// State shows the labels, and who is in a bucket that has not been looked at since
// its distance was lowered: in the current one, or in one behind it.
func (r *relaxing[T]) State() pregel.State {
	awake := bitmap.New(len(r.dist))
	note := func(list []uint32) {
		for _, v := range list {
			if r.bucket(r.dist[v]) >= r.current {
				awake.Set(v)
			}
		}
	}
	for i := range r.byWorker {
		r.byWorker[i].each(note)
	}
	return pregel.State{Program: r.Name(), Values: r.dist, Awake: awake, Priority: r.current, Exact: true}
}

// Restore takes a state: all who are awake go into buckets again.
func (r *relaxing[T]) Restore(s pregel.State) error {
	dist, ok := s.Values.([]T)
	if !ok || len(dist) != len(r.dist) || len(s.Awake) != (len(dist)+63)/64 {
		return fmt.Errorf("program %s: a state with %d words of awake vertices and %T of %d, want %d", r.Name(), len(s.Awake), s.Values, len(dist), len(r.dist))
	}
	copy(r.dist, dist)
	for part := range r.byWorker[0].seen {
		r.byWorker[0].seen[part] = true
	}
	r.base, r.current = s.Priority, s.Priority
	for _, v := range s.Awake.AppendTo(nil) {
		k := r.bucket(r.dist[v])
		if k < r.current {
			return fmt.Errorf("program %s: a state in which vertex %d waits in bucket %d, before the current one, %d", r.Name(), v, k, r.current)
		}
		r.put(&r.byWorker[0], v, k)
	}
	r.next()
	return nil
}
