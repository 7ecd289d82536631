package mem_test

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
	"unsafe"

	"gopregel/pregel/mem"
	"gopregel/pregel/parallel"
)

const many = 1 << 18 // elements: above the least size that is kept

func at[T any](s []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(s)) }

// uncollected keeps the collector off until the test ends: it takes what lies spare, and
// where others have the machine it may run twice between a Give and a Take.
func uncollected(t *testing.T) {
	percent := debug.SetGCPercent(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	mem.Drop()
}

// What was given is taken again, by the size in bytes, once; Make clears it.
func TestGiveAndTake(t *testing.T) {
	uncollected(t)
	a := mem.Take[uint64](many)
	for i := range a {
		a[i] = ^uint64(0)
	}
	mem.Give(a)
	if b := mem.Take[uint64](many + 1); at(b) == at(a) {
		t.Fatal("Take of another size has the memory")
	}
	b := mem.Take[[2]uint32](many)
	if at(b) != at(a) || len(b) != many {
		t.Fatalf("Take after Give: %d elements at %p, want %d at %p", len(b), at(b), many, at(a))
	}
	if c := mem.Take[uint64](many); at(c) == at(a) {
		t.Fatal("memory taken twice")
	}
	mem.Give(b)
	mem.Give(a) // the same memory
	c := mem.Make[float64](many)
	if at(c) != at(a) {
		t.Error("Make after Give takes other memory")
	}
	for i, x := range c {
		if x != 0 {
			t.Fatalf("Make after Give: element %d is %v", i, x)
		}
	}
	if d := mem.Take[uint64](many); at(d) == at(a) {
		t.Fatal("memory that was given twice is taken twice")
	}
	mem.Give(c)
	mem.Drop()
	if d := mem.Make[uint64](many); at(d) == at(a) {
		t.Error("memory taken that was dropped")
	}
}

// What was given blank is taken by who asks for that, and is still so; nobody else gets it.
func TestBlank(t *testing.T) {
	uncollected(t)
	a, blank := mem.TakeBlank[uint64](many)
	if blank {
		t.Fatal("memory that nobody has given is blank")
	}
	mem.Fill(a, ^uint64(0))
	mem.GiveBlank(a[:many/2]) // not all of it
	mem.GiveBlank(a)
	if b := mem.Take[uint64](many); at(b) == at(a) {
		t.Error("Take has blank memory")
	}
	b, blank := mem.TakeBlank[uint32](2 * many)
	if !blank || at(b) != unsafe.Pointer(at(a)) {
		t.Fatalf("TakeBlank after GiveBlank: %p, blank: %v, want %p", at(b), blank, at(a))
	}
	for i, x := range b {
		if x != ^uint32(0) {
			t.Fatalf("number %d is %d", i, x)
		}
	}
	if c, blank := mem.TakeBlank[uint64](many); blank || at(c) == at(a) {
		t.Error("blank memory is taken twice")
	}
	mem.Give(b)
	if _, blank := mem.TakeBlank[uint64](many); blank {
		t.Error("what Give has is blank")
	}
	if small, _ := mem.TakeBlank[uint32](8); len(small) != 8 {
		t.Errorf("%d numbers, want 8", len(small))
	}
}

// The whole of an array is kept, whatever part of it was given; what holds pointers,
// is small, or does not begin where words do, is not kept.
func TestGiveKeepsWhatItMay(t *testing.T) {
	uncollected(t)
	a := mem.Make[uint32](many)
	mem.Give(a[:10])
	if b := mem.Take[uint32](many); at(b) != at(a) {
		t.Error("part of an array: not kept")
	}
	p := mem.Make[*int](many)
	mem.Give(p)
	if b := mem.Take[uint64](many); at(b) == unsafe.Pointer(at(p)) {
		t.Error("an array of pointers is kept")
	}
	if b := mem.Take[*int](many); b[0] != nil {
		t.Error("Take of pointers has some")
	}
	small := mem.Make[byte](100)
	mem.Give(small)
	if b := mem.Take[byte](100); at(b) == at(small) {
		t.Error("a small array is kept")
	}
	odd := make([]byte, many+1)[1:]
	mem.Give(odd)
	if b := mem.Take[uint64](many / 8); at(b) == at(odd) {
		t.Error("an array at an odd place is kept")
	}
}

// What nobody takes is the collector's again after a while.
func TestSpareMemoryIsCollected(t *testing.T) {
	mem.Drop()
	freed := make(chan bool)
	func() {
		a := mem.Make[uint64](many)
		runtime.AddCleanup(&a[0], func(int) { close(freed) }, 0)
		mem.Give(a)
	}()
	collectUntil(t, freed)
}

// collectUntil has garbage collected until something is gone: what tells of that runs when it
// gets a processor.
func collectUntil(t *testing.T, gone <-chan bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; {
		runtime.GC()
		select {
		case <-gone:
			return
		case <-time.After(time.Millisecond):
		}
		if time.Now().After(deadline) {
			t.Fatal("still kept after two minutes of garbage collections")
		}
	}
}

// Goroutines that take and give at the same time never have the same memory.
func TestGiveAndTakeTogether(t *testing.T) {
	parallel.Do(8, func(worker int) {
		for i := range 200 {
			s := mem.Take[uint64](1<<13 + i%3)
			for k := range s {
				s[k] = uint64(worker)
			}
			runtime.Gosched()
			for k := range s {
				if s[k] != uint64(worker) {
					panic("somebody else has this array")
				}
			}
			mem.Give(s)
		}
	})
}

// Carve takes from the start of bytes what fits, for what it may lie in, and leaves whole cache
// lines.
func TestCarve(t *testing.T) {
	all := mem.Bytes(make([]uint64, 64))
	for _, c := range []struct {
		from, size, n int
		ok            bool
		left          int // bytes
	}{
		{0, 512, 1, true, 448}, {0, 512, 8, true, 448}, {0, 512, 9, true, 384}, {0, 512, 64, true, 0}, {0, 500, 62, true, 0},
		{8, 64, 8, true, 0}, {0, 511, 64, false, 511}, {0, 512, 65, false, 512}, {4, 64, 1, false, 64}, {0, 512, 0, false, 512}, {0, 0, 1, false, 0},
	} {
		b := all[c.from:][:c.size]
		s, rest := mem.Carve[[1]uint64](b, c.n)
		if (s != nil) != c.ok || len(rest) != c.left || c.ok && (len(s) != c.n || at(s) != unsafe.Pointer(unsafe.SliceData(b))) {
			t.Errorf("%d of %d bytes from %d: %d, %d bytes left, want %v and %d", c.n, c.size, c.from, len(s), len(rest), c.ok, c.left)
		}
	}
	if s, rest := mem.Carve[*int](all, 1); s != nil || len(rest) != len(all) {
		t.Error("pointers are carved of bytes")
	}
}
