package pregeltest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"pgregory.net/rapid"

	"gopregel/pregel"
)

// A Config is one way to run an engine. An engine that knows nothing of a part
// of it ignores that part.
type Config struct {
	Workers   int
	Direction pregel.Direction
	Strict    bool // float sums and Any are the same, bit for bit, in every run
	Schedule  pregel.Schedule
}

func (c Config) String() string {
	text := fmt.Sprintf("workers=%d,%v", c.Workers, c.Direction)
	if c.Strict {
		text += ",strict"
	}
	if c.Schedule != pregel.AutoSchedule {
		text += "," + c.Schedule.String()
	}
	return text
}

// Configs returns the configurations in which all must hold.
func Configs() []Config {
	var list []Config
	for _, workers := range []int{1, 2, 3, 8} {
		for _, d := range []pregel.Direction{pregel.Auto, pregel.Push, pregel.Pull} {
			list = append(list, Config{Workers: workers, Direction: d}, Config{Workers: workers, Direction: d, Strict: true})
		}
	}
	return list
}

// ordered tells whether a configuration promises that results which depend on
// the order of messages are the same in every run.
func (c Config) ordered() bool { return c.Strict || c.Direction == pregel.Pull }

// seedName is the environment variable that repeats a run.
const seedName = "PREGELTEST_SEED"

// newSeed returns a fresh seed, or the one asked for, and notes it in the test's
// log.
func newSeed(t rapid.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if text := os.Getenv(seedName); text != "" {
		asked, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			t.Fatalf("%s: %v", seedName, err)
		}
		seed = asked
	}
	t.Logf("%s=%d", seedName, seed)
	return seed
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15)) }
