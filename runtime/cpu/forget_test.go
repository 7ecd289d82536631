package cpu_test

import (
	"runtime"
	"testing"
	"time"
	"weak"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// An engine that has nothing to do does not keep the graph of its last run.
func TestRunIsForgotten(t *testing.T) {
	for _, d := range []pregel.Direction{pregel.Pull, pregel.Push} {
		e := cpu.New(cpu.Options{Workers: 2, Direction: d})
		g := ranOnce(t, e)
		for until := time.Now().Add(10 * time.Second); g.Value() != nil; runtime.GC() {
			if time.Now().After(until) {
				t.Fatalf("%v: the graph of the last run is still held", d)
			}
		}
		runtime.KeepAlive(e)
	}
}

// ranOnce runs a program on a graph of its own, by both workers.
func ranOnce(t *testing.T, e *cpu.Engine) weak.Pointer[graph.Graph] {
	t.Helper()
	g := square(t, 300)
	f := flow{silent: true, failEmit: graph.None, failApply: graph.None, steps: 3}
	if _, err := pregel.RunEdge(t.Context(), &pregel.Job{Graph: g, Engine: e}, &f); err != nil {
		t.Fatal(err)
	}
	return weak.Make(g)
}
