package wcc_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/pregeltest"
	"gopregel/pregel/pregeltest/race"
	"gopregel/programs/wcc"
	"gopregel/runtime/cpu"
)

func TestPropagateRelaxes(t *testing.T) {
	newEngine := func(c pregeltest.Config) pregel.Engine {
		return cpu.New(cpu.Options{Workers: c.Workers, Schedule: c.Schedule})
	}
	pregeltest.Relaxes(t, newEngine, func(ctx context.Context, j *pregel.Job) ([]uint32, error) {
		r, err := (&wcc.WCC{Method: wcc.Propagate}).Components(ctx, j)
		return r.Values, err
	})
}

func TestPropagateRelaxedOnLargerGraphs(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 5))
	for _, directed := range []bool{false, true} {
		g := randomGraph(r, 6000, 7000, directed)
		want := reference(g)
		for _, workers := range race.Workers(1, 2, 3, 8) {
			check(t, g, &wcc.WCC{Method: wcc.Propagate}, cpu.New(cpu.Options{Workers: workers, Schedule: pregel.Relaxed}), want)
		}
	}
}
