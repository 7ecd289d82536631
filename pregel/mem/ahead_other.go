//go:build !amd64

package mem

func readAhead[T any]([]T, []uint32) {}
