//go:build emulate

package cuda_test

import (
	"testing"

	"gopregel/runtime/cuda"
)

// A device that is lost leaves no values: on one that is not emulated TestFault sees to it.
func TestLeavesZeros(t *testing.T) {
	leavesZeros(t, open(t, cuda.Options{}))
}
