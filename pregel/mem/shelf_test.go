package mem_test

import (
	"runtime"
	"testing"

	"gopregel/pregel/mem"
)

// What is given is taken once, the last first, also after a collection; when there were some
// more it is gone.
func TestShelf(t *testing.T) {
	uncollected(t)
	var s mem.Shelf[*int]
	if _, ok := s.Take(); ok {
		t.Fatal("an empty shelf has something")
	}
	for i := range 3 {
		s.Give(&i)
	}
	for want := 2; want >= 1; want-- {
		if x, ok := s.Take(); !ok || *x != want {
			t.Fatalf("found %v %v, want %d", x, ok, want)
		}
	}
	runtime.GC()
	if x, ok := s.Take(); !ok || *x != 0 {
		t.Fatalf("after a collection: found %v %v, want 0", x, ok)
	}
	if _, ok := s.Take(); ok {
		t.Fatal("taken twice")
	}
}

// What nobody takes is the heap's again.
func TestShelfAges(t *testing.T) {
	var s mem.Shelf[*[64]int]
	gone := make(chan bool)
	x := new([64]int)
	runtime.SetFinalizer(x, func(*[64]int) { close(gone) })
	s.Give(x)
	collectUntil(t, gone)
	if _, ok := s.Take(); ok {
		t.Fatal("it is still there")
	}
}
