//go:build !amd64 || race

package mem

const hasVectors = false

func affine[T float32 | float64](_, _ []T, _, _ float64, _ *lanes) int { return 0 }
func affineEmpty[T float32 | float64](_, _ []T, _ Offsets, _, _ float64, _, _ *lanes) int {
	return 0
}
func sumEmpty[T float32 | float64](_ []T, _ Offsets, _ *lanes) int { return 0 }
func shares[T float32 | float64](_, _ []T, _ Offsets) int          { return 0 }
