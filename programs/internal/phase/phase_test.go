package phase_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"gopregel/pregel"
	"gopregel/programs/internal/phase"
	"gopregel/programs/internal/trial"
	"gopregel/runtime/cpu"
)

func newRun(ctx context.Context, t *testing.T, n int) (*phase.Run, *pregel.Job) {
	t.Helper()
	g := trial.Random(trial.Rand(t), max(n, 1), 3*n, 0, true)
	j := &pregel.Job{Graph: g, Engine: cpu.New(cpu.Options{Workers: 3})}
	return phase.New(ctx, j), j
}

func TestEveryItemOnce(t *testing.T) {
	r, j := newRun(t.Context(), t, 5000)
	for _, n := range []int{0, 1, 2, 1000, 100000} {
		times := make([]atomic.Int32, n)
		if !r.Pieces("pieces", n, 7, func(lo, hi int, _ *pregel.Worker) {
			for i := lo; i < hi; i++ {
				times[i].Add(1)
			}
		}) {
			t.Fatal(r.Stop())
		}
		for i := range times {
			if k := times[i].Load(); k != 1 {
				t.Fatalf("%d items: item %d was done %d times", n, i, k)
			}
		}
	}
	if stop := r.Stop(); stop.Supersteps != 5 || j.Supersteps() != 5 || stop.Reason != pregel.Halted {
		t.Fatal(stop)
	}
}

func TestCancelledAmongItems(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, _ := newRun(ctx, t, 5000)
	var done atomic.Int32
	if r.Items("items", 1000, pregel.Account{}, func(i int, _ *pregel.Worker) {
		switch n := done.Add(1); {
		case n == 10:
			cancel()
		case n > 10:
			<-ctx.Done() // however long the tenth takes
		}
	}) || r.Stop().Reason != pregel.Cancelled || done.Load() > 20 {
		t.Fatalf("%v after %d items", r.Stop(), done.Load())
	}
	if r.Serial("more", pregel.Account{}, func(context.Context, *pregel.Worker) { t.Error("a phase ran after the end") }) {
		t.Fatal("still going")
	}
}

func TestLimit(t *testing.T) {
	r, j := newRun(t.Context(), t, 100)
	j.MaxSupersteps = 2
	ran := 0
	for range 4 {
		r.Serial("serial", pregel.Account{}, func(context.Context, *pregel.Worker) { ran++ })
	}
	if stop := r.Stop(); ran != 2 || stop.Reason != pregel.MaxSupersteps || stop.Supersteps != 2 || !r.Spent() || r.Err() != nil {
		t.Fatalf("%d phases, %v, %v", ran, stop, r.Err())
	}
}

func TestPanicIsAnError(t *testing.T) {
	r, _ := newRun(t.Context(), t, 100)
	r.Items("items", 10, pregel.Account{}, func(i int, _ *pregel.Worker) { panic("oh") })
	var at *pregel.ProgramError
	if r.Going() || !errors.As(r.Err(), &at) || at.Program != "items" || at.Stack == "" || r.Stop().Reason != pregel.Failed {
		t.Fatalf("%v, error %v", r.Stop(), r.Err())
	}
}
