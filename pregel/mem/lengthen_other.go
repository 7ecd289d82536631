//go:build !amd64 || race

package mem

func lengthen([]uint64, []uint32) (done int) { return 0 }

func float64s[W int32 | float32]([]float64, []W) (done int) { return 0 }

func differences[B uint32 | uint64]([]uint32, []B) (done int) { return 0 }
