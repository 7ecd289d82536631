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
		if !collected(g) {
			t.Fatalf("%v: the graph of the last run is still held", d)
		}
		runtime.KeepAlive(e)
	}
}

// Nor does it keep what a loop of its workers was about, after a run or without one.
func TestLoopIsForgotten(t *testing.T) {
	e := cpu.New(cpu.Options{Workers: 2})
	for _, ran := range []bool{false, true} {
		if ran {
			ranOnce(t, e)
		}
		list := loopOver(t, e)
		if !collected(list) {
			t.Fatalf("after a run: %v: the list of the last loop is still held", ran)
		}
	}
	runtime.KeepAlive(e)
}

// collected has garbage collected until something is gone, or has been held for long. It may
// be held by a worker that has lost its processor, in a job that is over.
func collected[T any](x weak.Pointer[T]) bool {
	for until, times := time.Now().Add(time.Minute), 0; x.Value() != nil; times++ {
		if times >= 100 && time.Now().After(until) {
			return false
		}
		runtime.GC()
	}
	return true
}

func loopOver(t *testing.T, e *cpu.Engine) weak.Pointer[[1000]int] {
	t.Helper()
	list := new([1000]int)
	if err := e.Pool().For(len(list), func(i int, _ *pregel.Worker) { list[i] = i }); err != nil || list[999] != 999 {
		t.Fatal(err, list[999])
	}
	return weak.Make(list)
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
