package check_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/check"
	"gopregel/pregel/pregeltest"
)

// TestContract holds the interpreter to what engines promise: a sixteenth of it, each
// time another.
func TestContract(t *testing.T) {
	t.Setenv("PREGELTEST_PART", fmt.Sprintf("%d/16", 1+rand.IntN(16)))
	pregeltest.Contract(t, func(c pregeltest.Config) pregel.Engine {
		if c.Workers != 1 || c.Direction != pregel.Auto || c.Strict {
			return nil // it knows no configurations
		}
		return check.Interpreter()
	})
}
