package mem

import (
	"runtime"
	"sync"
)

// A Shelf keeps things for whoever needs one next, until two garbage collections have passed
// since they were given. A sync.Pool often has none for who asks on another processor than
// the one where they were given, as a run does that begins after a collection.
type Shelf[T any] struct {
	mu         sync.Mutex
	young, old []T  // given since the last collection; before
	watched    bool // a sentinel waits for the next one
}

// Take returns what was given last, if there is anything.
func (s *Shelf[T]) Take() (x T, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, kept := range []*[]T{&s.young, &s.old} {
		if last := len(*kept) - 1; last >= 0 {
			x, ok = (*kept)[last], true
			clear((*kept)[last:])
			*kept = (*kept)[:last]
			break
		}
	}
	return x, ok
}

// Give keeps x: whoever gives it uses it no more.
func (s *Shelf[T]) Give(x T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.young = append(s.young, x)
	s.watch()
}

// watch has the next garbage collection call age. The shelf is locked.
func (s *Shelf[T]) watch() {
	if !s.watched {
		s.watched = true
		runtime.SetFinalizer(new([16]byte), func(*[16]byte) { s.age() })
	}
}

func (s *Shelf[T]) age() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.young, s.old = nil, s.young
	if s.watched = false; len(s.old) > 0 {
		s.watch()
	}
}
