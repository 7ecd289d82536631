package cpu_test

import (
	"testing"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/pregel/graphgen"
	"gopregel/pregel/pregeltest/race"
	"gopregel/runtime/cpu"
)

// Supersteps that pull make nothing on the heap for a range: there are hundreds of them.
func TestRangesMakeNothing(t *testing.T) {
	g := made(t, graphgen.Spec{Kind: "grid", Rows: 300, Cols: 300})
	runs := 5
	if race.On {
		runs = 1
	}
	allocs := func(steps int) float64 {
		e := cpu.New(cpu.Options{Workers: 1, Direction: pregel.Pull})
		f := flow{silent: true, local: true, failEmit: graph.None, failApply: graph.None, steps: steps}
		return testing.AllocsPerRun(runs, func() {
			if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, &f); err != nil {
				t.Fatal(err)
			}
		})
	}
	few, many := allocs(2), allocs(22)
	t.Logf("%v allocations in 2 supersteps, %v in 22", few, many)
	if many-few > 20*10 {
		t.Errorf("%v allocations in 2 supersteps, %v in 22: want ten more for each at most", few, many)
	}
}
