//go:build cuda || emulate

package cuda_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/programs/pagerank"
	"gopregel/runtime/cuda"
)

// Each kernel of a superstep of a program that tallies takes some of its time, and all
// together no more than it; but the emulated device's clock leaps.
func TestKernelTimes(t *testing.T) {
	e := open(t, cuda.Options{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := random(t, rand.New(rand.NewPCG(seed, 16)), 2000, 60_000, false) // most have more arcs than a lane reads
	leaps, supersteps := strings.HasPrefix(e.Info().Name, "emulated"), 0
	j := &pregel.Job{Graph: g, Engine: e, Detail: func(s *pregel.StepRecord) {
		var sum time.Duration
		names := map[string]bool{}
		for _, p := range s.Detail.Phases {
			if names[p.Name] = true; p.Workers[0] <= 0 {
				t.Errorf("superstep %d: %s took %v", s.Superstep, p.Name, p.Workers[0])
			}
			sum += p.Workers[0]
		}
		if !names["pull"] || !names["gather"] || sum > s.Time && !leaps {
			t.Errorf("superstep %d of %v: %v", s.Superstep, s.Time, s.Detail.Phases)
		}
		supersteps++
	}}
	if _, err := (&pagerank.PageRank{Damping: 0.85, Iterations: 4}).Run(t.Context(), j); err != nil || supersteps == 0 {
		t.Fatalf("%d supersteps, %v", supersteps, err)
	}
}
