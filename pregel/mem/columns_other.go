//go:build !amd64 || race

package mem

func unzip(_, _, _ []uint32, _ *eights) int                 { return 0 }
func widen(_ []int64, _ []uint32, _ int64, _ *eights) int   { return 0 }
func extent(_ []uint32, _ *eights) int                      { return 0 }
func fill[T any]([]T, T) int                                { return 0 }
func split([]int64, []uint32, []uint64, int64, *eights) int { return 0 }
