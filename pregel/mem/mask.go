package mem

// This file makes 64 bits of 64 numbers. A pull asks so for each block of vertices, and
// where few of them are looked at beside, that is a tenth of a superstep.

// Rows tells which of 64 rows have numbers, of which row i is that from bounds[i] to
// bounds[i+1].
func Rows(bounds *[65]uint64) (set uint64) {
	if set, done := rows(bounds); done {
		return set
	}
	for k := range 64 {
		bit := uint64(0)
		if bounds[k] != bounds[k+1] {
			bit = 1
		}
		set |= bit << k
	}
	return set
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
