package pregel

import (
	"fmt"
	"testing"

	"gopregel/pregel/bitmap"
	"gopregel/pregel/graph"
	"gopregel/pregel/mem"
)

// A seeker asks for nothing beyond the range that it is to look at, wherever that ends: there is
// neither a row nor a bit of who is settled.
func TestSeekerAhead(t *testing.T) {
	for n := 1; n < 5*BlockSize; n += 21 {
		narrow, wide := mem.NarrowOffsets(make([]uint32, n+1)), mem.WideOffsets(make([]uint64, n+1))
		for _, offsets := range []graph.Offsets{narrow, wide} {
			s := seeker{c: graph.CSR{Offsets: offsets, Targets: make([]uint32, n)}, asks: true}
			asksWithin(t, &s, n, nil)
			asksWithin(t, &s, n, bitmap.New(n))
		}
	}
}

func asksWithin(t *testing.T, s *seeker, n int, settled bitmap.Bitmap) {
	t.Helper()
	for i := range bitmap.New(n) {
		if said := panics(func() { s.ahead(i, uint32(n), settled) }); said != "" {
			t.Fatalf("%d vertices, block %d, settled %v, wide %v: %s", n, i, settled != nil, s.c.Offsets.Wide(), said)
		}
	}
}

// Where a list of neighbours fits the caches nothing is asked for.
func TestSeekerAsks(t *testing.T) {
	for n, want := range map[int]bool{0: false, askFrom - 1: false, askFrom: true} {
		s := seeker{full: true, vain: true}
		s.over(graph.CSR{Targets: make([]uint32, n)}, &Worker{})
		if s.asks != want || s.full || s.vain {
			t.Errorf("%d neighbours: asks %v, want %v; full %v, vain %v of before", n, s.asks, want, s.full, s.vain)
		}
	}
}

// panics returns what a function panics with; "": it does not.
func panics(f func()) (said string) {
	defer func() {
		if x := recover(); x != nil {
			said = fmt.Sprint(x)
		}
	}()
	f()
	return ""
}
