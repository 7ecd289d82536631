//go:build emulate && !cuda

package cuda_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cuda"
	"gopregel/runtime/cuda/driver"
)

// Results of calls: CUresult.
var results = []driver.Error{
	{Code: 999, Name: "CUDA_ERROR_UNKNOWN", Text: "unknown error"},
	{Code: 700, Name: "CUDA_ERROR_ILLEGAL_ADDRESS", Text: "an illegal memory access was encountered"}, // costs the context
}

// A failingDriver counts calls and fails one.
type failingDriver struct {
	result driver.Error
	at     int // 0: none
	calls  int
	failed string
}

func (f *failingDriver) ask(call string) error {
	f.calls++
	if f.calls != f.at {
		return nil
	}
	f.failed = call
	e := f.result
	e.Call = call
	return &e
}

// Every call of the driver fails once, in turn, in a run of every program: the
// error says which call of which program, no memory of the device, goroutine or
// descriptor is lost, and the engine goes on. A call that only a form made for speed has
// needed may fail without the run.
func TestCallsFail(t *testing.T) {
	e := open(t, cuda.Options{})
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 9))
	g := random(t, r, 60, 240, true).WithWeights(func(u, v uint32) int32 { return int32((u*31+v)%100) + 1 })
	small := random(t, r, 30, 90, true)
	kinds := map[string]int{}
	for _, a := range append(deviceAlgorithms(g), counterOf(3)) {
		for _, result := range results {
			n := callsOf(t, e, a, g)
			goesOn(t, e, small)
			goroutines, descriptors := runtime.NumGoroutine(), openFiles()
			failed, step := 0, 1
			if testing.Short() {
				step = 1 + min(n, 24)/8
			}
			for at := 1 + r.IntN(step); at <= n; at += step {
				f := &failingDriver{result: result, at: at}
				what := fmt.Sprintf("%T, call %d of %d, %s", a, at, n, result.Name)
				if !failOnce(t, e, a, g, f, what) {
					break
				}
				failed++
				word, _, _ := strings.Cut(strings.TrimPrefix(f.failed, "cu"), "(")
				kinds[strings.Fields(word)[0]]++
				goesOn(t, e, small)
				nothingLost(t, e, fmt.Sprintf("%s (%s)", what, f.failed))
				nothingLeft(t, goroutines, descriptors, fmt.Sprintf("%s (%s)", what, f.failed))
			}
			if failed < 2 {
				t.Errorf("%T, %s: only %d of %d calls have failed", a, result.Name, failed, n)
			}
		}
	}
	t.Logf("%v", kinds)
	for _, kind := range []string{"MemAlloc", "LaunchKernel", "read", "write"} {
		if kinds[kind] == 0 {
			t.Errorf("no %s has failed", kind)
		}
	}
}

// openFiles counts descriptors, where the system lists them.
func openFiles() int {
	list, _ := os.ReadDir("/proc/self/fd")
	return len(list)
}

// nothingLeft holds that there are no more goroutines, which may take a while to end, and
// descriptors than before.
func nothingLeft(t *testing.T, goroutines, descriptors int, what string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > goroutines || openFiles() > descriptors; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: %d goroutines and %d descriptors, before it %d and %d", what, runtime.NumGoroutine(), openFiles(), goroutines, descriptors)
		}
	}
}

// callsOf runs without a fault, from an empty device on.
func callsOf(t *testing.T, e *cuda.Engine, a pregel.Algorithm, g *graph.Graph) (calls int) {
	t.Helper()
	for range 2 { // kernels are loaded the first time
		nothingLost(t, e, "before")
		f := &failingDriver{}
		e.FailCalls(f.ask)
		_, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 1 << 10})
		e.FailCalls(nil)
		if err != nil || f.calls < 10 {
			t.Fatalf("%T: %d calls, %v", a, f.calls, err)
		}
		calls = f.calls
	}
	return calls
}

// failOnce tells whether the run has made the call. A device that works for too long comes
// back to the host in between, so a run on a machine that is busier makes more calls.
func failOnce(t *testing.T, e *cuda.Engine, a pregel.Algorithm, g *graph.Graph, f *failingDriver, what string) bool {
	t.Helper()
	e.FailCalls(f.ask)
	answer, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, Batch: 1 << 10})
	e.FailCalls(nil)
	var call *driver.Error
	switch {
	case f.failed == "" && err == nil:
		t.Logf("%s: the run has made %d calls", what, f.calls)
		return false
	case f.failed == "":
		t.Fatalf("%s: the run has made %d calls: %v", what, f.calls, err)
	case err == nil:
		if c, ok := a.(pregel.Certifier); ok {
			err = c.Certify(t.Context(), g, &answer.Table)
		}
		if err != nil {
			t.Fatalf("%s (%s): the run has not noticed, and %v", what, f.failed, err)
		}
		t.Logf("%s (%s): the run did without", what, f.failed)
	case !errors.As(err, &call) || call.Call != f.failed:
		t.Fatalf("%s (%s): error %T: %v", what, f.failed, err, err)
	case !strings.Contains(err.Error(), "program ") || !strings.Contains(err.Error(), f.failed) || !strings.Contains(err.Error(), f.result.Name):
		t.Fatalf("%s (%s): the error does not say program and call: %v", what, f.failed, err)
	}
	return true
}

// counterOf counts so many supersteps.
func counterOf(supersteps int) *cuda.KernelProgram {
	c := counter()
	c.Source = strings.Replace(c.Source, "awake = true; return x + 1;", fmt.Sprintf("awake = x + 1 < %d; return x + 1;", supersteps), 1)
	return c
}
