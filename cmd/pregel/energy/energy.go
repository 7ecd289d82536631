// Package energy measures how much energy computing takes: of a GPU through
// NVML (which package driver opens), of CPUs through RAPL, the counters that
// Linux shows in /sys/class/powercap.
package energy

import (
	"context"
	"fmt"
	"time"
)

// A Meter is a counter of energy. Differences count.
type Meter interface {
	Joules() (float64, error)
	Close() error
}

// Used is what runs repeated back to back have used.
type Used struct {
	Meter   string  `json:"meter"` // "NVML" or "RAPL"
	Runs    int     `json:"runs"`
	Seconds float64 `json:"seconds"`
	Joules  float64 `json:"joules"`
	Watts   float64 `json:"watts"`
	// MTEPSPerWatt are the edges of all these runs, in millions, by the joule:
	// what GreenGraph500 ranks by. All energy counts, that of copying answers to
	// the host too.
	MTEPSPerWatt float64 `json:"mteps_per_watt"`
}

// AtLeast is how long runs are repeated: counters advance some ten times a
// second.
const AtLeast = 3 * time.Second

// Measure repeats a round of runs until they have taken long enough. run does
// one of them and returns its edges.
func Measure(ctx context.Context, name string, m Meter, atLeast time.Duration, runs int, run func(i int) (edges uint64, err error)) (*Used, error) {
	before, err := m.Joules()
	if err != nil {
		return nil, err
	}
	u, edges, start := &Used{Meter: name}, 0.0, time.Now()
	for u.Runs == 0 || time.Since(start) < atLeast {
		for i := range runs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			count, err := run(i)
			if err != nil {
				return nil, err
			}
			edges += float64(count)
		}
		u.Runs += runs
	}
	u.Seconds = time.Since(start).Seconds()
	after, err := m.Joules()
	if err != nil {
		return nil, err
	}
	if u.Joules = after - before; u.Joules <= 0 {
		return nil, fmt.Errorf("energy: %s has counted %v J in %.1f s", name, u.Joules, u.Seconds)
	}
	u.Watts, u.MTEPSPerWatt = u.Joules/u.Seconds, edges/u.Joules/1e6
	return u, nil
}
