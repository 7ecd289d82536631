package cpu_test

import (
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

func TestContract(t *testing.T) { pregeltest.Contract(t, newEngine) }
