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

// An engine that has nothing to do keeps neither the graph of its last run nor the values.
func TestRunIsForgotten(t *testing.T) {
	for _, schedule := range []pregel.Direction{pregel.Pull, pregel.Push} {
		e := cpu.New(cpu.Options{Workers: 2, Direction: schedule})
		g := ranOnce(t, e)
		for until := time.Now().Add(10 * time.Second); g.Value() != nil; runtime.GC() {
			if time.Now().After(until) {
				t.Fatalf("%v: the graph of the last run is still held", schedule)
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
