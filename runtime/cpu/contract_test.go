package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/runtime/cpu"
)

func newEngine(c pregeltest.Config) pregel.Engine {
	if underRace && c.Workers != 3 {
		return nil
	}
	return cpu.New(cpu.Options{Workers: c.Workers, Direction: c.Direction, Strict: c.Strict, Schedule: c.Schedule})
}

// Under the race detector it is one half of the suite, or the other.
func TestContract(t *testing.T) {
	if underRace {
		t.Setenv("PREGELTEST_PART", fmt.Sprintf("%d/2", 1+rand.IntN(2)))
	}
	pregeltest.Contract(t, newEngine)
}
