package mem_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gopregel/pregel/mem"
)

// Reading ahead changes nothing and faults nowhere: with any number of indices, those of
// the list's ends and of no list at all, for numbers of all widths, near and far.
func TestReadAhead(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 10, 5 << 20} {
		readsAhead(t, n, func(i int) uint8 { return uint8(i) })
		readsAhead(t, n, func(i int) float32 { return float32(i) })
		readsAhead(t, n, func(i int) int64 { return int64(i) })
		readsAhead(t, n, func(i int) [3]uint32 { return [3]uint32{uint32(i)} })
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

func readsAhead[T comparable](t *testing.T, n int, of func(i int) T) {
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
		mem.ReadAhead(list, asked)
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

// Numbers are near each other if the first and the last read lie within a quarter of a
// megabyte of a list that fits no cache; those of a small list need no asking.
func TestNear(t *testing.T) {
	const far, span = 16 << 20, 1 << 18 // bytes
	list := make([]float32, far/4)
	row := func(at ...uint32) []uint32 { return at }
	for _, c := range []struct {
		name string
		list []float32
		at   []uint32
		near bool
	}{
		{"side by side", list, row(9, 7, 8), true},
		{"one", list, row(3), true},
		{"as far as counts", list, row(0, span/4-1), true},
		{"farther", list, row(0, span/4), false},
		{"farther, descending", list, row(span/4, 0), false},
		{"one of many", list, slices.Insert(make([]uint32, 7), 3, far/4-1), false},
		{"none", list, nil, false},
		{"a short list", list[:len(list)-1], row(9, 7, 8), false},
	} {
		if near := mem.Near(c.list, c.at); near != c.near {
			t.Errorf("%s: near is %v", c.name, near)
		}
	}
	if wide := make([]float64, far/8); !mem.Near(wide, row(0, span/8-1)) || mem.Near(wide, row(0, span/8)) {
		t.Error("of float64: not by bytes")
	}
}
