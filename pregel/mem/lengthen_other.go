//go:build !amd64 || race

package mem

func lengthen([]uint64, []uint32) (done int) { return 0 }
