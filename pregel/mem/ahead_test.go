package mem_test

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gopregel/pregel/mem"
)

// To ask for numbers changes nothing and faults nowhere: with any number of indices, those of
// the list's ends and of no list at all, for numbers of all widths, near and far.
func TestPrefetch(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 10, 5 << 20} {
		asks(t, n, func(i int) uint8 { return uint8(i) })
		asks(t, n, func(i int) float32 { return float32(i) })
		asks(t, n, func(i int) int64 { return int64(i) })
		asks(t, n, func(i int) [3]uint32 { return [3]uint32{uint32(i)} })
	}
}

// Nor does it by indices of 64 bits.
func TestPrefetchAt(t *testing.T) {
	list := []uint32{7, 8, 9}
	at := []uint64{0, 2, 3, 1 << 20, 1 << 40, math.MaxUint64}
	for k := range len(at) + 1 {
		asked := slices.Clone(at[k:])
		mem.PrefetchAt(list, asked)
		mem.PrefetchAt([]float32(nil), nil)
		if !slices.Equal(asked, at[k:]) || !slices.Equal(list, []uint32{7, 8, 9}) {
			t.Fatalf("of %d indices: %v and %v are left", len(at)-k, asked, list)
		}
	}
}

// Nor does it by where rows begin, of both widths, within the list and beyond it.
func TestPrefetchFirst(t *testing.T) {
	list := []uint32{7, 8, 9}
	firsts[uint32](t, list, 0, 3, 1<<20, math.MaxUint32)
	firsts[uint64](t, list, 0, 3, 1<<40, math.MaxUint64)
}

func firsts[B uint32 | uint64](t *testing.T, list []uint32, begins ...B) {
	t.Helper()
	var bounds [65]B
	for k := range bounds {
		bounds[k] = begins[k%len(begins)]
	}
	asked := bounds
	for _, run := range []uint64{0, 1, 1 << 63, rand.Uint64(), math.MaxUint64} {
		mem.PrefetchFirst(list, &asked, run)
		mem.PrefetchFirst(nil, &asked, run)
		if asked != bounds || !slices.Equal(list, []uint32{7, 8, 9}) {
			t.Fatalf("rows %x: %v and %v are left", run, asked, list)
		}
	}
}

func asks[T comparable](t *testing.T, n int, of func(i int) T) {
	t.Helper()
	list := make([]T, n)
	for i := range list {
		list[i] = of(i)
	}
	at := []uint32{0, uint32(max(n, 1) - 1), uint32(n), math.MaxUint32, math.MaxInt32}
	for range 30 {
		at = append(at, rand.Uint32())
	}
	for k := range at {
		asked := slices.Clone(at[k:])
		mem.Prefetch(list, asked)
		mem.PrefetchAll(list[min(k, n):])
		if !slices.Equal(asked, at[k:]) {
			t.Fatalf("%d numbers: other indices than before", n)
		}
	}
	for i, x := range list {
		if x != of(i) {
			t.Fatalf("number %d of %d is %v", i, n, x)
		}
	}
}

// Who may ask is told by the width of the numbers, on processors where asking does anything.
func TestPrefetches(t *testing.T) {
	if four := mem.Prefetches[float32](); four != (runtime.GOARCH == "amd64") || mem.Prefetches[uint64]() != four {
		t.Errorf("of 4 bytes %v, of 8 %v", four, mem.Prefetches[uint64]())
	}
	if mem.Prefetches[uint8]() || mem.Prefetches[[3]uint32]() {
		t.Error("numbers of other widths can be asked for")
	}
}
