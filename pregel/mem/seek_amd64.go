//go:build !race

package mem

//go:noescape
func seekRows(found *[64]uint32, set []uint64, at []uint32, bounds []uint64, from, run uint64) (hit uint64, done bool)
