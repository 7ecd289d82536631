//go:build cuda

package cuda_test

import (
	"errors"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// open makes an engine, or skips the test where there is no device.
func open(t *testing.T, o cuda.Options) *cuda.Engine {
	t.Helper()
	e, err := cuda.Open(o)
	if errors.Is(err, driver.ErrNoDevice) {
		t.Skip("no CUDA device: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// TestContract holds the device to the contract. Workers mean nothing to it, so
// two of them stand for 64-bit offsets.
func TestContract(t *testing.T) {
	cache := t.TempDir()
	engines := map[pregeltest.Config]*cuda.Engine{}
	pregeltest.Contract(t, func(c pregeltest.Config) pregel.Engine {
		if c.Workers > 2 || c.Workers == 2 && (c.Strict || c.Direction != pregel.Auto) {
			return nil
		}
		if engines[c] == nil {
			engines[c] = open(t, cuda.Options{Direction: c.Direction, Strict: c.Strict, Wide: c.Workers == 2,
				Host: cpu.New(cpu.Options{Workers: 2, Direction: c.Direction, Strict: c.Strict}), Cache: cache})
		}
		return engines[c]
	})
	for c, e := range engines {
		t.Logf("%v: %d runs on the device", c, e.Runs())
		if e.Runs() == 0 {
			t.Errorf("%v: nothing ran on the device", c)
		}
	}
}
