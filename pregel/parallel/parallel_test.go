package parallel_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"gopregel/pregel/parallel"
)

func TestRangeCoversOnce(t *testing.T) {
	for _, n := range []int{0, 1, 7, 1000} {
		for _, grain := range []int{0, 1, 3, 2000} {
			for _, workers := range []int{1, 2, 8} {
				seen := make([]atomic.Int32, n)
				parallel.Range(workers, n, grain, func(w, lo, hi int) {
					if w < 0 || w >= workers || lo >= hi || hi-lo > max(grain, 1) {
						t.Errorf("worker %d gets %d to %d", w, lo, hi)
					}
					for i := lo; i < hi; i++ {
						seen[i].Add(1)
					}
				})
				for i := range seen {
					if seen[i].Load() != 1 {
						t.Fatalf("n %d grain %d workers %d: %d seen %d times", n, grain, workers, i, seen[i].Load())
					}
				}
			}
		}
	}
}

func TestPanicReachesTheCaller(t *testing.T) {
	for _, workers := range []int{1, 4} {
		func() {
			defer func() {
				switch r := recover().(type) {
				case parallel.Panic:
					if r.Value != "oops" || !strings.Contains(r.Error(), "oops") || r.Stack == "" {
						t.Errorf("%d workers: %v", workers, r)
					}
				case string: // one worker is the caller
					if workers != 1 || r != "oops" {
						t.Errorf("%d workers: %v", workers, r)
					}
				default:
					t.Errorf("%d workers: recovered %v", workers, r)
				}
			}()
			parallel.Range(workers, 100, 1, func(_, lo, _ int) {
				if lo == 50 {
					panic("oops")
				}
			})
		}()
	}
}
