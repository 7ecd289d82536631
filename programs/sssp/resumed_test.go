package sssp_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/pregeltest"
	"gopregel/programs/sssp"
	"gopregel/runtime/cpu"
)

// A job that is interrupted and goes on has the answer of one that is not, by one worker or by
// several who share buckets.
func TestSharedResumed(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 41))
	total := 0
	for i := range 12 {
		n := 2000 + r.IntN(2000)
		g := build(t, n, randomColumns(r, n, 5*n, graph.Int32, r.IntN(2), 1+r.IntN(60)), i%2 == 0)
		source, delta := pregel.ID(g.IDs().Text(r.Uint32N(uint32(n)))), float64(r.IntN(3))*1.5
		job := func() (pregel.Algorithm, *pregel.Job) {
			a := &sssp.SSSP{Source: source, Method: sssp.DeltaStepping, Delta: delta}
			return some(r, a), &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 1 + r.IntN(4)})}
		}
		a, j := job()
		want, err := a.Run(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		got, times, err := pregeltest.Interrupted(t.Context(), r, 1+r.IntN(5), job)
		if err != nil || !reflect.DeepEqual(got.Table, want.Table) {
			t.Fatalf("%d vertices, interrupted %d times: another answer, %v", n, times, err)
		}
		total += times
	}
	if total < 12 {
		t.Errorf("only %d interruptions", total)
	}
}
