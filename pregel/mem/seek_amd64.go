//go:build !race

package mem

func seekRows(found *[64]uint32, set []uint64, at []uint32, bounds []uint64, from, run uint64) (hit uint64, done bool) {
	wide := uint64(0)
	if vectors && len(set) <= 1<<26 { // numbers of words of 32 bits have no sign
		wide = 1
	}
	return seekRowsBy(found, set, at, bounds, from, run, wide)
}

//go:noescape
func seekRowsBy(found *[64]uint32, set []uint64, at []uint32, bounds []uint64, from, run, wide uint64) (hit uint64, done bool)
