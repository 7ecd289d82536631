//go:build !amd64 || race

package mem

func seekRows[B uint32 | uint64](_ *[64]uint32, _ []uint64, _ []uint32, _ []B, _, _ uint64) (uint64, bool) {
	return 0, false
}

func seekFirst[B uint32 | uint64](*[64]uint32, []uint64, []uint32, *[65]B, uint64) (uint64, bool) {
	return 0, false
}
