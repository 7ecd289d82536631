package cpu_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

func newEngine(c pregeltest.Config) pregel.Engine {
	if race.On && c.Workers != 3 {
		return nil
	}
	e := cpu.New(cpu.Options{Workers: c.Workers, Direction: c.Direction, Strict: c.Strict, Schedule: c.Schedule})
	if c.Workers == 3 && c.Direction == pregel.Auto && !c.Strict { // graphs are small: by themselves thin frontiers are one worker's
		e.Share(3)
	}
	return e
}

// Under the race detector it is a third of the suite, unless the environment says which part.
func TestContract(t *testing.T) {
	if race.On && os.Getenv("PREGELTEST_PART") == "" {
		t.Setenv("PREGELTEST_PART", fmt.Sprintf("%d/3", 1+rand.IntN(3)))
	}
	pregeltest.Contract(t, newEngine)
}
