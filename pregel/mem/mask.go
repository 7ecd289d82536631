package mem

import "unsafe"

// This file makes 64 bits of 64 numbers. A pull asks so for each block of vertices, and
// where few of them are looked at beside, that is a tenth of a superstep.

// Rows tells which of 64 rows have some numbers, and which more than one. Row i is that from
// bounds[i] to bounds[i+1].
func Rows[B uint32 | uint64](bounds *[65]B) (some, several uint64) {
	if some, several, done := rows(bounds); done {
		return some, several
	}
	for k := range 64 {
		none, one := uint64(0), uint64(0)
		switch bounds[k+1] - bounds[k] {
		case 0:
			none = 1
		case 1:
			one = 1
		}
		some |= (1 - none) << k
		several |= (1 - none - one) << k
	}
	return some, several
}

// Unlike tells which of up to 64 words are not x.
func Unlike[W uint32 | uint64](words []W, x W) (set uint64) {
	if len(words) == 64 {
		if set, done := unlike(words, x); done {
			return set
		}
	}
	for k, y := range words {
		bit := uint64(0)
		if y != x {
			bit = 1
		}
		set |= bit << k
	}
	return set
}

// Others tells which of up to 64 elements of a slice that is Swappable have other bits than x.
func Others[T any](s []T, x T) (set uint64) {
	if first := unsafe.SliceData(s); unsafe.Sizeof(x) == 4 {
		return Unlike(unsafe.Slice(bits32(first), len(s)), *bits32(&x))
	} else {
		return Unlike(unsafe.Slice(bits64(first), len(s)), *bits64(&x))
	}
}
