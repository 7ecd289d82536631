package cpu_test

import (
	"errors"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"gopregel/pregel"
	"gopregel/pregel/graph"
	"gopregel/runtime/cpu"
)

// spent does nothing for about so many additions.
func spent(n int) (x uint64) {
	for i := range n {
		x = x*3 + uint64(i)
	}
	return x
}

// either way of doing items.
func either(r *rand.Rand, p *cpu.Engine) func(int, func(int, *pregel.Worker)) error {
	if r.IntN(2) == 0 {
		return p.For
	}
	return p.Near
}

// Of items that are given near, each of two workers begins with the first of its half, in each
// job. The first items wait for each other: who comes late would find its half done.
func TestNear(t *testing.T) {
	p := cpu.New(cpu.Options{Workers: 2})
	for range 50 {
		var list [2][]int
		begun := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
		if err := p.Near(20, func(i int, w *pregel.Worker) {
			list[w.Slot] = append(list[w.Slot], i)
			if half := i / 10; i == half*10 {
				close(begun[half])
				<-begun[1-half]
			}
		}); err != nil || list[0][0] != 0 || list[1][0] != 10 || len(list[0])+len(list[1]) != 20 {
			t.Fatalf("the workers did %v, %v", list, err)
		}
	}
}

// Each item of each job is done once, by a worker that is no other's, whether jobs
// follow at once or after a while, and are short or long.
func TestTeamDoesEachItemOnce(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	for workers := 1; workers <= 5; workers++ {
		r := rand.New(rand.NewPCG(seed, uint64(workers)))
		p := cpu.New(cpu.Options{Workers: workers})
		var sink atomic.Uint64
		for k := range 9000 {
			n, work := r.IntN(40), r.IntN(2000)
			if k > 600 { // shorter than members take to come, or to go
				n, work = r.IntN(workers+2), r.IntN(2)
			}
			done, at := make([]int, n), make([]atomic.Int32, workers)
			err := either(r, p)(n, func(i int, w *pregel.Worker) {
				if at[w.Slot].Add(1) != 1 || w.Alone && n > 1 && workers > 1 {
					t.Errorf("%d workers, %d items: two at slot %d, or alone: %v", workers, n, w.Slot, w.Alone)
				}
				sink.Add(spent(work))
				done[i]++
				at[w.Slot].Add(-1)
			})
			for i, times := range done {
				if times != 1 || err != nil {
					t.Fatalf("%d workers: item %d of %d done %d times, %v", workers, i, n, times, err)
				}
			}
			if k%150 == 0 {
				time.Sleep(time.Millisecond) // members have gone
			}
		}
	}
}

// Of several items that fail the first is the error, and all before it are done.
func TestTeamFindsTheFirstFailure(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 2))
	var sink atomic.Uint64
	for range 600 {
		workers, n, work := 1+r.IntN(4), 1+r.IntN(60), r.IntN(3000)
		p := cpu.New(cpu.Options{Workers: workers})
		fails, first := make([]bool, n), n
		for i := range fails {
			if fails[i] = r.IntN(20) == 0; fails[i] {
				first = min(first, i)
			}
		}
		done := make([]atomic.Bool, n)
		err := either(r, p)(n, func(i int, w *pregel.Worker) {
			sink.Add(spent(work))
			w.At = uint32(i)
			if fails[i] {
				panic("no")
			}
			done[i].Store(true)
		})
		var at *pregel.VertexError
		if found := errors.As(err, &at); found != (first < n) || found && at.Vertex != uint32(first) {
			t.Fatalf("%d workers, %d items, the first to fail is %d: %v", workers, n, first, err)
		}
		for i := range first {
			if !done[i].Load() {
				t.Fatalf("%d workers: item %d of %d was not done, the first to fail is %d", workers, i, n, first)
			}
		}
	}
}

// When nothing more is to be done no goroutine is left.
func TestTeamLeavesNothing(t *testing.T) {
	var sink atomic.Uint64
	before := runtime.NumGoroutine()
	for range 20 {
		p := cpu.New(cpu.Options{Workers: 4})
		for range 50 {
			if err := p.For(8, func(int, *pregel.Worker) { sink.Add(spent(20_000)) }); err != nil {
				t.Fatal(err)
			}
		}
	}
	for wait := time.Now(); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Since(wait) > time.Minute {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

// Who ends a worker's goroutine gets an error, and the next job is done as ever.
func TestTeamSurvivesGoexit(t *testing.T) {
	for range 200 {
		p := cpu.New(cpu.Options{Workers: 2})
		if err := exitSecond(p); err == nil {
			t.Fatal("a worker's goroutine has ended, and there is no error")
		}
		for range 3 {
			var done atomic.Int32
			if err := p.For(16, func(int, *pregel.Worker) { done.Add(1) }); err != nil || done.Load() != 16 {
				t.Fatalf("%d of 16 items done, %v", done.Load(), err)
			}
		}
	}
}

// exitSecond runs the first job of an engine, which ends the second worker's goroutine. The
// first worker waits for that one: it could be done before the second has come. In a later job
// none may come, as one that is about to end is taken for there.
func exitSecond(p *cpu.Engine) error {
	came := make(chan struct{})
	return p.For(16, func(i int, w *pregel.Worker) {
		switch {
		case w.Slot == 1:
			close(came)
			runtime.Goexit()
		case i == 0:
			<-came
		}
	})
}

// A job within a job is an error, and the job around it is done as ever.
func TestTeamRefusesAJobWithinAJob(t *testing.T) {
	for workers := 2; workers <= 4; workers++ {
		p := cpu.New(cpu.Options{Workers: workers})
		var sink atomic.Uint64
		for range 200 {
			var done, refused atomic.Int32
			err := p.For(9, func(i int, _ *pregel.Worker) {
				sink.Add(spent(1000))
				if i%4 == 0 && p.For(1+i/2, func(int, *pregel.Worker) { t.Error("an inner item was done") }) != nil {
					refused.Add(1)
				}
				done.Add(1)
			})
			if err != nil || done.Load() != 9 || refused.Load() != 3 {
				t.Fatalf("%d workers: %d of 9 items done, %d of 3 refused, %v", workers, done.Load(), refused.Load(), err)
			}
		}
	}
}

// Workers look out for what follows a phase where that is said, and are dismissed else.
func TestTeamExpectsMore(t *testing.T) {
	e := cpu.New(cpu.Options{Workers: 2})
	j := &pregel.Job{Graph: randomGraph(t, rand.New(rand.NewPCG(1, 1)), 20_000, 60_000, false, graph.Unweighted), Engine: e}
	for _, more := range []bool{false, true, false} {
		var done atomic.Uint64
		do := func(lo, hi uint32, _ *pregel.Worker) { done.Add(uint64(hi - lo)) }
		if _, err := j.Ranges(t.Context(), pregel.Ranges{Name: "ranges", Do: do, More: more}); err != nil || done.Load() != 20_000 || e.Expects() != more {
			t.Errorf("more %v: expected %v, %d vertices, error %v", more, e.Expects(), done.Load(), err)
		}
		piece := func(int, *pregel.Worker) {}
		if _, err := j.Pieces(t.Context(), pregel.Pieces{Name: "pieces", N: 9, Do: piece, More: more}); err != nil || e.Expects() != more {
			t.Errorf("pieces, more %v: expected %v, error %v", more, e.Expects(), err)
		}
	}
}

// Item 0 is that of slot 0, whoever comes when.
func TestFirstItemIsTheCallers(t *testing.T) {
	e := cpu.New(cpu.Options{Workers: 4})
	for n := 1; n <= 9; n++ {
		for range 50 {
			var slot atomic.Int64
			slot.Store(-1)
			err := e.For(n, func(i int, w *pregel.Worker) {
				if i == 0 {
					slot.Store(int64(w.Slot))
				}
			})
			if err != nil || slot.Load() != 0 {
				t.Fatalf("item 0 of %d was done by slot %d, %v", n, slot.Load(), err)
			}
		}
	}
}
