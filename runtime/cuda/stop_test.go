//go:build cuda

package cuda_test

import (
	"context"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/programs/bfs"
	"gopregel/programs/sssp"
	"gopregel/runtime/cuda"
)

// prompt is within what a cancelled run ends, the copy of the answer included.
const prompt = 200 * time.Millisecond

// cancelled runs for a while, cancels, and says how long the end took.
func cancelled(t *testing.T, a pregel.Algorithm, j *pregel.Job) (*pregel.Answer, time.Duration) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	timer := time.AfterFunc(200*time.Millisecond, func() { at = time.Now(); cancel() })
	defer timer.Stop()
	answer, err := a.Run(ctx, j)
	ended := time.Now()
	if err != nil {
		t.Fatalf("%T: %v", a, err)
	}
	if ctx.Err() == nil {
		t.Fatalf("%T ended by itself: %v", a, answer.Stop)
	}
	return answer, ended.Sub(at)
}

// A run under way ends soon after its context, with what it has reached.
func TestCancelledUnderWay(t *testing.T) {
	e := open(t, cuda.Options{})
	g := line(t, 1<<20)
	for _, a := range []pregel.Algorithm{counter(), &bfs.BFS{Source: "0"}, &sssp.SSSP{Source: "0", Method: sssp.DeltaStepping}} {
		// the graph is sent and kernels are compiled before the run that counts
		if _, err := a.Run(t.Context(), &pregel.Job{Graph: g, Engine: e, MaxSupersteps: 2}); err != nil {
			t.Fatal(err)
		}
		for _, batch := range []int{1, 1 << 12} {
			var answer *pregel.Answer
			var took time.Duration
			seen := 0
			for range 3 { // others may use the device and the host
				seen = 0
				j := &pregel.Job{Graph: g, Engine: e, Batch: batch, Observe: func(pregel.StepRecord) { seen++ }}
				if answer, took = cancelled(t, a, j); took <= prompt {
					break
				}
			}
			if answer.Stop.Reason != pregel.Cancelled || answer.Stop.Supersteps != seen || seen < 2 {
				t.Errorf("%T, batch %d: %v, %d records", a, batch, answer.Stop, seen)
			}
			if took > prompt {
				t.Errorf("%T, batch %d: ended %v after its context, want %v at the most", a, batch, took, prompt)
			}
			t.Logf("%T, batch %d: %d supersteps, ended %v after its context", a, batch, seen, took.Round(time.Millisecond))
			c := answer.Table.Columns[0]
			switch a.(type) {
			case *cuda.KernelProgram:
				for v, x := range c.Counts {
					if int(x) != seen {
						t.Fatalf("vertex %d has counted %d supersteps of %d", v, x, seen)
					}
				}
			case *bfs.BFS:
				for v, x := range c.Counts {
					if want := pregel.NoCount; v <= seen && int(x) != v || v > seen && x != want {
						t.Fatalf("after %d supersteps vertex %d has depth %d", seen, v, x)
					}
				}
			}
		}
	}
}
