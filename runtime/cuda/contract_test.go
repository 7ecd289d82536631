//go:build cuda || emulate

package cuda_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/runtime/cpu"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// kernelsEnv names a folder for compiled kernels that test processes share,
// definesEnv macros for them. With singlyEnv all engines have Options.Singly.
const (
	kernelsEnv = "GOPREGEL_KERNELS"
	definesEnv = "GOPREGEL_DEFINES"
	singlyEnv  = "GOPREGEL_SINGLY"
)

func kernelCache(t *testing.T) string {
	if dir := os.Getenv(kernelsEnv); dir != "" {
		return dir
	}
	return t.TempDir()
}

// device skips the test where there is none.
func device(t *testing.T) {
	t.Helper()
	list, err := driver.Devices()
	if errors.Is(err, driver.ErrNoDevice) || errors.Is(err, driver.ErrNotBuilt) {
		t.Skip("no CUDA device: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Log("device: ", list[0].Name)
}

// open makes an engine, or skips the test where there is no device.
func open(t *testing.T, o cuda.Options) *cuda.Engine {
	t.Helper()
	device(t)
	if o.Cache == "" {
		o.Cache = kernelCache(t)
	}
	o.Defines = append(o.Defines, strings.Fields(os.Getenv(definesEnv))...)
	o.Singly = o.Singly || os.Getenv(singlyEnv) != ""
	e, err := cuda.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// TestContract holds the device to the contract, in all directions. It compiles
// over a thousand programs: PREGELTEST_PART spreads them over processes, which may
// share compiled ones by GOPREGEL_KERNELS.
func TestContract(t *testing.T) {
	contract(t, func(c pregeltest.Config) bool { return c.Workers == 1 }, cuda.Options{}, nil)
}

// TestContractWide takes a sixth of the trials, with offsets of 64 bits.
func TestContractWide(t *testing.T) {
	sixth(t)
	contract(t, func(c pregeltest.Config) bool { return c.Workers == 1 && c.Direction == pregel.Auto && !c.Strict }, cuda.Options{Wide: true}, nil)
}

// TestContractRanked takes a sixth of the trials, with ranks wherever they can be
// made.
func TestContractRanked(t *testing.T) {
	sixth(t)
	contract(t, func(c pregeltest.Config) bool { return c.Workers == 1 && c.Direction == pregel.Pull }, cuda.Options{}, (*cuda.Engine).RankAll)
}

// sixth makes the part of the suite a sixth of what it was.
func sixth(t *testing.T) {
	part, of := 1, 1
	if text := os.Getenv("PREGELTEST_PART"); text != "" {
		if _, err := fmt.Sscanf(text, "%d/%d", &part, &of); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PREGELTEST_PART", fmt.Sprintf("%d/%d", 6*part-rand.IntN(6), 6*of))
}

// contract runs the suite in the configurations that are asked for; workers mean
// nothing to a device.
func contract(t *testing.T, offers func(pregeltest.Config) bool, o cuda.Options, alter func(*cuda.Engine)) {
	device(t)
	o.Cache, o.Singly = kernelCache(t), os.Getenv(singlyEnv) != ""
	engines := map[pregeltest.Config]*cuda.Engine{}
	pregeltest.Contract(t, func(c pregeltest.Config) pregel.Engine {
		if !offers(c) {
			return nil
		}
		if engines[c] == nil {
			o.Direction, o.Strict = c.Direction, c.Strict
			o.Host = cpu.New(cpu.Options{Workers: 2, Direction: c.Direction, Strict: c.Strict})
			e, err := cuda.Open(o)
			if err != nil {
				panic(err) // the subtest's own T is not at hand
			}
			t.Cleanup(func() { e.Close() })
			if alter != nil {
				alter(e)
			}
			engines[c] = e
		}
		return engines[c]
	})
	oneRule := strings.Contains(flag.Lookup("test.run").Value.String(), "/") // it may be one of vertex programs
	for c, e := range engines {
		t.Logf("%v: %d runs on the device", c, e.Runs())
		if e.Runs() == 0 && !oneRule {
			t.Errorf("%v: nothing ran on the device", c)
		}
	}
}
