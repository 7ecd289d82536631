// Package parallel runs loops on several goroutines: the few lines that
// loading, generating and certifying graphs share. Supersteps have their own
// scheduler in runtime/cpu.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A Panic is what a worker panicked with, thrown again in the caller.
type Panic struct {
	Value any
	Stack string // of the worker
}

// Error says what the worker panicked with.
func (p Panic) Error() string { return fmt.Sprintf("panic in a worker: %v\n%s", p.Value, p.Stack) }

// Unwrap returns the value if it is an error.
func (p Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Workers returns n, or the number of usable processors when n is not
// positive.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Do runs f once for each worker and waits for all. A panic in one of them is
// thrown again in the caller, as a Panic, after all have ended; so is a fault in
// memory, where it would end the process.
func Do(workers int, f func(worker int)) {
	workers = Workers(workers)
	if workers == 1 {
		f(0)
		return
	}
	var (
		wg     sync.WaitGroup
		thrown atomic.Pointer[Panic]
	)
	for w := range workers {
		wg.Go(func() {
			debug.SetPanicOnFault(true) // see mem.Fault
			defer func() {
				if r := recover(); r != nil {
					thrown.CompareAndSwap(nil, &Panic{Value: r, Stack: string(debug.Stack())})
				}
			}()
			f(w)
		})
	}
	wg.Wait()
	if p := thrown.Load(); p != nil {
		panic(*p)
	}
}

// Range cuts 0..n into pieces of grain numbers and gives them to the workers
// as they come free. Which worker gets which piece is not determined; the
// pieces are.
func Range(workers, n, grain int, f func(worker, lo, hi int)) {
	grain = max(grain, 1)
	pieces := (n + grain - 1) / grain
	workers = min(Workers(workers), pieces)
	if pieces == 0 {
		return
	}
	var next atomic.Int64
	Do(workers, func(w int) {
		for {
			i := int(next.Add(1)) - 1
			if i >= pieces {
				return
			}
			f(w, i*grain, min(n, (i+1)*grain))
		}
	})
}
