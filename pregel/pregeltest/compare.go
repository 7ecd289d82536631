package pregeltest

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
)

// same tells whether two values are equal to the last bit. NaN is the same as
// NaN, 0 is not the same as -0.
func same(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && (math.Float64bits(x) == math.Float64bits(y) || x != x && y != y)
	case float32:
		y, ok := b.(float32)
		return ok && (math.Float32bits(x) == math.Float32bits(y) || x != x && y != y)
	}
	return reflect.DeepEqual(a, b)
}

// difference says where two columns differ first, "" if nowhere.
func difference[V any](got, want []V, equal func(a, b V) bool) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d values, want %d", len(got), len(want))
	}
	count, first := 0, -1
	for v := range got {
		if !equal(got[v], want[v]) {
			count++
			if first < 0 {
				first = v
			}
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("vertex %d has %v, want %v (%d of %d vertices differ)", first, got[first], want[first], count, len(got))
}

// differs is difference to the last bit.
func differs[V any](got, want []V) string {
	switch x := any(got).(type) {
	case []uint64: // most columns of the contract, and equal
		if slices.Equal(x, any(want).([]uint64)) {
			return ""
		}
	case []uint8:
		if slices.Equal(x, any(want).([]uint8)) {
			return ""
		}
	}
	return difference(got, want, func(a, b V) bool { return same(a, b) })
}

func sortedKeys[K cmp.Ordered, T any](m map[K]T) []K { return slices.Sorted(maps.Keys(m)) }

// mix scrambles numbers into one (the finaliser of SplitMix64, chained).
func mix(xs ...uint64) uint64 {
	h := uint64(0x2545F4914F6CDD1D)
	for _, x := range xs {
		h = (h ^ x) + 0x9E3779B97F4A7C15
		h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
		h = (h ^ h>>27) * 0x94D049BB133111EB
		h ^= h >> 31
	}
	return h
}

// near tells whether two numbers differ by no more than a share of the larger.
func near(a, b, share float64) bool {
	return a == b || math.Abs(a-b) <= share*max(math.Abs(a), math.Abs(b))
}
